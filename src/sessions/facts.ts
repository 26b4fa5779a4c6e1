import type {
  BackgroundCounted,
  Labelled,
  Placed,
  PortsRead,
  ProcessSeen,
  SessionFileRead,
  TranscriptRead,
  TurnEnded,
} from './observation.ts';
import type { AskedPrompt, Option, PromptId } from './prompt.ts';
import type { SessionKey, State, Tool } from './session.ts';

/**
 * What is known of one session: the newest fact of each source, and the few edges around now. Everything in here
 * is chosen by the time of the fact at its source, so that the same facts in another order give the same `Facts`.
 * Plain JSON: it is what the daemon keeps over a restart.
 */
export interface Facts {
  readonly key: SessionKey;
  readonly process: ProcessSeen | null;
  /** When the session was first heard of: what finished before that is not news to anybody. */
  readonly knownSince: number | null;
  readonly goneAt: number | null;

  /** How the session file says things are; null while there is none, or none with a status. */
  readonly level: SessionFileRead | null;
  /** Newest `statusAt` with which the file said busy. */
  readonly levelBusyAt: number | null;
  /** Newest `statusAt` with which the file said waiting. */
  readonly levelWaitingAt: number | null;
  /** Newest `statusAt` with which the file said idle or shell. */
  readonly levelIdleAt: number | null;

  readonly starts: readonly TurnStart[];
  readonly ends: readonly TurnEnd[];
  /** Newest time at which a turn was queued behind the one that ran. */
  readonly queuedAt: number | null;
  /** Newest time at which the user ran a command that is no turn. */
  readonly commandAt: number | null;
  readonly toolStarts: readonly ToolStart[];
  readonly toolEnds: readonly ToolEnd[];
  readonly agentStops: readonly { readonly at: number; readonly agent: string }[];
  /** Counted by a hook; or nothing, as an idle file says. */
  readonly background: Pick<BackgroundCounted, 'at' | 'agents' | 'shells'> | null;
  /** Newest time at which any hook of this session ran: without one, a finished turn is known by its file only. */
  readonly hooksAt: number | null;
  /** Newest `agent_needs_input`, which makes "dialog open" a prompt. */
  readonly needsInputAt: number | null;
  readonly prompts: readonly PromptFacts[];

  readonly compactingAt: number | null;
  readonly compactedAt: number | null;
  readonly session: { readonly at: number; readonly sessionId: string } | null;
  readonly userName: { readonly at: number; readonly name: string | null } | null;
  readonly mode: { readonly at: number; readonly permissionMode: string } | null;
  readonly lastMessage: { readonly at: number; readonly text: string } | null;
  readonly transcript: TranscriptRead | null;
  readonly seenAt: number | null;
  readonly ports: PortsRead | null;
  readonly placed: Placed | null;
  readonly label: Labelled | null;
  /** The state of before a restart of the daemon, until a source says how things are now. */
  readonly restored: Restored | null;
}

export interface TurnStart {
  readonly at: number;
  readonly promptId: string | null;
  readonly by: 'user' | 'task';
  /** A hook told of it: then a hook will tell of its end too, unless it is interrupted. */
  readonly hooked: boolean;
}

export interface TurnEnd {
  readonly at: number;
  readonly promptId: string | null;
  readonly source: TurnEnded['source'];
  readonly how: TurnEnded['how'] | 'renewed';
  readonly reason: string | null;
  /** Sub-agents that it left running: they are reported in a turn of their own. */
  readonly agents: number;
}

export interface ToolStart {
  readonly at: number;
  readonly toolUseId: string | null;
  readonly agent: string | null;
  readonly tool: Tool;
  readonly inputKey: string | null;
}

export interface ToolEnd {
  readonly at: number;
  readonly toolUseId: string | null;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly inputKey: string | null;
}

/** A prompt as the fold keeps it; the settled ones are kept for a while, so that a late answer can be told so. */
export interface PromptFacts {
  readonly id: PromptId;
  /** When it was first heard of. */
  readonly at: number;
  readonly agent: string | null;
  /** What Claude Code itself says of it; null while only the session file or a nudge tells of it. */
  readonly asked: AskedPrompt | null;
  /** The time of the hook that told so: it may be told twice. */
  readonly askedAt: number | null;
  /** `waitingFor` of the file, for what the file alone tells of. */
  readonly waitingFor: string | null;
  /** The `statusAt` of the waiting under which its dialog is on screen; null while it was never seen so. */
  readonly levelAt: number | null;
  /** The options that can be answered through the hook's hold. */
  readonly held: OptionsTold | null;
  /** The options on its screen. */
  readonly dialog: OptionsTold | null;
  readonly retiredAt: number | null;
}

export interface OptionsTold {
  readonly at: number;
  /** Null: no longer, or not readable. */
  readonly options: readonly Option[] | null;
}

export interface Restored {
  /** When it was saved. */
  readonly at: number;
  readonly state: State;
  readonly since: number;
  readonly reason: string | null;
}

export function noFacts(key: SessionKey): Facts {
  return {
    key,
    process: null,
    knownSince: null,
    goneAt: null,
    level: null,
    levelBusyAt: null,
    levelWaitingAt: null,
    levelIdleAt: null,
    starts: [],
    ends: [],
    queuedAt: null,
    commandAt: null,
    toolStarts: [],
    toolEnds: [],
    agentStops: [],
    background: null,
    hooksAt: null,
    needsInputAt: null,
    prompts: [],
    compactingAt: null,
    compactedAt: null,
    session: null,
    userName: null,
    mode: null,
    lastMessage: null,
    transcript: null,
    seenAt: null,
    ports: null,
    placed: null,
    label: null,
    restored: null,
  };
}

/** How many edges of a kind are kept: those around now decide, older ones were folded in already. */
const kept = 12;

/** Adds an edge, newest first, and drops the oldest; the same edge twice is one. */
export function withEdge<T extends { readonly at: number }>(edges: readonly T[], edge: T): readonly T[] {
  const text = JSON.stringify(edge);
  if (edges.some((known) => known.at === edge.at && JSON.stringify(known) === text)) return edges;
  return [...edges, edge].sort(newestFirst).slice(0, kept);
}

function newestFirst(a: { readonly at: number }, b: { readonly at: number }): number {
  if (a.at !== b.at) return b.at - a.at;
  // Facts of the same millisecond must not depend on the order of arrival.
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** The newer of two facts of one kind. At the same time the one of greater text, whichever came first. */
export function newer<T extends { readonly at: number }>(known: T | null, fact: T): T {
  if (known === null || fact.at > known.at) return fact;
  return fact.at === known.at && JSON.stringify(fact) > JSON.stringify(known) ? fact : known;
}

export function latest(...times: readonly (number | null)[]): number | null {
  return times.reduce<number | null>((a, b) => (a === null ? b : b === null ? a : Math.max(a, b)), null);
}
