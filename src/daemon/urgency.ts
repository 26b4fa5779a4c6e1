import type { Desktop, Whereabouts } from '../desktop/desktop.ts';
import type { PlacedWindow } from '../sessions/place.ts';
import type { Session, SessionId } from '../sessions/session.ts';
import type { Snapshots } from './snapshots.ts';

/**
 * Marks the window of a session urgent for as long as it needs input, so that i3 and sway light up its workspace. Both
 * take the mark away when the window gets the focus, and it is set again when the user has left without an answer.
 *
 * @returns ends it, and takes back what it has marked.
 */
export function markUrgent(parts: {
  readonly snapshots: Snapshots;
  readonly desktop: Pick<Desktop, 'setUrgent'>;
  readonly isWanted: () => boolean;
  readonly whereabouts: (session: Session) => Whereabouts | null;
}): () => Promise<void> {
  /** The windows that are marked, by whom; as a text, since a place is made anew each time. */
  const marked = new Map<SessionId, { readonly window: string; readonly where: Whereabouts }>();

  function follow(): void {
    const wanted = parts.isWanted();
    const sessions = parts.snapshots.current().sessions;
    const asking = new Map(
      sessions.filter(({ state }) => wanted && state === 'needs-input').map((one) => [one.id, one]),
    );
    for (const [id, { window, where }] of marked) {
      const stillMarked = [...asking.values()].some(({ place }) => textOf(place.window) === window);
      if (asking.has(id)) continue;
      marked.delete(id);
      if (!stillMarked) void parts.desktop.setUrgent(where, false);
    }
    for (const [id, session] of asking) {
      const where = parts.whereabouts(session);
      const { certainty, window } = session.place;
      if (where === null || window === null || certainty !== 'exact') continue;
      if (window.focused) marked.delete(id);
      else if (marked.get(id)?.window !== textOf(window)) {
        marked.set(id, { window: textOf(window), where });
        void parts.desktop.setUrgent(where, true);
      }
    }
  }

  const unsubscribe = parts.snapshots.subscribe(follow);
  return async () => {
    unsubscribe();
    await Promise.all([...marked.values()].map(({ where }) => parts.desktop.setUrgent(where, false)));
  };
}

function textOf(window: PlacedWindow | null): string {
  return window === null ? '' : `${window.conId} ${window.id}`;
}
