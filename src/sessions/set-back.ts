import type { Facts } from './facts.ts';
import type { Observation } from './observation.ts';

/**
 * When the clock is set back, what was stamped before that would be newer than all that comes, until the clock has
 * caught up. So no fact counts as later than now, and what is held goes back with the clock: its order and ages stay.
 */

/** So far apart are two readers of one clock, and so much is it corrected all the time, ms. */
const tolerance = 1000;

export const isLater = (time: number, now: number): boolean => time > now + tolerance;

/** ms. Of a thousand facts within one millisecond none is told of as later than that. */
const instant = 1 / 1024;

/** Now, or so much later that it comes after the fact before, though both are of one millisecond. */
export const nextAfter = (before: number | null, now: number): number =>
  before === null || isLater(before, now) ? now : Math.max(now, before + instant);

/** The fact, now at the latest. A session file that was not written since keeps the time that it had before. */
export function notLater(seen: Observation, now: number, { level }: Facts): Observation {
  const at = isLater(seen.at, now) ? now : seen.at;
  if (seen.type !== 'session-file' || seen.statusAt === null) return at === seen.at ? seen : { ...seen, at };
  const written = seen.statusAt;
  const isKnown = level !== null && written === (level.written ?? level.statusAt);
  const statusAt = isKnown ? level.statusAt : isLater(written, now) ? now : written;
  return statusAt === written ? { ...seen, at } : { ...seen, at, statusAt, written };
}

/** All that is held, as if the clock had been `by` ms behind before. */
export function setBack(facts: Facts, by: number): Facts {
  const written = facts.level?.written ?? facts.level?.statusAt ?? null;
  const held =
    written === null || facts.level === null ? facts : { ...facts, level: { ...facts.level, written } };
  return mapTimes(held, (time) => Math.max(0, time - by));
}

/** The newest time in what is held. */
export function newestTime(facts: Facts): number {
  let newest = 0;
  mapTimes(facts, (time) => {
    newest = Math.max(newest, time);
    return time;
  });
  return newest;
}

/** Facts are plain JSON, and times bear no other names in there. */
const isTime = (name: string) => /^(at|since)$|(At|Since)$/.test(name);

function mapTimes<T>(value: T, change: (time: number) => number): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mapTimes(item, change)) as T;
  const changed = Object.entries(value).map(([name, item]) => [
    name,
    typeof item === 'number' && isTime(name) ? change(item) : mapTimes(item, change),
  ]);
  return Object.fromEntries(changed) as T;
}
