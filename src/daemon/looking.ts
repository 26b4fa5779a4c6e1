import { type Looks, look } from '../attention/seen.ts';
import type { Observe } from '../sessions/observation.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session, SessionId } from '../sessions/session.ts';
import type { Cancel, Clock } from '../system/clock.ts';
import type { Snapshots } from './snapshots.ts';

/** How often to look whether a screen that is locked is so still, ms. */
const LOCKED_LOOK = 20_000;

/**
 * Makes a session that has finished a seen one when its user has looked at it.
 *
 * @param parts.isLocked asked only when a session is about to count as seen.
 * @returns ends it.
 */
export function followEyes(parts: {
  readonly clock: Clock;
  readonly snapshots: Snapshots;
  readonly registry: Registry;
  readonly observe: Observe;
  readonly factTime: () => number;
  readonly isLocked: () => Promise<boolean>;
  readonly mayBeHidden: (id: SessionId) => boolean;
}): () => void {
  const { clock, snapshots, registry } = parts;
  let looks: Looks = new Map();
  let again: Cancel | null = null;

  function visible(): readonly Session[] {
    return snapshots.current().sessions.filter(({ id }) => !parts.mayBeHidden(id));
  }

  function follow(): void {
    again?.();
    const looked = look(looks, visible(), false, clock.now());
    looks = looked.looks;
    again = looked.again === null ? null : clock.after(looked.again, follow);
    if (looked.seen.length > 0) void confirm();
  }

  async function confirm(): Promise<void> {
    const locked = await parts.isLocked();
    const now = clock.now();
    const looked = look(looks, visible(), locked, now);
    looks = looked.looks;
    for (const id of looked.seen) {
      const key = registry.keyOf(id);
      if (key !== undefined) parts.observe(key, { type: 'seen', at: parts.factTime() });
    }
    // Nobody tells when the screen is unlocked.
    if (locked) again ??= clock.around(LOCKED_LOOK, follow);
  }

  const unsubscribe = snapshots.subscribe(follow);
  return () => {
    again?.();
    unsubscribe();
  };
}
