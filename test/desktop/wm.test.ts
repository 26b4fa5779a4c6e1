import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { connectWindowManager, type WindowManager } from '../../src/desktop/wm.ts';
import { systemClock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import { clockBy } from '../support/clock-by.ts';
import { type FakeWm, fakeWm, treeOf } from './fake-wm.ts';

const open: { wms: FakeWm[]; managers: WindowManager[] } = { wms: [], managers: [] };
afterEach(async () => {
  for (const manager of open.managers.splice(0)) manager.stop();
  for (const wm of open.wms.splice(0)) await wm.close();
});

/** Waits pass twenty times as fast. */
const hasty = clockBy((ms, run) => systemClock.after(ms / 20, run));

async function follow(kind: 'i3' | 'sway', prepare: (wm: FakeWm) => void = () => {}, clock = systemClock) {
  const wm = await fakeWm(kind);
  open.wms.push(wm);
  prepare(wm);
  const seen = {
    changes: 0,
    gone: 0,
    asked: [] as number[][],
    demands: [] as unknown[],
    said: [] as string[],
  };
  const owners = new Map<number, number>();
  const say = (_facts: object, message: string) => seen.said.push(message);
  const manager = await connectWindowManager({
    path: wm.path,
    clock,
    log: { ...silentLog, warn: say, info: say },
    windowPids: async (windows) => {
      seen.asked.push([...windows]);
      return new Map(windows.map((window) => [window, owners.get(window) ?? null]));
    },
    demandAttention: async (window, demand) => void seen.demands.push([window, demand]),
    onChange: () => {
      seen.changes += 1;
    },
    onGone: () => {
      seen.gone += 1;
    },
  });
  open.managers.push(manager);
  const titles = () => manager.tree()?.windows.map(({ title }) => title);
  return { wm, manager, seen, owners, titles };
}

const shop = { id: 5, window: 77, name: 'shop', workspace: '3: web' };
const docs = { id: 6, window: 78, name: 'docs', workspace: '4' };

describe('one window manager', () => {
  it('c1: asks the X server whose the windows of i3 are, once for each window', async () => {
    const { wm, manager, seen, owners } = await follow('i3', (made) => {
      made.windows = [shop];
    });
    expect(seen.asked).toEqual([[77]]);
    owners.set(78, 4242);
    wm.windows = [shop, docs];
    wm.event('window', { change: 'new', container: docs });
    await vi.waitFor(() => expect(manager.tree()?.windows[1]?.pid).toBe(4242));
    expect(seen.asked).toEqual([[77], [78]]);
  });

  it('asks nobody under sway, whose tree has the pids', async () => {
    const { manager, seen } = await follow('sway', (made) => {
      made.windows = [{ ...shop, window: null, pid: 900 }];
    });
    expect(manager.tree()).toMatchObject({ desktop: 'sway', windows: [{ pid: 900, id: null }] });
    expect(seen.asked).toEqual([]);
  });

  it('asks anew about an X id that another window has got', async () => {
    const { wm, manager, owners } = await follow('i3', (made) => {
      made.windows = [shop];
    });
    owners.set(77, 5000);
    wm.event('window', { change: 'close', container: shop });
    wm.windows = [{ ...docs, window: 77 }];
    wm.event('window', { change: 'new', container: { ...docs, window: 77 } });
    await vi.waitFor(() => expect(manager.tree()?.windows).toMatchObject([{ title: 'docs', pid: 5000 }]));
  });

  it('subscribes to one event at a time: sway refuses the rest of a list with a name it does not know', async () => {
    const { wm } = await follow('sway');
    expect(wm.subscriptions).toEqual(['["workspace"]', '["output"]', '["window"]', '["shutdown"]']);
  });

  it('c11: follows a window manager whose messages come byte by byte', async () => {
    const { wm, titles } = await follow('i3', (made) => {
      made.pieces = 1;
      made.windows = [shop];
    });
    expect(titles()).toEqual(['shop']);
    wm.windows = [shop, docs];
    wm.event('window', { change: 'new', container: docs });
    await vi.waitFor(() => expect(titles()).toEqual(['shop', 'docs']));
  });

  it('c12: keeps the old tree when a new one is not JSON, says so, and reads again', async () => {
    const { wm, seen, titles } = await follow('i3', (made) => {
      made.windows = [shop];
    });
    wm.nextTree = Buffer.from('{"id": 1, "nodes": [');
    wm.windows = [docs];
    wm.event('window', { change: 'new', container: docs });
    await vi.waitFor(() => expect(seen.said).toContain('dropped a tree that cannot be read'));
    expect(titles()).toEqual(['shop']);
    await vi.waitFor(() => expect(titles()).toEqual(['docs']), 3000);
  });

  it('c12: a title that stays no UTF-8 does not blind it for ever', async () => {
    const bad = Buffer.from(
      JSON.stringify(treeOf([{ ...shop, name: 'caf@' }])).replace('@', '\xe9'),
      'latin1',
    );
    const { wm, seen, titles } = await follow('sway', (made) => {
      made.nextTree = bad;
    });
    wm.nextTree = bad;
    expect(titles()).toBeUndefined();
    await vi.waitFor(() => expect(titles()).toEqual(['caf\ufffd']), 3000);
    expect(seen.said.filter((message) => message.startsWith('dropped'))).toHaveLength(1);
  });

  it('reads a burst of events at most ten times a second, the first at once', async () => {
    const { wm, seen, titles } = await follow('i3');
    await vi.waitFor(() => expect(wm.treesSent()).toBe(1));
    const start = performance.now();
    wm.windows = [shop];
    for (let count = 0; count < 200; count++) wm.event('window', { change: 'focus', container: shop });
    await vi.waitFor(() => expect(titles()).toEqual(['shop']));
    wm.windows = [docs];
    wm.event('workspace', { change: 'focus' });
    await vi.waitFor(() => expect(titles()).toEqual(['docs']));
    const possible = 2 + Math.ceil((performance.now() - start) / 100);
    expect(wm.treesSent()).toBeLessThanOrEqual(possible);
    expect(seen.changes).toBeLessThanOrEqual(possible);
  });

  it('takes a new title from its event and reads no tree for it', async () => {
    const { wm, seen, titles } = await follow('i3', (made) => {
      made.windows = [shop];
    });
    const before = { trees: wm.treesSent(), changes: seen.changes };
    for (const name of ['⠂ shop', '⠐ shop', '✳ shop']) {
      wm.event('window', { change: 'title', container: { ...shop, name } });
    }
    await vi.waitFor(() => expect(titles()).toEqual(['✳ shop']));
    expect({ trees: wm.treesSent(), changes: seen.changes }).toEqual(before);
  });

  it('c14: an event that it cannot make sense of means that the tree may have changed', async () => {
    const { wm, titles } = await follow('i3');
    wm.windows = [shop];
    wm.event('window', 'not an object');
    await vi.waitFor(() => expect(titles()).toEqual(['shop']));
  });

  it('follows the events that i3 4.22 really sent', async () => {
    const { wm, titles } = await follow('i3');
    const lines = readFileSync('test/fixtures/desktop/events-i3.jsonl', 'utf8').trim().split('\n');
    for (const line of lines) {
      const { type, ev } = JSON.parse(line);
      if (type === 'window' || type === 'workspace') wm.event(type, ev);
    }
    wm.windows = [docs];
    wm.event('workspace', { change: 'reload' });
    await vi.waitFor(() => expect(titles()).toEqual(['docs']));
  });

  it('c9: after a restart in place it connects, subscribes and reads again, and keeps the places meanwhile', async () => {
    const { wm, manager, seen, titles } = await follow('i3', (made) => {
      made.windows = [shop];
    });
    wm.event('shutdown', { change: 'restart' });
    await wm.quit();
    await vi.waitFor(() => expect(seen.said).toContain('lost the window manager'));
    expect(titles()).toEqual(['shop']);
    await expect(manager.refresh()).rejects.toThrow('away');

    wm.windows = [{ ...shop, id: 9 }];
    await wm.listen();
    await vi.waitFor(() => expect(manager.tree()?.windows[0]?.conId).toBe(9), 3000);
    wm.windows = [docs];
    wm.event('window', { change: 'new', container: docs });
    await vi.waitFor(() => expect(titles()).toEqual(['docs']));
    expect(wm.subscriptions).toHaveLength(8);
    expect(seen.gone).toBe(0);
  });

  it('c10: forgets a window manager that has ended and leaves it alone', async () => {
    const { wm, manager, seen } = await follow('i3', (made) => {
      made.windows = [shop];
    });
    wm.event('shutdown', { change: 'exit' });
    wm.hangUp();
    await vi.waitFor(() => expect(seen.gone).toBe(1));
    expect(manager.tree()).toBeNull();
    expect(wm.connections()).toBe(0);
  });

  it('c10: a bare end, as sway has it, empties the tree at once, and is tried again for some seconds only', async () => {
    const shown = (made: FakeWm) => {
      made.windows = [{ ...shop, window: null, pid: 4 }];
    };
    const { wm, manager, seen, titles } = await follow('sway', shown, hasty);
    wm.hangUp();
    await vi.waitFor(() => expect(titles()).toBeUndefined(), { interval: 1 });
    await vi.waitFor(() => expect(titles()).toEqual(['shop']));
    expect(seen.gone).toBe(0);
    await wm.quit();
    await vi.waitFor(() => expect(seen.gone).toBe(1));
    await expect(manager.refresh()).rejects.toThrow('away');
  });

  it('focuses by container id and nothing else', async () => {
    const { wm, manager } = await follow('i3');
    expect(await manager.focus(94009539571472)).toEqual({ done: true });
    expect(wm.commands).toEqual(['[con_id=94009539571472] focus']);
  });

  it('tells what the window manager says when it refuses', async () => {
    const { wm, manager } = await follow('i3');
    wm.commandReply = [{ success: false, error: 'No window matches given criteria' }];
    expect(await manager.focus(5)).toEqual({
      done: false,
      why: 'i3 refused: No window matches given criteria',
      hint: 'try again',
    });
  });

  it('tells that a window manager that hangs did not answer', async () => {
    const { wm, manager } = await follow('i3', () => {}, hasty);
    wm.deaf = true;
    expect(await manager.focus(5)).toMatchObject({
      done: false,
      why: 'i3 did not focus the window: no reply within 3000 ms',
    });
  });

  it('gives each refresh a tree that was asked for after the call', async () => {
    const { wm, manager } = await follow('i3');
    const first = manager.refresh();
    await vi.waitFor(() => expect(wm.treesSent()).toBe(2));
    wm.windows = [shop];
    const [, ...later] = await Promise.all([first, manager.refresh(), manager.refresh()]);
    for (const { windows } of later) expect(windows.map(({ title }) => title)).toEqual(['shop']);
  });
});

describe('the mark of urgency', () => {
  it('is a command under sway', async () => {
    const { manager, wm } = await follow('sway');
    await manager.setUrgent({ conId: 5, id: null }, true);
    await manager.setUrgent({ conId: 5, id: null }, false);
    expect(wm.commands).toEqual(['[con_id=5] urgent enable', '[con_id=5] urgent disable']);
    wm.commandReply = [{ success: false, error: 'No matching node.' }];
    await expect(manager.setUrgent({ conId: 6, id: null }, true)).rejects.toThrow('No matching node.');
  });

  it('is asked of the X server under i3, which has no command for it', async () => {
    const { manager, wm, seen } = await follow('i3');
    await manager.setUrgent({ conId: 5, id: 0x1400_00e }, true);
    await manager.setUrgent({ conId: 5, id: 0x1400_00e }, false);
    expect(seen.demands).toEqual([
      [0x1400_00e, true],
      [0x1400_00e, false],
    ]);
    expect(wm.commands).toEqual([]);
  });
});
