import type { Desktop, Whereabouts } from '../desktop/desktop.ts';
import type { PlacedWindow } from '../sessions/place.ts';
import type { Session, SessionId } from '../sessions/session.ts';
import type { Snapshots } from './snapshots.ts';

/**
 * Marks the window of a session urgent for as long as it needs input, so that i3 and sway light up its workspace.
 *
 * @returns ends it, and takes back what it has marked.
 */
export function markUrgent(parts: {
  readonly snapshots: Snapshots;
  readonly desktop: Pick<Desktop, 'setUrgent'>;
  readonly isWanted: () => boolean;
  readonly whereabouts: (session: Session) => Whereabouts | null;
}): () => Promise<void> {
  /** Whose windows are marked, and which those are. */
  const marked = new Map<SessionId, { readonly window: string; readonly where: Whereabouts }>();

  function follow(): void {
    const wanted = parts.isWanted();
    const { sessions } = parts.snapshots.current();
    const asking = sessions.filter(({ state }) => wanted && state === 'needs-input');
    for (const [id, { window, where }] of marked) {
      if (asking.some((session) => session.id === id)) continue;
      marked.delete(id);
      // Another session in a pane of the same window may still ask.
      const isShared = asking.some(({ place }) => textOf(place.window) === window);
      if (!isShared) void parts.desktop.setUrgent(where, false);
    }
    for (const session of asking) {
      const { certainty, window } = session.place;
      const where = certainty === 'exact' && window !== null ? parts.whereabouts(session) : null;
      const text = textOf(window);
      if (where === null || marked.get(session.id)?.window === text) continue;
      const mark = { window: text, where };
      marked.set(session.id, mark);
      void parts.desktop.setUrgent(where, true).then((done) => {
        // Tried again with the next change.
        if (!done && marked.get(session.id) === mark) marked.delete(session.id);
      });
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
