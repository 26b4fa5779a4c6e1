import { existsSync } from 'node:fs';
import type { Observation, ProcessSeen } from '../sessions/observation.ts';
import type { SessionKey } from '../sessions/session.ts';
import type { Clock } from '../system/clock.ts';
import {
  type FollowedTranscript,
  type FollowOptions,
  findTranscript,
  followTranscript,
  isTranscriptOf,
  newestTranscript,
} from './transcript-files.ts';

/** A session that runs, and what is known of its files. */
export interface Tracked {
  readonly key: SessionKey;
  readonly startedAt: number;
  seen: ProcessSeen;
  sessionId: string | null;
  /** When that id was told, ms since the epoch. */
  sessionIdAt: number;
  /** Claude's `statusUpdatedAt`, as last read. */
  statusAt: number | null;
  /** When the session file was last read, and when a hook or the transcript last told something, ms since the epoch. */
  readAt: number;
  heardAt: number;
  /** When the last hook came that did not say when it began, ms since the epoch. */
  arrivedAt: number;
  job: { readonly jobId: string | null; readonly name: string | null };
  transcript: FollowedTranscript | null;
  /** Where the hooks say that the transcript is. */
  toldPath: string | null;
  ports: string;
}

export function newlyTracked(key: SessionKey, seen: ProcessSeen): Tracked {
  return {
    key,
    startedAt: seen.startedAt,
    seen,
    sessionId: null,
    sessionIdAt: 0,
    statusAt: null,
    readAt: 0,
    heardAt: 0,
    arrivedAt: 0,
    job: { jobId: null, name: null },
    transcript: null,
    toldPath: null,
    ports: '',
  };
}

/** Which transcript belongs to which session. */
export interface Transcripts {
  /** Follows the session's own, wherever that is by now. */
  follow(session: Tracked): void;
  /** A hook says where it is; costs nothing when that is known. */
  told(session: Tracked, path: string | undefined): void;
  /** The session has a new id. */
  leave(session: Tracked): void;
}

export function createTranscripts({
  clock,
  tracked,
  hear,
  watch,
}: {
  readonly clock: Clock;
  readonly tracked: ReadonlyMap<number, Tracked>;
  readonly hear: (session: Tracked, observation: Observation) => void;
  readonly watch: NonNullable<FollowOptions['watch']>;
}): Transcripts {
  function pathOf(session: Tracked): string | null {
    const { configDir, cwd } = session.seen;
    if (configDir === null) return null;
    if (session.toldPath !== null) return session.toldPath;
    const current = session.transcript?.path;
    if (current !== undefined && existsSync(current)) return current;
    if (session.sessionId !== null) return findTranscript(configDir, cwd, session.sessionId);
    return newestTranscript(configDir, cwd, session.startedAt, taken());
  }

  function taken(): ReadonlySet<string> {
    return new Set([...tracked.values()].flatMap(({ transcript }) => transcript?.path ?? []));
  }

  function isShared(path: string): boolean {
    return [...tracked.values()].filter(({ transcript }) => transcript?.path === path).length > 1;
  }

  function follow(session: Tracked): void {
    const path = pathOf(session);
    if (path === null || session.transcript?.path === path) return;
    session.transcript?.close();
    const transcript = followTranscript({
      path,
      since: session.startedAt,
      clock,
      watch,
      observed: (observation) => {
        // Two processes can write one transcript (`claude --continue` beside the first): whose turn is it?
        if (observation.type === 'transcript' || !isShared(path)) hear(session, observation);
      },
    });
    session.transcript = transcript;
    transcript.read();
  }

  return {
    follow,
    told(session, path) {
      const isNew = path !== undefined && path !== session.toldPath && isToldRightly(path, session);
      if (isNew) session.toldPath = path;
      if (isNew || session.transcript === null) follow(session);
    },
    leave(session) {
      session.transcript?.close();
      session.transcript = null;
      session.toldPath = null;
    },
  };
}

function isToldRightly(path: string, { sessionId, seen }: Tracked): boolean {
  return sessionId !== null && seen.configDir !== null && isTranscriptOf(path, sessionId, seen.configDir);
}
