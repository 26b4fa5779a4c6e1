import type { Cancel, Clock } from '../../src/system/clock.ts';

export interface ManualClock extends Clock {
  /** Lets so many ms pass, and runs what was due, in order. */
  pass(ms: number): void;
  /** Sets the wall clock forward or back, as sleep and NTP do: no timer counts that. */
  jump(ms: number): void;
  /** When each timer that is set will fire, ms from now. */
  timers(): number[];
}

/** A clock that moves only when told. */
export function manualClock(start = 1_000_000): ManualClock {
  let now = start;
  let jumped = 0;
  let timers: { readonly at: number; readonly run: () => void }[] = [];

  function after(ms: number, run: () => void): Cancel {
    const timer = { at: now + ms, run };
    timers = [...timers, timer].sort((a, b) => a.at - b.at);
    return () => {
      timers = timers.filter((other) => other !== timer);
    };
  }

  return {
    now: () => now + jumped,
    after,
    around: after,
    pass(ms) {
      const until = now + ms;
      for (let next = timers[0]; next !== undefined && next.at <= until; next = timers[0]) {
        now = next.at;
        timers = timers.slice(1);
        next.run();
      }
      now = until;
    },
    jump(ms) {
      jumped += ms;
    },
    timers: () => timers.map((timer) => timer.at - now),
  };
}
