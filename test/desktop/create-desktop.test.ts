import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDesktop } from '../../src/desktop/create-desktop.ts';
import type { Desktop, Went, WindowTree } from '../../src/desktop/desktop.ts';
import type { Locator } from '../../src/desktop/locate.ts';
import { nowhere } from '../../src/sessions/place.ts';
import { type Clock, systemClock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type FakeWm, fakeWm } from './fake-wm.ts';

let folder: string;
let wm: FakeWm;
let desktop: Desktop;
let shown: Went;

const session = { key: { bootId: 'b', pid: 4242, startTime: 1 }, attachedBy: null };

/** Places a session in the one window that its process owns. */
const byPid = (trees: () => readonly WindowTree[]): Locator => ({
  locate: async ({ key }) => {
    for (const { desktop: name, windows } of trees()) {
      const window = windows.find(({ pid }) => pid === key.pid);
      if (window === undefined) continue;
      const { conId, id, title, focused, workspace } = window;
      const exact = { certainty: 'exact', reason: null, pane: null, candidates: [] } as const;
      return {
        place: { ...exact, desktop: name, workspace, window: { conId, id, title, focused } },
        hops: [],
      };
    }
    return { place: nowhere('no window here'), hops: [] };
  },
  showPane: async () => shown,
  screen: async () => null,
  forget: () => {},
});

const desktopOn = (clock: Clock) =>
  createDesktop({
    clock,
    log: silentLog,
    environment: {},
    places: {
      runtimeDirs: [join(folder, 'run')],
      temporaryDir: join(folder, 'tmp'),
      uid: process.getuid?.() ?? 0,
    },
    home: folder,
    titleNonce: false,
    locator: byPid,
  });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tsmux-desktop-'));
  mkdirSync(join(folder, 'run'));
  wm = await fakeWm('sway', join(folder, 'run/sway-ipc.1000.4242.sock'));
  wm.windows = [{ id: 5, pid: 4242, name: 'shop', workspace: '3: web', focused: true }];
  shown = { done: true };
  desktop = desktopOn(systemClock);
  await desktop.start();
});
afterEach(async () => {
  await desktop.stop();
  await wm.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('going to a session', () => {
  it('focuses its window by container id', async () => {
    expect(await desktop.go(session)).toEqual({ done: true });
    expect(wm.commands).toEqual(['[con_id=5] focus']);
  });

  it('c9, c17: takes the container that its window has now, not the one that was last known', async () => {
    await desktop.locate(session);
    // No event told of it.
    wm.windows = [{ id: 77, pid: 4242, name: 'shop', workspace: 'renamed', focused: true }];
    expect(await desktop.go(session)).toEqual({ done: true });
    expect(wm.commands).toEqual(['[con_id=77] focus']);
  });

  it('does not go to a window that has its container id by now', async () => {
    await desktop.locate(session);
    wm.windows = [{ id: 5, pid: 9, name: 'another', focused: true }];
    shown = { done: false, why: 'no window here', hint: 'Open one.' };
    expect(await desktop.go(session)).toEqual(shown);
    expect(wm.commands).toEqual([]);
  });

  it('tries once more with a fresh tree when the window manager refuses, then says what it said', async () => {
    wm.commandReply = [{ success: false, error: 'No matching node.' }];
    expect(await desktop.go(session)).toMatchObject({ done: false, why: 'sway refused: No matching node.' });
    expect(wm.commands).toHaveLength(2);
  });

  it('does not say that it is there when another window kept the focus', async () => {
    wm.windows = [{ id: 5, pid: 4242, focused: false }];
    expect(await desktop.go(session)).toMatchObject({
      done: false,
      why: 'sway took the command, but another window has the focus',
    });
  });

  it('goes to the window, and says so, where the pane in it could not be shown', async () => {
    shown = { done: false, why: 'tmux did not answer', hint: 'Try again.' };
    expect(await desktop.go(session)).toEqual(shown);
    expect(wm.commands).toEqual(['[con_id=5] focus']);
  });

  it('c10: says why when the window manager has gone', async () => {
    await wm.quit();
    await vi.waitFor(async () => expect((await desktop.locate(session)).place.certainty).toBe('none'));
    shown = { done: false, why: 'no i3 and no sway was found', hint: 'Start one.' };
    expect(await desktop.go(session)).toEqual(shown);
  });
});

describe('a window that is marked urgent', () => {
  const unfocused = { id: 5, pid: 4242, name: 'shop', workspace: '3: web', focused: false };

  it('bears the mark until it is taken away, also after the user was there', async () => {
    await desktop.setUrgent(session, true);
    wm.windows = [{ ...unfocused, focused: true }];
    wm.event('window', { change: 'focus' });
    await vi.waitFor(async () => expect((await desktop.locate(session)).place.window?.focused).toBe(true));
    expect(wm.commands).toEqual(['[con_id=5] urgent enable']);
    wm.windows = [unfocused];
    wm.event('window', { change: 'focus' });
    await vi.waitFor(() => expect(wm.commands).toHaveLength(2));
    await desktop.setUrgent(session, false);
    expect(wm.commands.slice(1)).toEqual(['[con_id=5] urgent enable', '[con_id=5] urgent disable']);
  });

  it('loses the mark when its session has ended, whose window nobody could find any more', async () => {
    await desktop.setUrgent(session, true);
    desktop.forget(session.key);
    await desktop.setUrgent(session, false);
    expect(wm.commands.at(-1)).toBe('[con_id=5] urgent disable');
    await desktop.setUrgent(session, false);
    expect(wm.commands.filter((command) => command.endsWith('disable'))).toHaveLength(1);
  });

  it('is no fault where there is no such window', async () => {
    wm.commandReply = [{ success: false, error: 'No matching node.' }];
    expect(await desktop.setUrgent(session, true)).toBe(false);
    await wm.quit();
    expect(await desktop.setUrgent(session, true)).toBe(false);
  });
});

describe('a mark that may be lost on its way', () => {
  const window = { id: 5, pid: 4242, name: 'shop', workspace: '3: web', focused: false };
  const clock = manualClock();

  beforeEach(async () => {
    await desktop.stop();
    wm.windows = [window];
    desktop = desktopOn(clock);
    await desktop.start();
  });

  it('is set again, but not for ever', async () => {
    await desktop.setUrgent(session, true);
    for (const attempt of [2, 3, 4]) {
      clock.pass(1000);
      await vi.waitFor(() => expect(wm.commands).toHaveLength(attempt));
    }
    clock.pass(60_000);
    await desktop.setUrgent(session, false);
    expect(wm.commands.slice(3)).toEqual(['[con_id=5] urgent enable', '[con_id=5] urgent disable']);
  });

  it('is not set again where it was taken', async () => {
    wm.windows = [{ ...window, urgent: true }];
    await desktop.setUrgent(session, true);
    const seen = wm.treesSent();
    clock.pass(1000);
    await vi.waitFor(() => expect(wm.treesSent()).toBeGreaterThan(seen));
    // What was sent after that tree was, has come by then.
    await desktop.focused(null);
    expect(wm.commands).toEqual(['[con_id=5] urgent enable']);
  });
});

describe('what the desktop tells', () => {
  it('calls those who listen when the focus, a window or the window manager changes, and nobody else', async () => {
    let told = 0;
    const unsubscribe = desktop.subscribe(() => {
      told += 1;
    });
    wm.windows = [{ id: 5, pid: 4242, name: 'shop', workspace: '3: web', focused: false }];
    wm.event('window', { change: 'focus' });
    await vi.waitFor(() => expect(told).toBe(1));
    await wm.quit();
    await vi.waitFor(() => expect(told).toBe(2));
    unsubscribe();
    await wm.listen();
    await vi.waitFor(async () => expect((await desktop.locate(session)).place.certainty).toBe('exact'));
    expect(told).toBe(2);
  });
});
