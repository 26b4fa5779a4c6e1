import type { Session, State } from '../sessions/session.ts';
import { byUrgency } from './order.ts';

/** The sessions of one workspace, and what they come to. */
export interface Badge {
  readonly workspace: string;
  /** The most urgent state of all of them. */
  readonly state: State;
  /** Most urgent first; at least one. */
  readonly sessions: readonly [Session, ...Session[]];
}

/**
 * One badge for each workspace that sessions are on, most urgent first, and the sessions whose workspace is not
 * known. i3 and sway can run beside each other: workspaces of the same name are told apart by them.
 */
export function badges(sessions: readonly Session[]): {
  readonly badges: readonly Badge[];
  readonly elsewhere: readonly Session[];
} {
  const groups = new Map<string, { workspace: string; sessions: [Session, ...Session[]] }>();
  const elsewhere: Session[] = [];
  for (const session of byUrgency(sessions)) {
    const { workspace, desktop } = session.place;
    if (workspace === null) {
      elsewhere.push(session);
      continue;
    }
    const key = `${desktop} ${workspace.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { workspace: workspace.name, sessions: [session] });
    else group.sessions.push(session);
  }
  return {
    badges: [...groups.values()].map((group) => ({ ...group, state: group.sessions[0].state })),
    elsewhere,
  };
}
