import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Connection, openConnection } from '../../../src/desktop/i3ipc/connection.ts';
import { messageType } from '../../../src/desktop/i3ipc/types.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { type FakeWm, fakeWm } from '../fake-wm.ts';

const open: { wm?: FakeWm; connection?: Connection } = {};
afterEach(async () => {
  open.connection?.close();
  await open.wm?.close();
});

async function connected(timeLimit = 2000) {
  const wm = await fakeWm('i3');
  open.wm = wm;
  const events: string[] = [];
  const ends: string[] = [];
  const connection = await openConnection({
    path: wm.path,
    clock: systemClock,
    timeLimit,
    onEvent: (name, payload) => events.push(`${name} ${payload}`),
    onEnd: (reason) => ends.push(reason.message),
  });
  open.connection = connection;
  await vi.waitFor(() => expect(wm.connections()).toBe(1));
  return { wm, connection, events, ends };
}

describe('a connection to a window manager', () => {
  it('c15: keeps events apart from the replies that are waited for', async () => {
    const { wm, connection, events } = await connected();
    wm.pieces = 1;
    wm.event('window', { change: 'focus' });
    const replies = [connection.request(messageType.version), connection.request(messageType.command, 'nop')];
    wm.event('workspace', { change: 'init' });
    const [version, command] = await Promise.all(replies);
    expect(version?.toString()).toContain('4.22');
    expect(command?.toString()).toBe('[{"success":true}]');
    await vi.waitFor(() =>
      expect(events).toEqual(['window {"change":"focus"}', 'workspace {"change":"init"}']),
    );
  });

  it('c14: lets events of an unknown kind pass', async () => {
    const { wm, connection, events } = await connected();
    wm.event(20, { change: 'new in the next version' });
    expect((await connection.request(messageType.version)).toString()).toContain('4.22');
    expect(events).toEqual([]);
  });

  it('gives up when a reply does not come, and rejects what still waits', async () => {
    const { wm, connection, ends } = await connected(30);
    wm.deaf = true;
    const overdue = connection.request(messageType.command, 'nop');
    const behind = connection.request(messageType.version);
    const late = 'no reply within 30 ms';
    await Promise.all([expect(overdue).rejects.toThrow(late), expect(behind).rejects.toThrow(late)]);
    expect(ends).toEqual(['no reply within 30 ms']);
    await expect(connection.request(messageType.version)).rejects.toThrow();
  });

  it('ends at garbage, without an exception that nobody catches', async () => {
    const { wm, connection, ends } = await connected();
    wm.deaf = true;
    const waiting = expect(connection.request(messageType.version)).rejects.toThrow('does not start with');
    wm.raw(Buffer.from('this is not the protocol at all'));
    await waiting;
    expect(ends).toEqual(['a message does not start with "i3-ipc"']);
  });

  it('ends at a reply that nobody asked for', async () => {
    const { wm, ends } = await connected();
    wm.raw(Buffer.from('69332d69706302000000070000007b7d', 'hex'));
    await vi.waitFor(() => expect(ends).toEqual(['a reply of type 7 that nobody asked for']));
  });

  it('tells once when the window manager goes, and not at all after close()', async () => {
    const { wm, ends } = await connected();
    wm.hangUp();
    await vi.waitFor(() => expect(ends).toEqual(['the window manager closed the connection']));

    const again = await connected();
    again.connection.close();
    await vi.waitFor(() => expect(again.wm.connections()).toBe(0));
    expect(again.ends).toEqual([]);
    await wm.close();
  });

  it('rejects where nobody listens', async () => {
    const nobody = { clock: systemClock, timeLimit: 1000, onEvent: () => {}, onEnd: () => {} };
    await expect(openConnection({ ...nobody, path: '/nonexistent/ipc.sock' })).rejects.toThrow('ENOENT');
  });
});
