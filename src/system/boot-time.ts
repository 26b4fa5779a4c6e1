import { readFileSync } from 'node:fs';

/** A clock that was set by less is not noticed, ms: more than what a reading leaves away, and than it is late. */
const NOTICED = 50;

/**
 * When the machine was started, ms since the epoch, by a clock that says `now`. /proc/uptime (proc(5)) has hundredths
 * of a second, so what follows from it is up to 10 ms late, each time differently. The earliest is kept, which is the
 * nearest: times that are reckoned from it keep their order.
 */
export function createBootTime(uptime: () => number = readUptime): (now: number) => number {
  let earliest = Number.POSITIVE_INFINITY;
  return (now) => {
    const seen = Math.round(now - uptime() * 1000);
    if (seen < earliest || seen > earliest + NOTICED) earliest = seen;
    return earliest;
  };
}

/** s. */
function readUptime(): number {
  return Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
}
