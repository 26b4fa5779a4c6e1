/**
 * Where a session is on screen (docs/place.md). The types stand here and not in desktop/, because a
 * session carries its place and sessions/ knows no other room; desktop/ finds the values.
 */

/** Container id of i3 or sway. Not stable over a restart of i3. */
export type ConId = number;
/** X11 window id, below 2^32. */
export type WindowId = number;

export interface Workspace {
  readonly name: string;
  /** null for a workspace without a number (the protocol's -1). */
  readonly num: number | null;
  readonly output: string | null;
}

export interface PlacedWindow {
  readonly conId: ConId;
  /** null for a Wayland window. */
  readonly id: WindowId | null;
  readonly title: string;
  readonly focused: boolean;
}

/** A window of anybody's. */
export interface WindowRef {
  readonly desktop: 'i3' | 'sway';
  readonly conId: ConId;
  /** null for a Wayland window. */
  readonly id: WindowId | null;
}

export interface Pane {
  readonly kind: 'tmux' | 'screen' | 'kitty' | 'nvim' | 'script';
  /** The multiplexer's own id (`%3`). */
  readonly id: string;
  /** Shown by the client in this window, and the active one there. */
  readonly focused: boolean;
}

export interface Candidate {
  readonly workspace: Workspace | null;
  readonly window: PlacedWindow;
}

export interface Place {
  readonly certainty: 'exact' | 'ambiguous' | 'none';
  /** Why it is not exact, in words for the user; null when exact. */
  readonly reason: string | null;
  readonly desktop: 'i3' | 'sway' | null;
  readonly workspace: Workspace | null;
  readonly window: PlacedWindow | null;
  readonly pane: Pane | null;
  /** The windows that it could be, when ambiguous. */
  readonly candidates: readonly Candidate[];
}

/** A place that is not known, with the reason. */
export function nowhere(reason: string): Place {
  return {
    certainty: 'none',
    reason,
    desktop: null,
    workspace: null,
    window: null,
    pane: null,
    candidates: [],
  };
}
