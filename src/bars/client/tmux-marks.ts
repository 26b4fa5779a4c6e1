import type { Clock } from '../../system/clock.ts';
import { follow } from './following.ts';
import type { BarSource } from './source.ts';

/** What a line of `GET /v1/bar/json` says of a session, as far as marks need it. */
interface Marked {
  readonly pid: number;
  readonly glyph: string;
}

/** A pane of this tmux server, and the window that it is in. */
interface Pane {
  readonly id: string;
  readonly window: string;
  readonly pid: number;
}

export interface MarksParts {
  readonly source: BarSource;
  readonly startDaemon: () => void;
  readonly clock: Clock;
  /** Runs tmux on the server whose status line this is; gives stdout. */
  readonly tmux: (args: readonly string[]) => Promise<string>;
  /** The process and its ancestors. */
  readonly ancestors: (pid: number) => readonly number[];
}

/**
 * Keeps the user option `@tsmux` of each window and pane that sessions run in: the glyph of the most urgent of them
 * (tmux(1), OPTIONS: names that begin with @ are the user's). A pane is known by its process, for ids are only unique
 * within one server. All changes of a moment are one command, as tmux draws anew after each.
 */
export function followMarks(parts: MarksParts): { end(): Promise<void> } {
  let known: ReadonlyMap<string, string> = new Map();
  let sessions: readonly Marked[] = [];
  let working: Promise<void> | null = null;
  let again = false;

  async function update(): Promise<void> {
    do {
      again = false;
      try {
        const listed = await parts.tmux(['list-panes', '-a', '-F', '#{pane_id} #{window_id} #{pane_pid}']);
        const next = marksOf(sessions, panesIn(listed), parts.ancestors);
        const commands = changes(known, next);
        if (commands.length > 0) await parts.tmux(commands);
        known = next;
      } catch {
        // The window has just gone, or tmux has; the next change tries again.
      }
    } while (again);
    working = null;
  }

  function touch(): void {
    again = working !== null;
    working ??= update();
  }

  const unfollow = follow(
    '/v1/bar/json',
    {
      onLine(line) {
        sessions = sessionsIn(line);
        touch();
      },
      onAway() {
        sessions = [];
        touch();
      },
    },
    parts,
  );
  return {
    async end() {
      unfollow();
      sessions = [];
      touch();
      await working;
    },
  };
}

/** The daemon lists sessions with the most urgent first: that one's glyph stays. */
function marksOf(
  sessions: readonly Marked[],
  panes: readonly Pane[],
  ancestors: MarksParts['ancestors'],
): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const { pid, glyph } of sessions) {
    const chain = new Set(ancestors(pid));
    const pane = panes.find((each) => chain.has(each.pid));
    if (pane === undefined) continue;
    for (const target of [pane.id, pane.window]) if (!marks.has(target)) marks.set(target, glyph);
  }
  return marks;
}

/** `%3` is a pane, `@1` a window. */
function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  const commands = [...new Set([...before.keys(), ...after.keys()])].flatMap((target) => {
    const mark = after.get(target);
    if (mark === before.get(target)) return [];
    const scope = target.startsWith('%') ? '-p' : '-w';
    return [
      mark === undefined
        ? ['set-option', scope, '-u', '-q', '-t', target, '@tsmux']
        : ['set-option', scope, '-q', '-t', target, '@tsmux', mark],
    ];
  });
  return commands.flatMap((command, index) => (index === 0 ? command : [';', ...command]));
}

function panesIn(listed: string): Pane[] {
  return listed.split('\n').flatMap((line) => {
    const [id, window, pid] = line.split(' ');
    return id === undefined || window === undefined || pid === undefined
      ? []
      : [{ id, window, pid: Number(pid) }];
  });
}

function sessionsIn(line: string): Marked[] {
  try {
    const { sessions } = JSON.parse(line) as { sessions?: readonly Marked[] };
    return [...(sessions ?? [])];
  } catch {
    return [];
  }
}
