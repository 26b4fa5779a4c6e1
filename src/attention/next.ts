import type { WindowRef } from '../sessions/place.ts';
import type { Session, SessionId } from '../sessions/session.ts';
import { byUrgency, needsUser } from './order.ts';

/** Where the user was: at a session, or at a window that is none's. */
export type Spot = { readonly session: SessionId } | { readonly window: WindowRef };

/** What the user left by `tsmux next`, newest last. */
export type Trail = readonly Spot[];

/** Longer ways back are forgotten: nobody remembers them either. */
const LONGEST_TRAIL = 32;

/**
 * Where `tsmux next` goes: to the most urgent session that needs the user, or, when the user is at one of those
 * already, to the one after it, and from the last to the first again. Null: nobody needs the user.
 *
 * @param here the session whose window has the focus; null when it is none of them.
 */
export function forward(sessions: readonly Session[], here: SessionId | null): SessionId | null {
  const waiting = byUrgency(sessions).filter(needsUser);
  const at = waiting.findIndex((session) => session.id === here);
  return waiting[(at + 1) % waiting.length]?.id ?? null;
}

export function left(trail: Trail, spot: Spot): Trail {
  return [...trail, spot].slice(-LONGEST_TRAIL);
}

/**
 * Where `tsmux next --back` goes: to what the user left last. Null: there is no way back.
 *
 * @param isAway it is still there, and the user is not at it.
 */
export function back(
  trail: Trail,
  isAway: (spot: Spot) => boolean,
): { readonly to: Spot | null; readonly trail: Trail } {
  const at = trail.findLastIndex(isAway);
  return { to: trail[at] ?? null, trail: at < 0 ? [] : trail.slice(0, at) };
}
