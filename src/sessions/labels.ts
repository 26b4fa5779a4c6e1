import type { Session, SessionId } from './session.ts';

/** Longest label, in characters: a label is for a bar. */
const longest = 40;

/** Why `label` cannot be given to the session, in words for the user; null when it can. */
export function labelProblem(label: string, sessions: readonly Session[], id: SessionId): string | null {
  if (label.trim() === '') return 'a label needs at least one letter';
  if (label !== label.trim()) return 'a label neither begins nor ends with a blank';
  if ([...label].length > longest) return `a label has at most ${longest} characters`;
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(label)) return 'a label holds no control characters';
  if (/^\d+$/.test(label)) return 'a label is not all digits: those are keys of options';
  if (label.startsWith('pid:')) return 'pid:N names a process';
  const taken = sessions.find((other) => other.id !== id && (other.label === label || other.id === label));
  return taken === undefined ? null : `the session ${taken.id} has that name already`;
}

/**
 * What each session is called where space is short: its label, else its name; where two would show the same, the
 * branch is added, then the workspace, then the id.
 */
export function displayNames(sessions: readonly Session[]): ReadonlyMap<SessionId, string> {
  const additions: readonly ((session: Session) => string | null)[] = [
    (session) => session.branch,
    (session) => session.place.workspace?.name ?? null,
    (session) => session.id,
  ];
  const names = new Map(sessions.map((session) => [session.id, session.label ?? session.name]));
  for (const addition of additions) {
    if (new Set(names.values()).size === sessions.length) break;
    for (const alike of groupByName(sessions, names)) {
      // An addition that is the same for all of them tells nothing apart.
      if (alike.length < 2 || new Set(alike.map(addition)).size < 2) continue;
      for (const session of alike) {
        const added = session.label === null ? addition(session) : null;
        if (added !== null) names.set(session.id, `${names.get(session.id)} ${added}`);
      }
    }
  }
  return names;
}

function groupByName(
  sessions: readonly Session[],
  names: ReadonlyMap<SessionId, string>,
): Iterable<readonly Session[]> {
  const groups = new Map<string | undefined, Session[]>();
  for (const session of sessions) {
    const name = names.get(session.id);
    groups.set(name, [...(groups.get(name) ?? []), session]);
  }
  return groups.values();
}

export type Match =
  | { readonly found: Session }
  | { readonly found: null; readonly candidates: readonly Session[] };

/**
 * SESSION of the command line: an id, a label, a unique part of a label or name, or `pid:N`. A whole name is not taken
 * for a part of another.
 */
export function matchSession(query: string, sessions: readonly Session[]): Match {
  const exact =
    sessions.find((session) => session.id === query || session.label === query) ??
    sessions.find((session) => query === `pid:${session.pid}`);
  if (exact !== undefined) return { found: exact };
  // What a script says whose variable is not set is a part of every name.
  if (query.trim() === '') return { found: null, candidates: [] };
  const [named, ...alike] = sessions.filter((session) => session.name === query);
  if (named !== undefined && alike.length === 0) return { found: named };
  const wanted = query.toLowerCase();
  const candidates = sessions.filter((session) =>
    [session.label, session.name].some((name) => name?.toLowerCase().includes(wanted)),
  );
  const [only] = candidates;
  return candidates.length === 1 && only !== undefined ? { found: only } : { found: null, candidates };
}
