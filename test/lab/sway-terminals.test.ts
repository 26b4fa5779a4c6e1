import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type LabLocator, locatorIn } from './locator.ts';
import { type SwayLab, startSwayLab } from './sway.ts';
import type { Terminal, TerminalKind, TerminalOptions } from './terminals.ts';

let lab: SwayLab;
let locator: LabLocator;
let open: Terminal[] = [];

beforeAll(async () => {
  lab = await startSwayLab({ outputs: 2 });
  locator = await locatorIn(lab);
});
afterAll(() => lab?.stop());

/** These keep the window when the command in it has ended; each has a process for each window. */
const keepWindows: readonly TerminalKind[] = ['konsole', 'qterminal'];

afterEach(async () => {
  for (const { kind, pid, terminalPid } of open)
    process.kill(keepWindows.includes(kind) ? terminalPid : pid, 'SIGKILL');
  const closing = open.map(({ conId }) => conId);
  open = [];
  await until(async () => !(await lab.sway.windows()).some(({ conId }) => closing.includes(conId)), {
    why: 'all windows to close',
  });
});

async function twoWindows(
  kind: TerminalKind,
  options: Omit<TerminalOptions, 'workspace'> = {},
): Promise<readonly [Terminal, Terminal]> {
  const first = await lab.terminal(kind, { ...options, workspace: '1: one' });
  open.push(first);
  const second = await lab.terminal(kind, { ...options, workspace: '2: two' });
  open.push(second);
  return [first, second];
}

const exactlyAt = ({ conId, windowId }: Terminal, workspace: string) => ({
  place: {
    certainty: 'exact',
    reason: null,
    desktop: 'sway',
    workspace: { name: workspace },
    window: { conId, id: windowId },
  },
});

/** A process for each window; konsole, xterm and urxvt through XWayland. */
const onePerWindow: readonly TerminalKind[] = [
  'foot',
  'kitty',
  'alacritty',
  'qterminal',
  'xterm',
  'urxvt',
  'st',
  'konsole',
];

/** One process for all windows, each an X11 window that WINDOWID names. */
const byWindowId: readonly TerminalKind[] = ['urxvtc'];

/** One process for all windows, and nothing in the environment. */
const onlyByTitle: readonly TerminalKind[] = [
  'footclient',
  'kitty -1',
  'alacritty msg',
  'gnome-terminal',
  'xfce4-terminal',
  'mate-terminal',
  'lxterminal',
  'tilix',
];

describe('a session in a terminal under sway', () => {
  it.each([...onePerWindow, ...byWindowId])(
    'c7: is found in each of two windows of %s, and no title is touched',
    async (kind) => {
      const before = await locator.noncesWritten();
      const [first, second] = await twoWindows(kind);
      expect(await locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
      expect(await locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
      expect(await locator.noncesWritten()).toBe(before);
    },
  );

  it.each(onlyByTitle)(
    'c6, c7: is ambiguous in two windows of %s, and found where the title may be asked once',
    async (kind) => {
      const [first, second] = await twoWindows(kind);
      expect(first.terminalPid).toBe(second.terminalPid);
      const silent = await locator.locate(second.pid, { titleNonce: false });
      expect(silent.place).toMatchObject({ certainty: 'ambiguous', window: null, workspace: null });
      expect(silent.place.candidates.map(({ window }) => window.conId).toSorted()).toEqual(
        [first.conId, second.conId].toSorted(),
      );

      const before = await locator.noncesWritten();
      const titlesNow = async () => [(await first.window()).title, (await second.window()).title];
      const titles = await until(
        async () => {
          const now = await titlesNow();
          return now.includes('') ? null : now;
        },
        { why: 'both titles' },
      );
      expect(await locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
      expect(await locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
      await until(async () => isDeepStrictEqual(await titlesNow(), titles), {
        why: 'the old titles',
        saw: titlesNow,
      });
      await locator.locate(first.pid);
      await locator.locate(second.pid);
      expect(await locator.noncesWritten()).toBe(before + 2);
    },
  );

  /** What somebody's shell hands on who has started a terminal from another one. */
  const stale = (xterm: Terminal) => ({
    WINDOWID: `${xterm.windowId}`,
    TMUX: '/tmp/tmux-1001/default,1,0',
    TMUX_PANE: '%0',
    KITTY_WINDOW_ID: '99',
    ALACRITTY_WINDOW_ID: '12345',
    GNOME_TERMINAL_SCREEN: '/stale',
    TILIX_ID: 'stale',
  });

  it.each<TerminalKind>(['foot', 'kitty', 'alacritty', 'xterm'])(
    'c22: is found in %s, though its environment names the window of the xterm that it was started from',
    async (kind) => {
      const xterm = await lab.terminal('xterm', { workspace: '3: old' });
      open.push(xterm);
      const [first, second] = await twoWindows(kind, { env: stale(xterm) });
      expect(await locator.locate(xterm.pid)).toMatchObject(exactlyAt(xterm, '3: old'));
      expect(await locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
      expect(await locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
    },
  );

  it('c22: is ambiguous in two windows of one process that names the window of an xterm, never in that one', async () => {
    const xterm = await lab.terminal('xterm', { workspace: '3: old' });
    open.push(xterm);
    const env = { ...stale(xterm), TILIX_ID: '' };
    const [first, second] = await twoWindows('xfce4-terminal', { env });
    const { place } = await locator.locate(first.pid, { titleNonce: false });
    expect(place.candidates.map(({ window }) => window.conId).toSorted()).toEqual(
      [first.conId, second.conId].toSorted(),
    );
    expect(await locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
    expect(await locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
  });

  it('c7: is found in each of two windows of one kitty by its remote control, where their titles differ', async () => {
    const listen = `unix:${lab.runtime}/kitty.sock`;
    const options = (script: string) => [
      '--config',
      'NONE',
      '-o',
      'allow_remote_control=yes',
      '--listen-on',
      listen,
      '-1',
      '--instance-group',
      'remote',
      'sh',
      '-c',
      script,
    ];
    const env = { LIBGL_ALWAYS_SOFTWARE: '1' };
    for (const name of ['left', 'right']) {
      const script = `echo $$ >${lab.runtime}/${name}; printf '\\033]0;${name}\\007'; exec cat`;
      lab.spawn('kitty', options(script), { env });
      await until(async () => (await lab.sway.windows()).some(({ title }) => title === name), {
        why: `the window ${name}`,
        limit: 20_000,
        saw: lab.sway.windows,
      });
    }
    for (const name of ['left', 'right']) {
      const pid = Number(readFileSync(join(lab.runtime, name), 'utf8'));
      const window = (await lab.sway.windows()).find(({ title }) => title === name);
      expect(await locator.locate(pid, { titleNonce: false })).toMatchObject({
        place: { certainty: 'exact', window: { conId: window?.conId }, pane: { kind: 'kitty' } },
      });
    }
    for (const name of ['left', 'right'])
      process.kill(Number(readFileSync(join(lab.runtime, name), 'utf8')), 'SIGKILL');
    await until(async () => !(await lab.sway.windows()).some(({ title }) => /^(left|right)$/.test(title)), {
      why: 'both to close',
    });
  });

  it('c7: is found in each of two windows of terminator by its D-Bus service, where their titles differ', async () => {
    const first = await lab.terminal('terminator', { workspace: '1: one', title: 'first' });
    const second = await lab.terminal('terminator', { workspace: '2: two', title: 'second' });
    open.push(first, second);
    await until(async () => (await second.window()).title === 'second', { why: 'the title' });
    const titleNonce = false;
    expect(await locator.locate(first.pid, { titleNonce })).toMatchObject(exactlyAt(first, '1: one'));
    expect(await locator.locate(second.pid, { titleNonce })).toMatchObject(exactlyAt(second, '2: two'));
  });

  it('is found in a pane of tmux that one of two windows of footclient shows', async () => {
    const command = ['tmux', 'new-session', '-s', 'main', 'cat'];
    const first = await lab.terminal('footclient', { workspace: '1: one', command });
    open.push(first, await lab.terminal('footclient', { workspace: '2: two' }));
    const pane = await until(() => lab.tmux('list-panes', '-F', '#{pane_pid}'), { why: 'the pane' });
    expect(await locator.locate(Number(pane))).toMatchObject({
      place: { ...exactlyAt(first, '1: one').place, pane: { kind: 'tmux', id: '%0' } },
    });
    await lab.tmux('kill-server');
  });
});
