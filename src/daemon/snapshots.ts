import { byUrgency } from '../attention/order.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Quiet, Session, Snapshot } from '../sessions/session.ts';
import type { Clock } from '../system/clock.ts';

/** Shortest time between two tellings, ms: ten a second are more than an eye follows. */
const SHORTEST = 100;

export interface Snapshots {
  /** How things are now, also when nobody was told yet. */
  current(): Snapshot;
  subscribe(listener: (snapshot: Snapshot) => void): () => void;
  /** Something outside of the registry changed that a snapshot tells. */
  touch(): void;
  stop(): void;
}

/**
 * Tells how things are when they changed: the first change at the end of its own tick, so that the facts of one
 * hook make one snapshot; what follows within 100 ms is told together when they are over.
 */
export function createSnapshots(parts: {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly quiet: () => Quiet;
  readonly notice: () => string | null;
  /** A session as everybody is shown it. */
  readonly marked: (session: Session) => Session;
}): Snapshots {
  const listeners = new Set<(snapshot: Snapshot) => void>();
  let known: Snapshot | null = null;
  let toldAt = Number.NEGATIVE_INFINITY;
  let phase: 'resting' | 'due' | 'stopped' = 'resting';

  function current(): Snapshot {
    known ??= {
      quiet: parts.quiet(),
      sessions: byUrgency(parts.registry.all()).map(parts.marked),
      notice: parts.notice(),
    };
    return known;
  }

  function tell(): void {
    if (phase === 'stopped') return;
    phase = 'resting';
    toldAt = parts.clock.now();
    for (const listener of [...listeners]) listener(current());
  }

  function touch(): void {
    known = null;
    if (phase !== 'resting') return;
    phase = 'due';
    const passed = parts.clock.now() - toldAt;
    // A clock that was set back has passed no time that is known.
    if (passed >= SHORTEST || passed < 0) queueMicrotask(tell);
    else parts.clock.after(SHORTEST - passed, tell);
  }

  const unsubscribe = parts.registry.subscribe(touch);
  return {
    current,
    touch,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop() {
      phase = 'stopped';
      unsubscribe();
    },
  };
}
