import type { Session, SessionId } from '../sessions/session.ts';

/** How long a finished session must be looked at, ms. */
export const LOOK = 1_000;

/** Since when each session in review is being looked at, ms since the epoch. */
export type Looks = ReadonlyMap<SessionId, number>;

export interface Looked {
  readonly looks: Looks;
  /** The sessions that have been looked at for long enough. */
  readonly seen: readonly SessionId[];
  /** In how many ms to look again when nothing changes until then; null: not at all. */
  readonly again: number | null;
}

/** Its very window has the focus, and its pane is the one shown there. Candidates are never looked at. */
export function isLookedAt(session: Session): boolean {
  const { certainty, window, pane } = session.place;
  return certainty === 'exact' && window?.focused === true && (pane === null || pane.focused);
}

/**
 * Follows the user's eyes. To be called when a place, a focus or a state changed, and when the time that the last
 * call asked for is over. A look counts from the moment when the session had finished and had the focus.
 *
 * @param locked the screen is known to be locked: nobody looks.
 */
export function look(before: Looks, sessions: readonly Session[], locked: boolean, now: number): Looked {
  const looks = new Map<SessionId, number>();
  const seen: SessionId[] = [];
  let again: number | null = null;
  for (const session of sessions) {
    if (locked || session.state !== 'review' || !isLookedAt(session)) continue;
    // A clock that was set back must not make the look last longer.
    const since = Math.min(before.get(session.id) ?? now, now);
    looks.set(session.id, since);
    const left = since + LOOK - now;
    if (left <= 0) seen.push(session.id);
    else again = Math.min(again ?? left, left);
  }
  return { looks, seen, again };
}
