import { readFileSync } from 'node:fs';

/** A clock that was set by less is not noticed, ms: more than what a reading leaves away, and than it is late. */
const NOTICED = 50;

/** So many readings are enough to have one of the nearest. */
const READINGS = 100;

/**
 * When the machine was started, ms since the epoch, by a clock that says `now`. /proc/uptime (proc(5)) has hundredths
 * of a second, so what follows from it is up to 10 ms late, each time differently. The earliest is kept, which is the
 * nearest: times that are reckoned from it keep their order. After some readings it is only read again when the clock
 * was set, or the machine has slept.
 *
 * @param uptime s since the boot.
 * @param monotonic ms that the machine was awake, since whenever.
 */
export function createBootTime(
  uptime = readUptime,
  monotonic = () => performance.now(),
): (now: number) => number {
  let earliest = Number.POSITIVE_INFINITY;
  let readings = 0;
  let clock = 0;
  return (now) => {
    const ahead = now - monotonic();
    if (Math.abs(ahead - clock) > NOTICED) {
      clock = ahead;
      readings = 0;
    }
    if (readings >= READINGS) return earliest;
    readings += 1;
    const seen = Math.round(now - uptime() * 1000);
    if (seen < earliest || seen > earliest + NOTICED) earliest = seen;
    return earliest;
  };
}

/** s. */
function readUptime(): number {
  return Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
}
