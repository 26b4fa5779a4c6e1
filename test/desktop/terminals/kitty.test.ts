import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { findIn, parseKittyState } from '../../../src/desktop/terminals/kitty.ts';
import { systemClock } from '../../../src/system/clock.ts';
import { machineOf, window } from '../machine.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/desktop/${name}.json`, import.meta.url), 'utf8');

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

let count = 0;
/** A kitty with two windows of one process, the second with a hidden tab, and its socket. */
async function listeningKitty(answers: (command: { cmd: string; payload: unknown }) => unknown) {
  const address = join(tmpdir(), `tsmux-kitty-${process.pid}-${++count}`);
  const commands: { cmd: string; payload: unknown }[] = [];
  const server = createServer((socket) => {
    socket.setEncoding('utf8');
    socket.on('error', () => {});
    socket.on('data', (text: string) => {
      const command = JSON.parse(text.slice('\x1bP@kitty-cmd'.length, -2));
      commands.push(command);
      const reply = `\x1bP@kitty-cmd${JSON.stringify(answers(command))}\x1b\\`;
      // In two pieces, as a socket may have it.
      socket.write(reply.slice(0, 20));
      setImmediate(() => socket.write(reply.slice(20)));
    });
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  closing.push(() => server.close());
  const env = { KITTY_LISTEN_ON: `unix:${address}`, KITTY_WINDOW_ID: '99' };
  const machineWith = (sockets: readonly string[], platformIds = true) =>
    machineOf({
      processes: [
        { pid: 10, comm: 'kitty', holds: [4, 5, 6], sockets },
        { pid: 500, comm: 'claude', parent: 10, pts: 4, env },
        { pid: 501, comm: 'claude', parent: 10, pts: 5, env },
      ],
      windows: [
        { pid: 10, id: platformIds ? 201 : null, conId: 1, title: 'one' },
        { pid: 10, id: platformIds ? 202 : null, conId: 2, title: 'two' },
      ],
      titleNonce: false,
      clock: systemClock,
    });
  return { address, commands, machineWith };
}

const state = (platformIds: boolean) => [
  {
    platform_window_id: platformIds ? 201 : null,
    tabs: [{ id: 1, is_active: true, title: 'one', windows: [{ id: 1, pid: 500, is_active: true }] }],
  },
  {
    platform_window_id: platformIds ? 202 : null,
    tabs: [
      { id: 2, is_active: true, title: 'two', windows: [{ id: 2, pid: 777, is_active: true }] },
      { id: 3, is_active: false, title: 'hidden', windows: [{ id: 3, pid: 501, is_active: true }] },
    ],
  },
];
const ls = (platformIds = true) => ({ ok: true, data: JSON.stringify(state(platformIds)) });

describe('kitty with remote control', () => {
  it('c7: says which window has the session, and whether its tab is shown', async () => {
    const { address, machineWith } = await listeningKitty(() => ls());
    const machine = machineWith([address]);
    expect((await machine.locate(500)).place).toMatchObject({
      certainty: 'exact',
      window: { id: 201 },
      pane: { kind: 'kitty', id: '1', focused: true },
    });
    const hidden = await machine.locate(501);
    expect(hidden.place).toMatchObject({ window: { id: 202 }, pane: { id: '3', focused: false } });
    expect(hidden.mayBeHidden).toBeUndefined();
  });

  it('c7: says it under Wayland by the title of the tab that is shown, and of no other', async () => {
    const { address, machineWith } = await listeningKitty(() => ls(false));
    const machine = machineWith([address], false);
    expect((await machine.locate(500)).place).toMatchObject({ certainty: 'exact', window: { conId: 1 } });
    expect((await machine.locate(501)).place.certainty).toBe('ambiguous');
  });

  it('shows the tab of the session when asked to go there', async () => {
    const { address, commands, machineWith } = await listeningKitty(({ cmd }) =>
      cmd === 'ls' ? ls() : { ok: true },
    );
    const machine = machineWith([address]);
    const went = await machine.locator.showPane({ key: machine.key(501), attachedBy: null });
    expect(went).toEqual({ done: true });
    expect(commands.at(-1)).toMatchObject({ cmd: 'focus-window', payload: { match: 'id:3' } });
  });

  it('lets the screen of the very session be read, and takes a key only while that shows what was read', async () => {
    let screen = 'Do you want to proceed?\n ❯ 1. Yes  \n   2. No\n';
    const { address, commands, machineWith } = await listeningKitty(({ cmd }) =>
      cmd === 'ls' ? ls() : cmd === 'get-text' ? { ok: true, data: screen } : { ok: true },
    );
    const machine = machineWith([address]);
    const pane = await machine.locator.screen({ key: machine.key(501), attachedBy: null });
    expect(await pane?.read()).toBe(screen);
    expect(commands.at(-1)).toMatchObject({
      cmd: 'get-text',
      payload: { match: 'id:3', extent: 'screen' },
    });
    const press = { mark: 'pone', key: '2', lines: [' ❯ 1. Yes', '   2. No'] };
    expect(await pane?.send(press)).toBe('sent');
    expect(commands.at(-1)).toMatchObject({
      cmd: 'send-text',
      payload: { match: 'id:3', data: 'text:2' },
    });
    screen = ' ❯ 1. Yes, and more\n   2. No\n';
    expect(await pane?.send(press)).toBe('refused');
    expect(commands.filter(({ cmd }) => cmd === 'send-text')).toHaveLength(1);
  });

  it('is not asked at a socket that is not its own', async () => {
    const { commands, machineWith } = await listeningKitty(() => ls());
    expect((await machineWith(['/run/another']).locate(500)).place.certainty).toBe('ambiguous');
    expect(commands).toEqual([]);
  });

  it.each([{ ok: false, error: 'Remote control is disabled' }, { ok: true, data: 'no json' }, 'nonsense'])(
    'is ambiguous when it answers %j',
    async (answer) => {
      const { address, machineWith } = await listeningKitty(() => answer);
      expect((await machineWith([address]).locate(500)).place.certainty).toBe('ambiguous');
    },
  );

  it('is asked by its own program where its socket has no file', async () => {
    const env = { KITTY_LISTEN_ON: 'unix:@mine' };
    const machine = machineOf({
      processes: [
        { pid: 10, comm: 'kitty', holds: [4, 5], sockets: ['@mine'] },
        { pid: 501, comm: 'claude', parent: 10, pts: 5, env },
      ],
      windows: [
        { pid: 10, id: 201 },
        { pid: 10, id: 202 },
      ],
      run: (line) => (line.endsWith(' ls') ? JSON.stringify(state(true)) : ''),
    });
    expect((await machine.locate(501)).place.window?.id).toBe(202);
    await machine.locator.showPane({ key: machine.key(501), attachedBy: null });
    expect(machine.ran.at(-1)).toBe('kitty @ --to unix:@mine focus-window --match id:3');
  });

  it('is understood as recorded with 0.26.5', () => {
    for (const [name, id] of [
      ['kitty-ls-x11', 23068684],
      ['kitty-ls-wayland', null],
    ] as const) {
      const read = parseKittyState(fixture(name));
      const first = read?.[0]?.tabs[0]?.windows[0];
      expect(read?.[0]?.platform_window_id ?? null).toBe(id);
      const inside = [{ pid: first?.pid ?? 0 }].map(({ pid }) => ({
        pid,
        comm: 'claude',
        status: 'S',
        parent: 1,
        processGroup: pid,
        leader: pid,
        pts: 4,
        startTime: 1,
        foregroundGroup: pid,
      }));
      const [process] = inside;
      if (read === null || process === undefined) throw new Error('nothing was read');
      const windows = [
        window({ pid: 1, id, title: read[0]?.tabs[0]?.title ?? '' }),
        window({ pid: 1, id: 9 }),
      ];
      expect(findIn(read, { process, pts: 4, inside, windows })).toMatchObject({
        windows: [windows[0]],
        focused: true,
      });
    }
  });
});
