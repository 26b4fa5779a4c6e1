import type { ClickMap } from '../config/schema.ts';
import type { Session, SessionId } from '../sessions/session.ts';
import type { Block } from './block.ts';
import type { Theme } from './theme.ts';

/** What a bar is given to show at one moment. */
export interface View {
  readonly blocks: readonly Block[];
  readonly theme: Theme;
  /** The sessions that are on this bar, also those that have no block of their own. */
  readonly sessions: readonly Session[];
  readonly names: ReadonlyMap<SessionId, string>;
  readonly clicks: ClickMap;
  /** Absolute paths: what starts tsmux, for actions that are commands. */
  readonly program: readonly string[];
  /** On which side of these the wrapped program's blocks go. */
  readonly wrapped: 'left' | 'right';
}

/** One bar protocol. */
export interface BarKind {
  /**
   * One line without its newline, in parts: between two of them stands the line's number, by which a click tells
   * what had been on screen.
   */
  render(view: View): readonly string[];
}
