/** Stops a timer before it fires. Calling it again, or later, does nothing. */
export type Cancel = () => void;

/**
 * Time, passed in wherever it matters, so that tests move it by hand.
 * `now` is the wall clock and may jump (suspend, NTP); deadlines that a user set are compared with it.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Runs `run` once, `ms` milliseconds from now. Does not keep the process alive. */
  after(ms: number, run: () => void): Cancel;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms`. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
