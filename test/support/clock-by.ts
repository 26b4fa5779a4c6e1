import { type Clock, systemClock } from '../../src/system/clock.ts';

/** The system's time with other timers: what can wait waits no longer than the rest. */
export function clockBy(after: Clock['after']): Clock {
  return { now: systemClock.now, after, around: after };
}
