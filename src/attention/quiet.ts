/** The do-not-disturb time, by the wall clock, which may sleep, jump and be set back. */
export interface QuietTime {
  /** Its end, ms since the epoch. */
  readonly until: number;
  /** When it was last known how much of it was left, ms since the epoch. */
  readonly checkedAt: number;
}

const MINUTE = 60_000;
/** A day: a longer one is a mistake in the unit, or something that should be configured away. */
export const LONGEST_QUIET = 24 * 60;

/** @param minutes 1 to `LONGEST_QUIET`. */
export function startQuiet(minutes: number, now: number): QuietTime {
  return { until: now + minutes * MINUTE, checkedAt: now };
}

/**
 * How much is left of it, as another quiet time; null when it is over. A machine that slept past the end wakes up to
 * no quiet. A clock that was set back makes it no longer than it was when last looked at.
 */
export function checkQuiet(quiet: QuietTime | null, now: number): QuietTime | null {
  if (quiet === null) return null;
  const left = Math.min(quiet.until - now, quiet.until - quiet.checkedAt);
  return left > 0 ? { until: now + left, checkedAt: now } : null;
}
