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
  /**
   * For what can wait: as `after`, but together with all else that can, so that a machine at rest is woken once for all
   * of it, and no more often than every 20 s. `ms` is taken as so many times 20 s, at least one; the first of them has
   * begun already.
   */
  around(ms: number, run: () => void): Cancel;
}

/** ms. */
const BEAT = 20_000;

/** One timer for all that can wait; none while nothing does. */
function createBeat(): Clock['around'] {
  const waiting = new Set<{ beats: number; readonly run: () => void }>();
  let timer: NodeJS.Timeout | null = null;

  function plan(): void {
    if (timer === null && waiting.size > 0) timer = setTimeout(beat, BEAT).unref();
  }

  function beat(): void {
    timer = null;
    for (const one of waiting) one.beats -= 1;
    const due = [...waiting].filter(({ beats }) => beats <= 0);
    for (const one of due) waiting.delete(one);
    plan();
    for (const { run } of due) run();
    plan();
  }

  return (ms, run) => {
    const one = { beats: Math.max(1, Math.round(ms / BEAT)), run };
    waiting.add(one);
    plan();
    return () => waiting.delete(one);
  };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
  around: createBeat(),
};

/** Resolves after `ms`. */
export function pause(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}
