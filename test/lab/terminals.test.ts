import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type Lab, startLab } from './lab.ts';
import { type LabLocator, locatorIn } from './locator.ts';
import type { Terminal, TerminalKind } from './terminals.ts';

let lab: Lab;
let locator: LabLocator;
let open: Terminal[] = [];

beforeAll(async () => {
  lab = await startLab({ outputs: 2 });
  locator = await locatorIn(lab);
});
afterAll(() => lab?.stop());
/** These keep the window when the command in it has ended; each has a process for each window. */
const keepWindows: readonly TerminalKind[] = ['konsole', 'qterminal', 'cool-retro-term', 'emacs'];

afterEach(async () => {
  for (const { kind, pid, terminalPid } of open)
    process.kill(keepWindows.includes(kind) ? terminalPid : pid, 'SIGKILL');
  const closing = open.map(({ windowId }) => windowId);
  open = [];
  // i3 uses ids again: a window of the next test could not be told from one that is still closing.
  await until(async () => !(await lab.i3.windows()).some(({ windowId }) => closing.includes(windowId)), {
    why: 'all windows to close',
  });
});

async function twoWindows(
  kind: TerminalKind,
  more: { readonly title?: string } = {},
): Promise<readonly [Terminal, Terminal]> {
  const first = await lab.terminal(kind, { ...more, workspace: '1: one' });
  open.push(first);
  const second = await lab.terminal(kind, { ...more, workspace: '2: two' });
  open.push(second);
  return [first, second];
}

const exactlyAt = (terminal: Terminal, workspace: string) => ({
  place: {
    certainty: 'exact',
    reason: null,
    desktop: 'i3',
    workspace: { name: workspace },
    window: { id: terminal.windowId },
  },
});

/** Each says by its process or by WINDOWID which window it is. */
const plain: readonly TerminalKind[] = [
  'xterm',
  'urxvt',
  'urxvtc',
  'kitty',
  'kitty -1',
  'alacritty',
  'alacritty msg',
  'st',
  'konsole',
  'xfce4-terminal',
  'mate-terminal',
  'qterminal',
  'cool-retro-term',
];

/** One process for all windows, and nothing in the environment. */
const onlyByTitle: readonly TerminalKind[] = ['gnome-terminal', 'lxterminal', 'tilix'];

describe('a session in a terminal', () => {
  it.each(plain)('c7: is found in each of two windows of %s, and no title is touched', async (kind) => {
    const before = await locator.noncesWritten();
    const [first, second] = await twoWindows(kind);
    expect(await locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
    expect(await locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
    expect(await locator.noncesWritten()).toBe(before);
  });

  it.each(onlyByTitle)(
    'c6: is ambiguous in two windows of %s, and found where the title may be asked once',
    async (kind) => {
      const [first, second] = await twoWindows(kind, { title: 'a shell' });
      const silent = await locator.locate(second.pid, { titleNonce: false });
      expect(silent.place.certainty).toBe('ambiguous');
      expect(silent.place.window).toBeNull();
      expect(silent.place.candidates.map(({ window }) => window.id).toSorted()).toEqual(
        [first.windowId, second.windowId].toSorted(),
      );

      const before = await locator.noncesWritten();
      const titlesNow = async () => [(await first.window()).title, (await second.window()).title];
      const titles = await until(
        async () => {
          const now = await titlesNow();
          // Tilix puts its own name before it.
          return now.every((title) => title.endsWith('a shell')) ? now : null;
        },
        { why: 'both titles', saw: titlesNow },
      );
      expect(await locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
      expect(await locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
      expect(await titlesNow()).toEqual(titles);
      await locator.locate(first.pid);
      await locator.locate(second.pid);
      expect(await locator.noncesWritten()).toBe(before + 2);
    },
  );

  it('c7: is found in each of two windows of terminator by its D-Bus service, where their titles differ', async () => {
    const first = await lab.terminal('terminator', { workspace: '1: one', title: 'first' });
    const second = await lab.terminal('terminator', { workspace: '2: two', title: 'second' });
    open.push(first, second);
    const titleNonce = false;
    expect(await locator.locate(first.pid, { titleNonce })).toMatchObject(exactlyAt(first, '1: one'));
    expect(await locator.locate(second.pid, { titleNonce })).toMatchObject(exactlyAt(second, '2: two'));
  });

  it('is found in a terminal of Emacs, and never taken for what is looked at', async () => {
    const [first, second] = await twoWindows('emacs');
    const located = await locator.locate(first.pid);
    expect(located).toMatchObject({ ...exactlyAt(first, '1: one'), mayBeHidden: true });
    expect(await locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
  });

  it('follows its window to another workspace', async () => {
    const [first] = await twoWindows('xterm');
    expect(await locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
    await lab.i3.command(`[con_id=${first.conId}] move container to workspace 7`);
    expect(await locator.locate(first.pid)).toMatchObject(exactlyAt(first, '7'));
  });
});
