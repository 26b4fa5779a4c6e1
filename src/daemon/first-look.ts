import type { Desktop } from '../desktop/desktop.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';

/** From the daemon's start, ms. */
const PATIENCE = 2_000;

/**
 * Starts to look at the desktop. What is found there is told when it is found; only who wants to go somewhere waits for
 * it, as the command that has just started this daemon does.
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
