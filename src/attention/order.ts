import type { Session, State } from '../sessions/session.ts';

const URGENCY: Readonly<Record<State, number>> = {
  'needs-input': 0,
  review: 1,
  busy: 2,
  idle: 3,
  unknown: 4,
};

/** The two states in which a session has something for the user. */
export function needsUser(session: Session): boolean {
  return session.state === 'needs-input' || session.state === 'review';
}

/**
 * Most urgent first. Sessions that need the user stand by how long they have waited, oldest first; the others in
 * the order in which they started, so that a list does not jump about while they work.
 */
export function byUrgency(sessions: readonly Session[]): readonly Session[] {
  return sessions.toSorted(
    (a, b) =>
      URGENCY[a.state] - URGENCY[b.state] ||
      (needsUser(a) ? a.since - b.since : 0) ||
      a.startedAt - b.startedAt ||
      (a.id < b.id ? -1 : 1),
  );
}
