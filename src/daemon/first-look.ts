import type { Desktop } from '../desktop/desktop.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';

/** From the daemon's start, ms: who wants to go somewhere. */
const PATIENCE = 2_000;
/** From when the sessions are known, ms: who wants to read where they are. */
const SHORT_PATIENCE = 400;

/**
 * Starts to look at the desktop. What is found there is told when it is found; only who wants to go somewhere, or to read
 * where sessions are, waits for it, as the command that has just started this daemon does.
 *
 * @returns resolves when the desktop has been looked at, or that takes too long. Never rejects.
 */
export function firstLook(parts: {
  readonly desktop: Pick<Desktop, 'start'>;
  readonly clock: Clock;
  readonly log: Log;
}): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = parts.clock.after(PATIENCE, resolve);
    const looked = parts.desktop.start().catch((error: unknown) => {
      parts.log.error({ error: String(error) }, 'the desktop could not be looked at');
    });
    void looked.then(() => {
      giveUp();
      resolve();
    });
  });
}

/**
 * @param parts.placed resolves when no place is looked for any more.
 * @returns resolves when the first sessions have their places, or that takes too long. Never rejects, and never waits again.
 */
export function firstPlaces(parts: {
  readonly clock: Clock;
  /** The sessions are known. */
  readonly ready: Promise<void>;
  readonly looked: Promise<void>;
  readonly placed: () => Promise<void>;
}): Promise<void> {
  return new Promise((resolve) => {
    const begin = async (): Promise<void> => {
      await parts.ready;
      const giveUp = parts.clock.after(SHORT_PATIENCE, resolve);
      await parts.looked;
      await parts.placed();
      giveUp();
    };
    // A daemon whose sources cannot be read answers nobody.
    begin().then(resolve, resolve);
  });
}
