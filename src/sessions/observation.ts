import type { Place } from './place.ts';
import type { AskedPrompt, Option, PromptId } from './prompt.ts';
import type { Kind, SessionKey, Tokens, Tool } from './session.ts';

/**
 * One fact from one source, with its time. Rooms that look at the outside world turn what they see into these;
 * `observe.ts` folds them. They may arrive in any order, twice, or not at all.
 *
 * `at` is the time of the fact at its source (a hook script's start, Claude's `statusUpdatedAt`, a transcript
 * line's `timestamp`), ms since the epoch, never the time of arrival.
 */
export type Observation =
  | ProcessSeen
  | ProcessGone
  | SessionFileRead
  | TurnStarted
  | TurnEnded
  | TurnQueued
  | CommandRun
  | ToolStarted
  | ToolEnded
  | BackgroundCounted
  | PromptAsked
  | PromptHeld
  | DialogRead
  | PromptAnswered
  | Nudged
  | AgentStopped
  | Compaction
  | SessionRenewed
  | ModeSeen
  | TranscriptRead
  | Placed
  | Seen
  | PortsRead
  | Labelled;

/** The process is alive and is a Claude Code session. */
export interface ProcessSeen {
  readonly type: 'process-seen';
  readonly at: number;
  readonly kind: Kind;
  readonly entrypoint: string | null;
  readonly cwd: string;
  readonly configDir: string | null;
  /** ms since the epoch. */
  readonly startedAt: number;
}

export interface ProcessGone {
  readonly type: 'process-gone';
  readonly at: number;
}

/** A level: how `<config dir>/sessions/<pid>.json` says things are. */
export interface SessionFileRead {
  readonly type: 'session-file';
  /** When the file was read: a level read well after an edge that contradicts it is right. */
  readonly at: number;
  /** `other` is a status that this tsmux does not know; null: the file has no status (yet). */
  readonly status: 'idle' | 'busy' | 'waiting' | 'shell' | 'other' | null;
  /** Claude's statusUpdatedAt; null where the file has none. */
  readonly statusAt: number | null;
  /** What the file itself says, where that is not `statusAt` as the clock was set back since (set-back.ts). */
  readonly written?: number;
  readonly waitingFor: string | null;
  readonly sessionId: string | null;
  /** The user's own name (/rename, --name) only; a derived name is null. */
  readonly name: string | null;
}

/** A turn began: a prompt of the user's, a task notification, or the transcript's line of either. */
export interface TurnStarted {
  readonly type: 'turn-started';
  readonly at: number;
  readonly source: 'hook' | 'transcript';
  readonly promptId: string | null;
  /** `task`: a `<task-notification>`, which nobody typed. */
  readonly by: 'user' | 'task';
}

export interface TurnEnded {
  readonly type: 'turn-ended';
  readonly at: number;
  readonly source: 'hook' | 'transcript';
  readonly promptId: string | null;
  readonly how: 'finished' | 'failed' | 'interrupted';
  /** For `failed`: what failed, in words. */
  readonly reason: string | null;
  readonly lastMessage: string | null;
  /** What the session still runs beside its main turn; null where the source does not tell. */
  readonly background: { readonly agents: number; readonly shells: number } | null;
}

/** The user typed another prompt while a turn ran, or the background has news: a turn follows that one. */
export interface TurnQueued {
  readonly type: 'turn-queued';
  readonly at: number;
}

/** The user ran a command of Claude Code's own (/rename, /compact), which is no turn. */
export interface CommandRun {
  readonly type: 'command-run';
  readonly at: number;
}

export interface ToolStarted {
  readonly type: 'tool-started';
  readonly at: number;
  readonly source: 'hook' | 'transcript';
  readonly promptId: string | null;
  readonly toolUseId: string | null;
  /** Sub-agent; null for the main thread. */
  readonly agent: string | null;
  readonly tool: Tool;
  readonly inputKey: string | null;
}

export interface ToolEnded {
  readonly type: 'tool-ended';
  readonly at: number;
  readonly source: 'hook' | 'transcript';
  readonly promptId: string | null;
  /** Null for a batch: everything older of this thread has ended. */
  readonly toolUseId: string | null;
  readonly agent: string | null;
  readonly tool: string | null;
  readonly inputKey: string | null;
}

/** `background_tasks` of a hook, counted. */
export interface BackgroundCounted {
  readonly type: 'background';
  readonly at: number;
  readonly agents: number;
  readonly shells: number;
}

/** A PermissionRequest or Elicitation hook. */
export interface PromptAsked {
  readonly type: 'prompt-asked';
  readonly at: number;
  readonly promptId: string | null;
  readonly agent: string | null;
  readonly prompt: AskedPrompt;
  readonly permissionMode: string | null;
}

/**
 * A prompt can be answered through its hook from now on, with these options; or, with null, no longer. It stays open
 * either way: only how it can be answered changes.
 */
export interface PromptHeld {
  readonly type: 'prompt-held';
  readonly at: number;
  readonly prompt: PromptId;
  readonly options: readonly Option[] | null;
}

/** The prompt's dialog was read from its pane: its options, in Claude's order and words; null: it cannot be read. */
export interface DialogRead {
  readonly type: 'dialog-read';
  readonly at: number;
  readonly prompt: PromptId;
  readonly options: readonly Option[] | null;
}

/** Somebody's answer was given to Claude Code through the hold, which settles the prompt. */
export interface PromptAnswered {
  readonly type: 'prompt-answered';
  readonly at: number;
  readonly prompt: PromptId;
}

/** A Notification hook. Only `permission_prompt` (and its older name) and `agent_needs_input` ever mean a prompt. */
export interface Nudged {
  readonly type: 'nudged';
  readonly at: number;
  readonly notification: string;
  readonly message: string | null;
}

/** A SubagentStop hook: what that sub-agent asked is settled. */
export interface AgentStopped {
  readonly type: 'agent-stopped';
  readonly at: number;
  readonly agent: string;
}

export interface Compaction {
  readonly type: 'compaction';
  readonly at: number;
  readonly running: boolean;
}

/** SessionStart, or a session_id that differs from the last one (/clear fires no SessionStart everywhere). */
export interface SessionRenewed {
  readonly type: 'session-renewed';
  readonly at: number;
  readonly sessionId: string;
  readonly how: 'startup' | 'resume' | 'clear' | 'compact' | 'fork' | 'other';
}

/** The `permission_mode` that a hook carries. */
export interface ModeSeen {
  readonly type: 'mode-seen';
  readonly at: number;
  readonly permissionMode: string;
}

/** What the tail of the transcript says besides turns and tools; a field that it does not tell is null. */
export interface TranscriptRead {
  readonly type: 'transcript';
  /** Time of the newest line that was read. */
  readonly at: number;
  readonly sessionId: string | null;
  readonly model: string | null;
  readonly branch: string | null;
  /** /rename or --name. */
  readonly customTitle: string | null;
  readonly permissionMode: string | null;
  readonly lastMessage: string | null;
  readonly tokens: Tokens | null;
  /** Context used, 0–100. */
  readonly contextPercent: number | null;
}

export interface Placed {
  readonly type: 'placed';
  readonly at: number;
  readonly place: Place;
}

/** The session's own window and pane were looked at for a second, or the user said `tsmux seen`. */
export interface Seen {
  readonly type: 'seen';
  readonly at: number;
}

export interface PortsRead {
  readonly type: 'ports';
  readonly at: number;
  readonly ports: readonly number[];
}

export interface Labelled {
  readonly type: 'labelled';
  readonly at: number;
  readonly label: string | null;
}

/** Where an observation goes. */
export type Observe = (key: SessionKey, observation: Observation) => void;
