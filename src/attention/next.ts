import type { Session, SessionId } from '../sessions/session.ts';
import { byUrgency, needsUser } from './order.ts';

/** The sessions that the user left by `tsmux next`, newest last. */
export type Trail = readonly SessionId[];

export interface Step {
  /** Null: nobody needs the user, or there is no way back. */
  readonly to: SessionId | null;
  readonly trail: Trail;
}

/** Longer ways back are forgotten: nobody remembers them either. */
const LONGEST_TRAIL = 32;

/**
 * Where `tsmux next` goes: to the most urgent session that needs the user, or, when the user is at one of those
 * already, to the one after it, and from the last to the first again.
 *
 * @param here the session whose window has the focus; null when it is none of them.
 */
export function forward(sessions: readonly Session[], here: SessionId | null, trail: Trail): Step {
  const waiting = byUrgency(sessions).filter(needsUser);
  const at = waiting.findIndex((session) => session.id === here);
  const to = waiting[(at + 1) % waiting.length]?.id ?? null;
  if (to === null || here === null || to === here) return { to, trail };
  return { to, trail: [...trail, here].slice(-LONGEST_TRAIL) };
}

/** Where `tsmux next --back` goes: to the session that the user left last and that still runs. */
export function back(sessions: readonly Session[], here: SessionId | null, trail: Trail): Step {
  const running = new Set(sessions.map((session) => session.id));
  const at = trail.findLastIndex((id) => running.has(id) && id !== here);
  return { to: trail[at] ?? null, trail: at < 0 ? [] : trail.slice(0, at) };
}
