import type { Cancel, Clock } from '../../system/clock.ts';
import type { BarSource } from './source.ts';

const firstDelay = 100;
const longestDelay = 5_000;
/** A daemon that does not come up is not started more often than this, ms. */
const betweenStarts = 10_000;

export interface Follower {
  onLine(line: string): void;
  /** The daemon is not there; called once for each time that it went away. */
  onAway(): void;
}

/**
 * Follows a stream of the daemon for ever: starts a daemon where none runs, and comes back with growing delay. A
 * daemon that said goodbye was stopped by the user, and is not started again behind his back.
 */
export function follow(
  path: string,
  follower: Follower,
  parts: { readonly source: BarSource; readonly startDaemon: () => void; readonly clock: Clock },
): Cancel {
  const { source, startDaemon, clock } = parts;
  let ended = false;
  let away = false;
  let stopped = false;
  let delay = firstDelay;
  let lastStart = Number.NEGATIVE_INFINITY;
  let close: Cancel = () => {};
  let cancelRetry: Cancel = () => {};

  const connect = () => {
    close = source.open(
      path,
      (line) => {
        if (ended) return;
        [away, stopped, delay] = [false, false, firstDelay];
        follower.onLine(line);
      },
      (orderly) => {
        if (ended) return;
        if (orderly) stopped = true;
        if (!away) follower.onAway();
        away = true;
        if (!stopped && clock.now() - lastStart >= betweenStarts) {
          lastStart = clock.now();
          startDaemon();
        }
        cancelRetry = clock.after(delay, connect);
        delay = Math.min(delay * 2, longestDelay);
      },
    );
  };
  connect();
  return () => {
    ended = true;
    cancelRetry();
    close();
  };
}
