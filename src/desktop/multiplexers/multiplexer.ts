import type { Pane } from '../../sessions/place.ts';
import type { ProcessStat } from '../../system/proc.ts';
import type { Outside } from '../outside.ts';
import type { PaneScreen } from '../pane-screen.ts';

/** A program that owns a PTY and shows it on terminals of its own, not in a window. */
export interface Multiplexer {
  readonly name: string;
  /** By the name of the process that owns the PTY; an inherited environment says nothing (TMUX may be stale). */
  owns(owner: ProcessStat, outside: Outside): boolean;
  follow(question: PaneQuestion, outside: Outside): Promise<Followed>;
}

export interface PaneQuestion {
  readonly owner: ProcessStat;
  /** The pane's PTY. */
  readonly pts: number;
  /** The session's process and its ancestors on that PTY, nearest first. */
  readonly inside: readonly ProcessStat[];
}

export type Followed = Shown | NotShown;

export interface Shown {
  readonly type: 'shown';
  /** For `tsmux explain`: `tmux %3 in session main`. */
  readonly at: string;
  /** Null where the program shows nothing but this one PTY and has no panes (sudo). */
  readonly pane: { readonly kind: Pane['kind']; readonly id: string } | null;
  /** The pane's screen, where the program lets it be read; undefined where not. */
  readonly screen?: PaneScreen;
  /** Who shows it, the best first; never empty. */
  readonly viewers: readonly Viewer[];
}

/** A process in whose terminal the pane is, or can be, shown. */
export interface Viewer {
  readonly pid: number;
  readonly how: string;
  /** The pane is what this viewer shows, and the active one there. */
  readonly focused: boolean;
  /** Makes it so; null when done, else why not. */
  show(): Promise<string | null>;
}

export interface NotShown {
  readonly type: 'not-shown';
  readonly at: string;
  /** The pane is known, and no viewer: a detached session. */
  readonly pane?: { readonly kind: Pane['kind']; readonly id: string };
  readonly screen?: PaneScreen;
  readonly reason: string;
  /** What the user can do. */
  readonly hint: string;
}
