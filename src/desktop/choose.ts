import type { DesktopWindow } from './desktop.ts';
import type { Outside } from './outside.ts';
import { sharedAnswers } from './shared-answers.ts';
import { terminalOf } from './terminals/index.ts';
import type { Told } from './terminals/terminal.ts';
import { windowByTitle } from './terminals/title-nonce.ts';
import { byWindowId } from './terminals/window-id.ts';
import type { End } from './walk.ts';

/** Which of a terminal's windows shows a PTY. */
export interface Choice {
  /** One: that one. Several: each may be it. Never empty. */
  readonly windows: readonly DesktopWindow[];
  /** Why this one, or why no single one; words for the user. */
  readonly how: string;
  readonly pane: Told['pane'];
  readonly mayBeHidden: boolean;
}

export interface Titles {
  /** The window that showed the nonce once; null where nothing did, or it is not allowed. */
  windowOf(
    process: { readonly pid: number; readonly startTime: number },
    pts: number,
    owner: number,
  ): Promise<DesktopWindow | null>;
  readonly allowed: boolean;
  forget(pid: number): void;
}

/** X ids outlive a restart of i3, container ids do not; Wayland windows have only these. */
function keyOf(window: DesktopWindow): string {
  return window.id === null ? `con ${window.conId}` : `id ${window.id}`;
}

/** Asks by title once for each process, one process after the other, and remembers. */
export function createTitles(options: {
  readonly outside: Outside;
  readonly allowed: boolean;
  refreshTrees(): Promise<void>;
  windowsOf(pid: number): readonly DesktopWindow[];
}): Titles {
  interface Memory {
    readonly startTime: number;
    readonly answer: Promise<string | null>;
  }
  const known = new Map<number, Memory>();
  let last: Promise<unknown> = Promise.resolve();

  function ask(pts: number, owner: number): Promise<string | null> {
    const asked = last.then(() =>
      windowByTitle(
        { pts, windows: () => options.windowsOf(owner), refreshTrees: options.refreshTrees },
        options.outside,
      ),
    );
    const answer = asked.then(
      (window) => (window === null ? null : keyOf(window)),
      () => null,
    );
    last = answer;
    return answer;
  }

  return {
    allowed: options.allowed,

    async windowOf({ pid, startTime }, pts, owner) {
      if (!options.allowed) return null;
      for (const attempt of ['remembered', 'asked'] as const) {
        const memory = known.get(pid);
        const fresh = memory === undefined || memory.startTime !== startTime;
        const answer = fresh ? ask(pts, owner) : memory.answer;
        if (fresh) known.set(pid, { startTime, answer });
        const key = await answer;
        if (key === null) return null;
        const window = options.windowsOf(owner).find((candidate) => keyOf(candidate) === key);
        if (window !== undefined) return window;
        // Its tab went to another window, and that one was closed.
        if (attempt === 'remembered' && !fresh) known.delete(pid);
        else return null;
      }
      return null;
    },

    forget: (pid) => known.delete(pid),
  };
}

const ptyCounts = sharedAnswers<number | null>(1000);

/** How many PTYs a process holds; tabs are opened by hand, so a second-old answer serves. */
function ptysOf(pid: number, outside: Outside): Promise<number | null> {
  return ptyCounts(outside, String(pid), async () => outside.processes.masters(pid)?.length ?? null);
}

export async function choose(
  end: Extract<End, { type: 'terminal' }>,
  windows: readonly DesktopWindow[],
  titles: Titles,
  outside: Outside,
): Promise<Choice> {
  const { process, pty, inside } = end;
  const terminal = terminalOf(process, windows);
  const question = { process, pts: pty?.number ?? -1, inside, windows };
  const told = (await terminal.ask?.(question, outside)) ?? null;
  const pane = told?.pane ?? null;
  const mayBeHidden =
    terminal.panelled === true ||
    (pane === null && pty !== null && ((await ptysOf(pty.owner.pid, outside)) ?? 0) > windows.length);
  const chosen = (window: DesktopWindow, how: string): Choice => ({
    windows: [window],
    how,
    pane,
    mayBeHidden,
  });

  const [only, ...others] = windows;
  if (only !== undefined && others.length === 0) return chosen(only, `the only window of ${process.comm}`);

  const named = byWindowId(question, outside);
  if (named !== null) return chosen(named, `WINDOWID names it, and it belongs to ${process.comm}`);

  const [answer, ...more] = told?.windows ?? [];
  if (answer !== undefined && more.length === 0) return chosen(answer, told?.how ?? terminal.name);

  const on = inside[0];
  const mayAsk = terminal.showsTitle && pty !== null && on !== undefined;
  if (mayAsk) {
    const shown = await titles.windowOf(on, pty.number, process.pid);
    if (shown !== null) return chosen(shown, 'it showed the word that was set as its title');
  }
  const left = told === null || told.windows.length === 0 ? windows : told.windows;
  const why = !mayAsk
    ? ''
    : titles.allowed
      ? '; the title showed in none of them (a hidden tab?)'
      : '; asking by title is switched off';
  return {
    windows: left,
    how: `${process.comm} (pid ${process.pid}) has ${windows.length} windows and does not tell which one shows it${why}`,
    pane,
    mayBeHidden,
  };
}
