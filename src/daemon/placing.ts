import { isDeepStrictEqual } from 'node:util';
import type { Desktop, Located, Whereabouts } from '../desktop/desktop.ts';
import type { Observe } from '../sessions/observation.ts';
import { nowhere } from '../sessions/place.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session, SessionId } from '../sessions/session.ts';
import type { Cancel, Clock } from '../system/clock.ts';
import { isShortage } from '../system/error-code.ts';
import type { Log } from '../system/log.ts';

/** How often a multiplexer is asked while its window has the focus and a pane of it waits to be seen, ms. */
const PANE_LOOK = 1_000;
/** How long until what could not be looked for is looked for again, ms. */
const SHORTAGE = 1_000;

export interface Placing {
  /** Where the session is at this moment, with the way it was found. */
  locate(session: Session): Promise<Located>;
  /** Resolves when no search runs. */
  settled(): Promise<void>;
  /** Looks again for the sessions whose place changes with no word from the desktop. */
  refresh(): void;
  /** Its window may show something else, so that its focus does not mean that the session is seen. */
  mayBeHidden(id: SessionId): boolean;
  stop(): void;
}

/**
 * Keeps the place of each session true: all of them are looked for again when the desktop says that something
 * changed, a new one at once. While one search runs, any number of changes ask for one more.
 */
export function createPlacing(parts: {
  readonly clock: Clock;
  readonly log: Log;
  readonly registry: Registry;
  readonly observe: Observe;
  readonly factTime: () => number;
  readonly desktop: Desktop;
  readonly whereabouts: (session: Session) => Whereabouts | null;
  /** The window of a session is not there any more: is the process? */
  readonly windowClosed: () => void;
}): Placing {
  const { clock, registry, desktop } = parts;
  let state: 'resting' | 'searching' | 'searching, again' | 'stopped' = 'resting';
  let running = Promise.resolve();
  let paneLook: Cancel | null = null;
  let shortageOver: Cancel | null = null;
  const hidden = new Set<SessionId>();

  /** Null where it cannot be told just now, for want of descriptors. */
  async function tryToLocate(session: Session): Promise<Located | null> {
    const whereabouts = parts.whereabouts(session);
    if (whereabouts === null) return { place: nowhere('the process has ended'), hops: [] };
    try {
      return await desktop.locate(whereabouts);
    } catch (error) {
      if (isShortage(error)) return null;
      parts.log.error({ session: session.id, error: String(error) }, 'a session could not be located');
      return { place: nowhere('looking for its window failed'), hops: [] };
    }
  }

  async function locate(session: Session): Promise<Located> {
    return (await tryToLocate(session)) ?? { place: session.place, hops: [] };
  }

  async function place(session: Session): Promise<void> {
    const located = await tryToLocate(session);
    if (located === null) return searchLater();
    const { place: found, mayBeHidden } = located;
    if (mayBeHidden === true) hidden.add(session.id);
    else hidden.delete(session.id);
    const key = registry.keyOf(session.id);
    const known = registry.find(session.id)?.place;
    if (key === undefined || known === undefined || isDeepStrictEqual(known, found)) return;
    parts.observe(key, { type: 'placed', at: parts.factTime(), place: found });
    if (known.window !== null && found.window === null) parts.windowClosed();
  }

  /** Its place stands until it can be looked for again. */
  function searchLater(): void {
    shortageOver ??= clock.after(SHORTAGE, () => {
      shortageOver = null;
      search();
    });
  }

  function search(): void {
    if (state === 'searching') state = 'searching, again';
    if (state === 'resting') running = searchAll();
  }

  async function searchAll(): Promise<void> {
    do {
      state = 'searching';
      await Promise.all(registry.all().map(place));
      // An await hides from the compiler that others write to it.
    } while ((state as string) === 'searching, again');
    if ((state as string) === 'stopped') return;
    state = 'resting';
    watchPanes();
  }

  /** No window event tells that the user looks at another pane inside of his focused window. */
  function watchPanes(): void {
    paneLook?.();
    paneLook = registry.all().some(waitsInItsWindow) ? clock.after(PANE_LOOK, search) : null;
  }

  /** No window event tells either that a background session was attached to in a window that was there. */
  function refresh(): void {
    registry.all().forEach(refreshOne);
  }
  function refreshOne(session: Session): void {
    if (session.kind === 'background') void place(session);
  }

  const unsubscribe = [
    desktop.subscribe(search),
    registry.subscribe((change) => {
      if (change.type === 'gone') hidden.delete(change.session.id);
      else if (change.before === null) search();
      else if (mayHaveMoved(change.before, change.session)) refreshOne(change.session);
      else if (!waitsInItsWindow(change.before) && waitsInItsWindow(change.session)) watchPanes();
    }),
  ];
  search();

  return {
    locate,
    settled: () => running,
    refresh,
    mayBeHidden: (id) => hidden.has(id),
    stop() {
      state = 'stopped';
      paneLook?.();
      shortageOver?.();
      for (const end of unsubscribe) end();
    },
  };
}

/** It asks now, and somebody may have come to look; or it was not known before that it is a background session. */
const mayHaveMoved = (before: Session, after: Session) =>
  before.kind !== after.kind || (before.prompts.length === 0 && after.prompts.length > 0);

function waitsInItsWindow({ state, place, prompts }: Session): boolean {
  const waits =
    state === 'review' || prompts.some(({ agent, answerable }) => agent !== null && answerable === 'hook');
  return waits && place.window?.focused === true && place.pane !== null;
}
