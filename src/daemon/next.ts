import { back, forward, left, type Spot, type Trail } from '../attention/next.ts';
import { isLookedAt } from '../attention/seen.ts';
import type { Desktop } from '../desktop/desktop.ts';
import type { WindowRef } from '../sessions/place.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import { Failure } from '../system/failure.ts';

/** Goes from one session that needs the user to the next, and back to where he came from. */
export interface Next {
  /** @throws Failure when nobody needs the user, or its window cannot be had */
  on(): Promise<Session>;
  /** Null: to a window that is no session's. @throws Failure when there is no way back */
  back(): Promise<Session | null>;
}

export function createNext(parts: {
  readonly registry: Pick<Registry, 'all' | 'find'>;
  readonly desktop: Pick<Desktop, 'focused' | 'isOpen' | 'focus'>;
  readonly go: (session: Session) => Promise<void>;
}): Next {
  const { registry, desktop } = parts;
  let trail: Trail = [];

  const lookedAt = () => registry.all().find(isLookedAt);

  function isAway(spot: Spot): boolean {
    if ('window' in spot) return desktop.isOpen(spot.window);
    return registry.find(spot.session) !== undefined && spot.session !== lookedAt()?.id;
  }

  /** False for one that was closed a moment ago, of which nobody had told yet. */
  async function focus(window: WindowRef): Promise<boolean> {
    const went = await desktop.focus(window);
    if (went.done) return true;
    if (desktop.isOpen(window)) throw new Failure('cannot-go', went.why, went.hint);
    return false;
  }

  return {
    async on() {
      const here = lookedAt();
      const id = forward(registry.all(), here?.id ?? null);
      const to = id === null ? undefined : registry.find(id);
      if (to === undefined) throw new Failure('no-such-session', 'no session needs you', 'see: tsmux list');
      const window = here === undefined ? await desktop.focused(to.place.desktop) : null;
      await parts.go(to);
      if (here !== undefined && here.id !== to.id) trail = left(trail, { session: here.id });
      if (window !== null) trail = left(trail, { window });
      return to;
    },

    async back() {
      for (;;) {
        const { to, trail: rest } = back(trail, isAway);
        if (to === null) {
          throw new Failure(
            'no-such-session',
            'there is nothing to go back to',
            'go to a session with: tsmux next',
          );
        }
        const session = 'session' in to ? registry.find(to.session) : undefined;
        if (session !== undefined) await parts.go(session);
        const isThere = 'session' in to || (await focus(to.window));
        trail = rest;
        if (isThere) return session ?? null;
      }
    },
  };
}
