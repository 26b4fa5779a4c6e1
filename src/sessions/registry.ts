import type { Observation } from './observation.ts';
import type { Session, SessionId, SessionKey } from './session.ts';

/** What changed for everybody who looks at sessions. */
export type Change =
  | { readonly type: 'session'; readonly session: Session; readonly before: Session | null }
  | { readonly type: 'gone'; readonly session: Session };

/** The set of running sessions. Changes are told synchronously, one call for one observation that changed something. */
export interface Registry {
  observe(key: SessionKey, observation: Observation): void;
  /** In the order in which the sessions started. */
  all(): readonly Session[];
  find(id: SessionId): Session | undefined;
  keyOf(id: SessionId): SessionKey | undefined;
  subscribe(listener: (change: Change) => void): () => void;
  /** JSON that `createRegistry` takes back after a restart of the daemon. */
  save(): unknown;
}
