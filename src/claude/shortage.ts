import type { Cancel, Clock } from '../system/clock.ts';
import { isShortage } from '../system/error-code.ts';
import type { Log } from '../system/log.ts';
import { type WatchOptions, watchDirectory } from '../system/watch.ts';

/**
 * What cannot be read for want of file descriptors says nothing of any session: none is gone by it, and none has gone
 * on. Everything stands as it was, and is read again.
 */
export interface Shortages {
  /** Whether everything must be read, and not only what has changed since. */
  missed(): boolean;
  /** Everything was read. */
  over(): void;
  /** What it gives; undefined where a shortage has broken it off. */
  attempt<T>(look: () => T): T | undefined;
  /** Those that attempt what they set off. */
  readonly clock: Clock;
  readonly watch: typeof watchDirectory;
  stop(): void;
}

/** ms. */
const AGAIN = 1_000;

export function createShortages(parts: {
  readonly clock: Clock;
  readonly log: Log;
  /** Reads everything, and tells `over` at its end. */
  readonly readAll: () => void;
}): Shortages {
  const { clock, log } = parts;
  let again: Cancel | null = null;

  function attempt<T>(look: () => T): T | undefined {
    try {
      return look();
    } catch (error) {
      if (!isShortage(error)) throw error;
      if (again === null) log.warn({ error: String(error) }, 'Claude Code cannot be looked at for now');
      again?.();
      again = clock.after(AGAIN, () => attempt(parts.readAll));
      return undefined;
    }
  }

  return {
    missed: () => again !== null,
    over() {
      if (again === null) return;
      again();
      again = null;
      log.info({}, 'Claude Code can be looked at again');
    },
    attempt,
    clock: {
      now: () => clock.now(),
      after: (ms, run) => clock.after(ms, () => attempt(run)),
      around: (ms, run) => clock.around(ms, () => attempt(run)),
    },
    watch: (path, { changed, ...rest }: WatchOptions) =>
      watchDirectory(path, { ...rest, changed: (name) => attempt(() => changed(name)) }),
    stop: () => again?.(),
  };
}
