// What is true of a session in a terminal under every window manager; more `it` may follow.
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { hasCode } from '../../src/system/error-code.ts';
import { until } from '../support/until.ts';
import type { LabDesktop } from './desktops.ts';
import type { AnyLab } from './lab.ts';
import { type LabLocator, locatorIn } from './locator.ts';
import type { Terminal, TerminalKind, TerminalOptions } from './terminals.ts';

/** These keep the window when the command in it has ended; each has a process for each window. */
const keepWindows: readonly TerminalKind[] = ['konsole', 'qterminal', 'cool-retro-term', 'emacs'];

/** What has ended by itself need not be ended. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

/**
 * @param told terminals of which the process, or WINDOWID, says which window it is.
 * @param onlyByTitle those that have one process for all windows, and nothing in the environment.
 */
export function storiesOfTerminals<L extends AnyLab>(
  { name: desktop, start }: LabDesktop<L>,
  {
    told,
    onlyByTitle,
  }: { readonly told: readonly TerminalKind[]; readonly onlyByTitle: readonly TerminalKind[] },
) {
  const now = {} as { lab: L; locator: LabLocator };
  let opened: Terminal[] = [];
  beforeAll(async () => {
    now.lab = await start();
    now.locator = await locatorIn(now.lab);
  });
  afterAll(() => now.lab?.stop());
  afterEach(async () => {
    for (const { kind, pid, terminalPid } of opened) end(keepWindows.includes(kind) ? terminalPid : pid);
    const closing = opened.map(({ conId }) => conId);
    opened = [];
    // Ids are used again: a window of the next test could not be told from one that is still closing.
    await until(async () => !(await now.lab.manager.windows()).some(({ conId }) => closing.includes(conId)), {
      why: 'all windows to close',
    });
  });

  /** A terminal that is closed when the test is over. */
  async function open(kind: TerminalKind, options: TerminalOptions): Promise<Terminal> {
    const terminal = await now.lab.terminal(kind, options);
    opened.push(terminal);
    return terminal;
  }

  async function twoWindows(
    kind: TerminalKind,
    options: Omit<TerminalOptions, 'workspace'> = {},
  ): Promise<readonly [Terminal, Terminal]> {
    const first = await open(kind, { ...options, workspace: '1: one' });
    return [first, await open(kind, { ...options, workspace: '2: two' })];
  }

  const exactlyAt = ({ conId, windowId }: Terminal, workspace: string) => ({
    place: {
      certainty: 'exact',
      reason: null,
      desktop,
      workspace: { name: workspace },
      window: { conId, id: windowId },
    },
  });

  it.each(told)('c7: is found in each of two windows of %s, and no title is touched', async (kind) => {
    const { locator } = now;
    const before = await locator.noncesWritten();
    const [first, second] = await twoWindows(kind);
    expect(await locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
    expect(await locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
    expect(await locator.noncesWritten()).toBe(before);
  });

  it.each(onlyByTitle)(
    'c6, c7: is ambiguous in two windows of %s, and found where the title may be asked once',
    async (kind) => {
      const { locator } = now;
      const [first, second] = await twoWindows(kind, { title: 'a shell' });
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
          const told = await titlesNow();
          // Tilix puts its own name before it.
          return told.every((title) => title.endsWith('a shell')) ? told : null;
        },
        { why: 'both titles', saw: titlesNow },
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

  it('c7: is found in each of two windows of terminator by its D-Bus service, where their titles differ', async () => {
    const first = await open('terminator', { workspace: '1: one', title: 'first' });
    const second = await open('terminator', { workspace: '2: two', title: 'second' });
    await until(async () => (await second.window()).title === 'second', { why: 'the title' });
    const titleNonce = false;
    expect(await now.locator.locate(first.pid, { titleNonce })).toMatchObject(exactlyAt(first, '1: one'));
    expect(await now.locator.locate(second.pid, { titleNonce })).toMatchObject(exactlyAt(second, '2: two'));
  });

  return { now, open, twoWindows, exactlyAt };
}
