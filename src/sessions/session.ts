import type { Place } from './place.ts';
import type { Prompt } from './prompt.ts';

declare const sessionIdBrand: unique symbol;
/** `[a-z][a-z0-9]{3,}`, never starting with `p`; derived from the key, so the same after a daemon restart. */
export type SessionId = string & { readonly [sessionIdBrand]: true };

/** What makes two sessions the same one: a process, not Claude's session_id, which /clear and --resume change. */
export interface SessionKey {
  /** /proc/sys/kernel/random/boot_id */
  readonly bootId: string;
  readonly pid: number;
  /** Field 22 of /proc/PID/stat, in clock ticks since boot. */
  readonly startTime: number;
}

export type State = 'idle' | 'busy' | 'needs-input' | 'review' | 'unknown';
export type Kind = 'interactive' | 'print' | 'sdk' | 'background' | 'editor';

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export interface Tool {
  readonly name: string;
  /** The command, the file, the address: one line, untrusted. */
  readonly summary: string;
}

/** One running Claude Code process as everybody outside the core sees it. Shape: docs/api.md. */
export interface Session {
  readonly id: SessionId;
  readonly pid: number;
  readonly sessionId: string | null;
  readonly kind: Kind;
  readonly entrypoint: string | null;
  readonly permissionMode: string | null;
  readonly state: State;
  /** When the state began, ms since the epoch. */
  readonly since: number;
  /** Why it is in this state ("permission prompt", "API error: overloaded"); null where the state says it all. */
  readonly reason: string | null;
  readonly background: { readonly agents: number; readonly shells: number };
  readonly compacting: boolean;
  readonly label: string | null;
  readonly name: string;
  readonly cwd: string;
  readonly branch: string | null;
  readonly configDir: string | null;
  readonly tool: Tool | null;
  readonly lastMessage: string | null;
  readonly model: string | null;
  readonly tokens: Tokens;
  readonly contextPercent: number | null;
  /** TCP ports that the session's processes listen on, ascending. */
  readonly ports: readonly number[];
  readonly place: Place;
  /** Open prompts, oldest first. */
  readonly prompts: readonly Prompt[];
  /** When the process started, ms since the epoch; blocks keep this order. */
  readonly startedAt: number;
}

export interface Quiet {
  /** End of the quiet time, ms since the epoch; null when it is not quiet. */
  readonly until: number | null;
}

/** Everything that bars, notifications and commands show, at one moment. */
export interface Snapshot {
  readonly quiet: Quiet;
  /** Most urgent first. */
  readonly sessions: readonly Session[];
  /** What the user must know where there is no session to say it: "Claude Code is not installed". */
  readonly notice: string | null;
}
