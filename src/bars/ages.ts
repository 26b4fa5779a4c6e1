import type { Session, Snapshot } from '../sessions/session.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** For how long the session has been busy or in review: `2m`, `3h`, `2d`; nothing for less than a minute. */
export function ageOf(session: Session, now: number): string {
  if (!showsAge(session)) return '';
  const age = now - session.since;
  if (age < minute) return '';
  if (age < hour) return `${Math.floor(age / minute)}m`;
  return age < day ? `${Math.floor(age / hour)}h` : `${Math.floor(age / day)}d`;
}

/** Minutes that are left, the one that has begun counted. */
export function minutesLeft(until: number, now: number): number {
  return Math.ceil((until - now) / minute);
}

/**
 * When the text changes by time alone, ms since the epoch; null when nothing on the bar shows a time, so that a
 * quiet bar needs no timer.
 */
export function nextChange(snapshot: Snapshot, now: number): number | null {
  const changes = snapshot.sessions.filter(showsAge).map((session) => nextAge(session.since, now));
  const { until } = snapshot.quiet;
  if (until !== null && until > now) changes.push(until - (minutesLeft(until, now) - 1) * minute);
  return changes.length === 0 ? null : Math.min(...changes);
}

function showsAge(session: Session): boolean {
  return session.state === 'review' || session.state === 'busy';
}

function nextAge(since: number, now: number): number {
  const age = Math.max(0, now - since);
  const unit = age < hour ? minute : age < day ? hour : day;
  return since + (Math.floor(age / unit) + 1) * unit;
}
