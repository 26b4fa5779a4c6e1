import type { ProcessStat } from '../../system/proc.ts';
import type { DesktopWindow } from '../desktop.ts';
import type { Outside } from '../outside.ts';
import type { PaneScreen } from '../pane-screen.ts';

/** A terminal emulator (or an editor with one inside) that is more than the common rules can deal with. */
export interface Terminal {
  readonly name: string;
  is(process: ProcessStat, windows: readonly DesktopWindow[]): boolean;
  /** Whether it shows the title that a program sets in its window's title; else no nonce is written to it. */
  readonly showsTitle: boolean;
  /** A panel that may be folded away although the window is there. */
  readonly panelled?: boolean;
  /** Its own way to tell which window shows a PTY; null where it does not say it. */
  ask?(question: TerminalQuestion, outside: Outside): Promise<Told | null>;
}

export interface TerminalQuestion {
  /** The process whose windows these are. */
  readonly process: ProcessStat;
  readonly pts: number;
  /** The processes on that PTY from the session (or the multiplexer's client) up to the terminal's own child. */
  readonly inside: readonly ProcessStat[];
  readonly windows: readonly DesktopWindow[];
}

export interface Told {
  /** Those of the question's windows that it can be: one is the answer, several are fewer candidates. */
  readonly windows: readonly DesktopWindow[];
  readonly how: string;
  /** Where the terminal has panes or tabs of its own and can be told to show one. */
  readonly pane: {
    readonly id: string;
    readonly focused: boolean;
    /** Null when done, else why not. */
    show(): Promise<string | null>;
    readonly screen: PaneScreen;
  } | null;
}

/** A variable as the terminal gave it to its child, which is the outermost process; the innermost may have another. */
export function given(question: TerminalQuestion, name: string, { processes }: Outside): string | null {
  for (const { pid } of question.inside.toReversed()) {
    const value = processes.environment(pid)?.get(name);
    if (value !== undefined) return value;
  }
  return null;
}
