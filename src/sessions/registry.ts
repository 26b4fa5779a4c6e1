import { isDeepStrictEqual } from 'node:util';
import { describe } from './describe.ts';
import { type Facts, noFacts } from './facts.ts';
import { sessionIdOf } from './ids.ts';
import type { Observation } from './observation.ts';
import { observe } from './observe.ts';
import type { AskedPrompt, PromptId } from './prompt.ts';
import { labelsKept, remember, toSave } from './saved.ts';
import type { Session, SessionId, SessionKey } from './session.ts';
import { isLater, newestTime, notLater, setBack } from './set-back.ts';

/** What changed for everybody who looks at sessions. */
export type Change =
  | { readonly type: 'session'; readonly session: Session; readonly before: Session | null }
  | { readonly type: 'gone'; readonly session: Session; readonly key: SessionKey };

/** The set of running sessions. Changes are told synchronously, one call for one observation that changed something. */
export interface Registry {
  observe(key: SessionKey, observation: Observation): void;
  /** In the order in which the sessions started. */
  all(): readonly Session[];
  find(id: SessionId): Session | undefined;
  keyOf(id: SessionId): SessionKey | undefined;
  /** What Claude Code itself said of a prompt, uncut while it is open; also of one that was settled a while ago. */
  asked(id: PromptId): AskedPrompt | null;
  /** Its dialog is on the screen, as far as the session file tells. */
  isDrawn(id: PromptId): boolean;
  subscribe(listener: (change: Change) => void): () => void;
  /** JSON that `createRegistry` takes back after a restart of the daemon. */
  save(now: number): unknown;
}

interface Entry {
  facts: Facts;
  session: Session | null;
}

/** Processes that ended are remembered, so that a late hook of one does not bring it back. */
const goneKept = 64;

/**
 * @param saved what `save` gave, of this or an earlier daemon. Anything else is taken for nothing: what is kept there
 *   is a convenience, the sources tell the truth.
 * @param now the clock, ms since the epoch, which may be set back; without one every time is believed.
 */
export function createRegistry(saved?: unknown, now = () => Number.POSITIVE_INFINITY): Registry {
  const entries = new Map<SessionId, Entry>();
  const gone = new Set<SessionId>();
  const labels = new Map<string, string>();
  const listeners = new Set<(change: Change) => void>();
  /** All that are shown, in their order, until one changes. */
  let shown: readonly Session[] | null = null;

  const memory = remember(saved);
  for (const [sessionId, label] of memory.labels) labels.set(sessionId, label);
  let latest = now();
  for (const kept of memory.sessions) {
    const ahead = newestTime(kept) - latest;
    const facts = ahead > 0 ? setBack(kept, ahead + 1) : kept;
    entries.set(sessionIdOf(facts.key), { facts, session: null });
  }

  const tell = (change: Change) => {
    for (const listener of listeners) listener(change);
  };

  function update(id: SessionId, entry: Entry, facts: Facts): void {
    const before = entry.session;
    entry.facts = facts;
    const after = describe(facts);
    if (isSame(before, after)) return;
    entry.session = after;
    shown = null;
    if (after !== null) tell({ type: 'session', session: after, before });
    if (facts.goneAt === null) return;
    entries.delete(id);
    shown = null;
    gone.add(id);
    for (const old of gone) if (gone.size > goneKept) gone.delete(old);
    if (before !== null) tell({ type: 'gone', session: before, key: facts.key });
  }

  /** A label follows its process, and Claude's session id into the next process that goes on with it. */
  function followLabel(entry: Entry, observation: Observation): void {
    const session = entry.session;
    if (session === null || session.sessionId === null) return;
    const { sessionId } = session;
    if (observation.type === 'labelled' && observation.label === null) labels.delete(sessionId);
    if (session.label !== null) {
      labels.delete(sessionId);
      labels.set(sessionId, session.label);
      for (const old of labels.keys()) if (labels.size > labelsKept) labels.delete(old);
      return;
    }
    const label = labels.get(sessionId);
    if (label === undefined) return;
    const taken = [...entries.values()].some((other) => other.session?.label === label);
    if (taken) return;
    const at = entry.facts.label?.at ?? 0;
    update(session.id, entry, observe(entry.facts, { type: 'labelled', at: at + 1, label }));
  }

  /** When the clock was set back, so is all that is held, and a little more: what comes now is newer. */
  function readClock(): number {
    const time = now();
    if (isLater(latest, time)) {
      const by = latest - time + 1;
      latest = time;
      for (const [id, entry] of entries) update(id, entry, setBack(entry.facts, by));
    }
    latest = Math.max(latest, time);
    return time;
  }

  function all(): readonly Session[] {
    shown ??= [...entries.values()]
      .flatMap(({ session }) => (session === null ? [] : [session]))
      .sort((a, b) => a.startedAt - b.startedAt || a.pid - b.pid);
    return shown;
  }

  const promptOf = (id: PromptId) =>
    [...entries.values()].flatMap(({ facts }) => facts.prompts).find((prompt) => prompt.id === id);

  return {
    observe(key, told) {
      const id = sessionIdOf(key);
      if (gone.has(id)) return;
      const time = readClock();
      const entry = entries.get(id) ?? { facts: noFacts(key), session: null };
      entries.set(id, entry);
      const observation = notLater(told, time, entry.facts);
      const facts = observe(entry.facts, observation);
      if (facts === entry.facts) return;
      update(id, entry, facts);
      followLabel(entry, observation);
    },
    all,
    find: (id) => entries.get(id)?.session ?? undefined,
    keyOf: (id) => entries.get(id)?.facts.key,
    asked: (id) => promptOf(id)?.asked ?? null,
    isDrawn: (id) => (promptOf(id)?.levelAt ?? null) !== null,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    save: (now) => {
      const kept = [...entries.values()].filter(({ session }) => session !== null);
      return toSave({ sessions: kept.map(({ facts }) => facts), labels: [...labels] }, now);
    },
  };
}

/** Most of what a session has is no object, or the very same one. */
function isSame(a: Session | null, b: Session | null): boolean {
  if (a === null || b === null) return a === b;
  const keys = Object.keys(b) as (keyof Session)[];
  return keys.every((key) => a[key] === b[key] || isDeepStrictEqual(a[key], b[key]));
}
