import type { Clock } from '../system/clock.ts';
import { hasProcess, isAlive } from '../system/proc.ts';
import type { Tracked } from './transcripts.ts';

/** Of the end of a process nobody tells: it is looked for. */
export interface Endings {
  /** Looks at all of them. @throws a shortage, as the others do. */
  look(): void;
  /** Costs next to nothing. A zombie, and another process with the same pid, is not noticed. */
  glance(): void;
  /** Claude Code has said goodbye: its process is there for a moment. */
  lookSoon(): void;
  /** Whether the session's process is there, as far as anybody has looked of late. */
  goesOn(session: Tracked): boolean;
  stop(): void;
}

/** After a goodbye, ms. */
const GOODBYES = [100, 500, 2000];

/**
 * Who was there so many ms ago sends its hooks still: the looks at what works are not so far apart, and another Claude
 * Code with the same pid writes a file first.
 */
const OF_LATE = 6_000;

export function createEndings(parts: {
  readonly clock: Clock;
  readonly tracked: ReadonlyMap<number, Tracked>;
  readonly gone: (session: Tracked) => void;
}): Endings {
  const { clock, tracked, gone } = parts;
  /** When each was last seen, ms since the epoch. */
  const seenAt = new WeakMap<Tracked, number>();
  let stopped = false;

  function lives(session: Tracked, isThere: typeof isAlive): boolean {
    const { pid, startTime } = session.key;
    const alive = isThere(pid, startTime);
    if (alive) seenAt.set(session, clock.now());
    return alive;
  }

  function drop(isThere: typeof isAlive): void {
    if (stopped) return;
    for (const session of [...tracked.values()]) if (!lives(session, isThere)) gone(session);
  }

  return {
    look: () => drop(isAlive),
    glance: () => drop(hasProcess),
    lookSoon() {
      for (const ms of GOODBYES) clock.after(ms, () => drop(isAlive));
    },
    goesOn: (session) =>
      Math.abs(clock.now() - (seenAt.get(session) ?? 0)) < OF_LATE || lives(session, isAlive),
    stop() {
      stopped = true;
    },
  };
}
