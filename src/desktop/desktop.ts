import type { Place, PlacedWindow, WindowRef, Workspace } from '../sessions/place.ts';
import type { SessionKey } from '../sessions/session.ts';

/** A window as the window manager and the display server know it. */
export interface DesktopWindow extends PlacedWindow {
  /**
   * The process that owns the window: _NET_WM_PID checked against X-Resource under X11, `pid` of the tree under
   * sway. Null where nobody says it, or where it is of another machine.
   */
  readonly pid: number | null;
  /** X11 class, or Wayland app_id. */
  readonly appId: string | null;
  /** Null while hidden in the scratchpad. */
  readonly workspace: Workspace | null;
  readonly urgent: boolean;
}

/** All windows of one running window manager, as of its last tree. */
export interface WindowTree {
  readonly desktop: 'i3' | 'sway';
  readonly windows: readonly DesktopWindow[];
}

/** One step of the walk from a process to its window, as `tsmux explain` prints it. */
export interface Hop {
  /** `pid 4242 claude`, `/dev/pts/3`, `tmux %3 in session main`, `window 20971534` … */
  readonly at: string;
  /** How the next step was found, or why there is none. */
  readonly how: string;
}

export interface Located {
  readonly place: Place;
  readonly hops: readonly Hop[];
  /**
   * True where the window may just as well be showing another tab, or a hidden panel, and nobody tells: that it
   * has the focus then never means that the session was seen.
   */
  readonly mayBeHidden?: boolean;
  /** The process whose window it is, where the place is exact: two sways count their containers alike. */
  readonly owner?: number;
}

/** A Claude Code process to be placed. */
export interface Whereabouts {
  readonly key: SessionKey;
  /** A background session has no terminal of its own: its place is that of a `claude attach` to it. */
  readonly attachedBy: readonly number[] | null;
  /** What `claude attach` takes to show it; only used to say so. Null where it is not known. */
  readonly attachId?: string | null;
}

/** Environment by which a display is found; bar clients and commands send theirs. */
export interface DisplayEnvironment {
  readonly DISPLAY?: string;
  readonly XAUTHORITY?: string;
  readonly I3SOCK?: string;
  readonly SWAYSOCK?: string;
}

export type Went =
  | { readonly done: true }
  | { readonly done: false; readonly why: string; readonly hint: string };

/** A key for the session's very pane, sent only while that shows what it showed when it was read. */
export interface KeyPress {
  /** What is answered by it, `[a-z0-9-]`: one key is sent for it, however often it is asked for. */
  readonly mark: string;
  /** `1` to `9` */
  readonly key: string;
  /** Lines that the pane must show, each whole but for blanks at its end. The last ones say most. */
  readonly lines: readonly string[];
}

/** `failed`: nobody answered; whether the key was sent is not known. */
export type Sent = 'sent' | 'refused' | 'failed';

export interface Desktop {
  /** Starts looking for window managers; never fails for want of one, and finds one that comes later. */
  start(): Promise<void>;
  stop(): Promise<void>;
  learn(environment: DisplayEnvironment): void;
  /** Called when a place or the focus may have changed: windows, workspaces, panes, a WM that came or went. */
  subscribe(listener: () => void): () => void;
  locate(whereabouts: Whereabouts): Promise<Located>;
  /** Focuses the window by container id, and shows the pane in it. */
  go(whereabouts: Whereabouts): Promise<Went>;
  /** The window that has the focus, whose ever it is: of this desktop, where two run. Null where none has. */
  focused(desktop: WindowRef['desktop'] | null): Promise<WindowRef | null>;
  /** It is there, as far as is known, and has not the focus. */
  isOpen(window: WindowRef): boolean;
  focus(window: WindowRef): Promise<Went>;
  /** The text on the session's screen; null where its pane has no way to tell (only tmux and kitty have one). */
  readScreen(whereabouts: Whereabouts): Promise<string | null>;
  /** `refused` also where there is no such pane. Never goes to a window that only has the focus. */
  sendKey(whereabouts: Whereabouts, press: KeyPress): Promise<Sent>;
  /**
   * Marks the session's window as one that demands attention, until the mark is taken away again. While the window has
   * the focus it bears none. Never moves the focus, and never throws.
   *
   * @returns false where the window manager did not take the command, or the window was not found: nothing is kept.
   */
  setUrgent(whereabouts: Whereabouts, urgent: boolean): Promise<boolean>;
  /** The session has ended: drops what was remembered of it. */
  forget(key: SessionKey): void;
}
