import type { HistoryEntry } from '../attention/history.ts';
import type { Option, Prompt } from '../sessions/prompt.ts';
import type { Quiet, Session, Snapshot } from '../sessions/session.ts';

/**
 * The JSON of `tsmux list --json`, version 1 (docs/api.md). Times are ISO 8601 in UTC with ms; what is not known is
 * null and never left out; fields are only ever added.
 */
export interface WireQuiet {
  readonly until: string | null;
}

export interface WirePrompt extends Omit<Prompt, 'since'> {
  readonly since: string;
}

export interface WireSession extends Omit<Session, 'since' | 'startedAt' | 'prompts'> {
  readonly since: string;
  readonly startedAt: string;
  readonly prompts: readonly WirePrompt[];
}

export interface WireSnapshot {
  readonly version: 1;
  readonly quiet: WireQuiet;
  readonly sessions: readonly WireSession[];
  /** What the user must know where there is no session to say it; null when there is nothing. */
  readonly notice: string | null;
}

/** One of `GET /v1/prompts`, and the reply of `GET /v1/prompts/{p}`, there with its whole text. */
export interface WireOpenPrompt extends WirePrompt {
  readonly session: { readonly id: string; readonly name: string };
}

/** One key, or several of one question: `1`, `1,3`. */
export const KEYS_OF_ONE = /^[a-z0-9](,[a-z0-9])*$/;

/** `POST /v1/prompts/{p}/answer`. */
export interface WireAnswer {
  /** One key for each question, `1,3` for several choices of one; for other prompts one key. */
  readonly keys: readonly string[];
  readonly text?: string | null;
  /** Only the question that is asked now. */
  readonly step?: boolean;
  /** Which of the prompt's questions the key is for, from 0. */
  readonly question?: number | null;
  /** The option as the user saw it: refused when its key has come to mean something else. */
  readonly shown?: Option | null;
}

export interface WireHistoryEntry extends Omit<HistoryEntry, 'at' | 'since'> {
  readonly at: string;
  readonly since: string;
}

/** `GET /v1/history`, oldest first. */
export interface WireHistory {
  readonly version: 1;
  readonly entries: readonly WireHistoryEntry[];
}

/** One line of `GET /v1/watch`. */
export type WireEvent =
  | ({ readonly type: 'snapshot' } & WireSnapshot)
  | { readonly type: 'session'; readonly session: WireSession }
  | { readonly type: 'gone'; readonly id: string }
  | ({ readonly type: 'quiet' } & WireQuiet)
  | { readonly type: 'notice'; readonly notice: string | null };

/** `GET /v1/health`. */
export interface WireHealth {
  readonly version: string;
  readonly pid: number;
  /** A service manager keeps the daemon: it starts the next one by itself. */
  readonly supervised: boolean;
  readonly startedAt: string;
  readonly sessions: number;
  /** Why the state is kept in memory only; null when it is saved. */
  readonly trouble: string | null;
}

/** The request headers by which the daemon learns of a desktop: `env-display: %3A0`, percent-encoded. */
export const ENVIRONMENT_HEADERS = {
  DISPLAY: 'env-display',
  WAYLAND_DISPLAY: 'env-wayland-display',
  XAUTHORITY: 'env-xauthority',
  I3SOCK: 'env-i3sock',
  SWAYSOCK: 'env-swaysock',
  DBUS_SESSION_BUS_ADDRESS: 'env-dbus-session-bus-address',
} as const;

/** What a client told of its environment. */
export type ClientEnvironment = { readonly [name in keyof typeof ENVIRONMENT_HEADERS]?: string };

export function environmentHeaders(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, header] of Object.entries(ENVIRONMENT_HEADERS)) {
    const value = env[name];
    if (value !== undefined && value !== '') headers[header] = encodeURIComponent(value);
  }
  return headers;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

function wireQuiet(quiet: Quiet): WireQuiet {
  return { until: quiet.until === null ? null : iso(quiet.until) };
}

/** The header by which a command says which process it is: a session's own tools must not answer prompts. */
export const CALLER_HEADER = 'client-pid';

function wirePrompt(prompt: Prompt): WirePrompt {
  return { ...prompt, since: iso(prompt.since) };
}

export function wireOpenPrompt(session: Session, prompt: Prompt): WireOpenPrompt {
  return { session: { id: session.id, name: session.label ?? session.name }, ...wirePrompt(prompt) };
}

export function wireHistory(entries: readonly HistoryEntry[]): WireHistory {
  return {
    version: 1,
    entries: entries.map((entry) => ({ ...entry, at: iso(entry.at), since: iso(entry.since) })),
  };
}

/** Field by field, so that what the core adds for itself does not leak into what scripts rely on. */
export function wireSession(session: Session): WireSession {
  return {
    id: session.id,
    pid: session.pid,
    sessionId: session.sessionId,
    kind: session.kind,
    entrypoint: session.entrypoint,
    permissionMode: session.permissionMode,
    state: session.state,
    since: iso(session.since),
    reason: session.reason,
    background: session.background,
    compacting: session.compacting,
    label: session.label,
    name: session.name,
    cwd: session.cwd,
    branch: session.branch,
    configDir: session.configDir,
    tool: session.tool,
    lastMessage: session.lastMessage,
    model: session.model,
    tokens: session.tokens,
    contextPercent: session.contextPercent,
    ports: session.ports,
    startedAt: iso(session.startedAt),
    place: session.place,
    prompts: session.prompts.map(wirePrompt),
  };
}

export function wireSnapshot(snapshot: Snapshot): WireSnapshot {
  return {
    version: 1,
    quiet: wireQuiet(snapshot.quiet),
    sessions: snapshot.sessions.map(wireSession),
    notice: snapshot.notice,
  };
}

/** What a watcher who knows `before` must be told to know `after`. A null `before` makes it a first snapshot. */
export function wireEvents(before: Snapshot | null, after: Snapshot): readonly WireEvent[] {
  if (before === null) return [{ type: 'snapshot', ...wireSnapshot(after) }];
  const events: WireEvent[] = [];
  if (before.quiet.until !== after.quiet.until) events.push({ type: 'quiet', ...wireQuiet(after.quiet) });
  if (before.notice !== after.notice) events.push({ type: 'notice', notice: after.notice });
  const known = new Map(before.sessions.map((session) => [session.id, session]));
  for (const session of after.sessions) {
    const old = known.get(session.id);
    known.delete(session.id);
    // The core keeps what did not change, so most comparisons end here.
    if (old === session) continue;
    const told = wireSession(session);
    if (old !== undefined && JSON.stringify(wireSession(old)) === JSON.stringify(told)) continue;
    events.push({ type: 'session', session: told });
  }
  for (const id of known.keys()) events.push({ type: 'gone', id });
  return events;
}
