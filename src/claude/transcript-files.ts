import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import type { Observation } from '../sessions/observation.ts';
import type { Clock } from '../system/clock.ts';
import { isShortage } from '../system/error-code.ts';
import { realPath } from '../system/read-file.ts';
import { createTail, modifiedAt } from '../system/tail.ts';
import { type DirectoryWatch, type WatchOptions, watchDirectory } from '../system/watch.ts';
import { createTranscriptReader, newestTurn, showsTurn } from './transcript.ts';

/**
 * Claude Code names a project's folder after its path: every UTF-16 unit that is no ASCII letter or digit becomes `-`
 * (seen with 2.1.332). Very long names are cut and get a hash; those are found by looking.
 */
function projectFolder(configDir: string, cwd: string): string {
  return join(configDir, 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'));
}

/**
 * Where the transcript of a session is, or will be when its first prompt is sent; null where the id, which others may
 * have written, is none that names a file.
 */
export function findTranscript(configDir: string, cwd: string, sessionId: string): string | null {
  if (!/^[\w-]+$/.test(sessionId)) return null;
  const name = `${sessionId}.jsonl`;
  const expected = join(projectFolder(configDir, cwd), name);
  if (existsSync(expected)) return expected;
  for (const folder of list(join(configDir, 'projects'))) {
    const path = join(configDir, 'projects', folder, name);
    if (existsSync(path)) return path;
  }
  return expected;
}

/**
 * Whether a path that a hook told can be the transcript of that session: a hook can tell any path, and only what is in
 * a project's folder of this config dir may be read. Both may be links.
 */
export function isTranscriptOf(path: string, sessionId: string, configDir: string): boolean {
  const projects = dirname(dirname(path));
  return (
    path === normalize(path) &&
    basename(path) === `${sessionId}.jsonl` &&
    basename(projects) === 'projects' &&
    realPath(dirname(projects)) === realPath(configDir)
  );
}

/**
 * For versions that do not tell their session id: the transcript of the folder that was written last, and since the
 * process started. Null when there is none that is not `taken`.
 */
export function newestTranscript(
  configDir: string,
  cwd: string,
  since: number,
  taken: ReadonlySet<string>,
): string | null {
  const folder = projectFolder(configDir, cwd);
  const [newest] = list(folder)
    .filter((name) => name.endsWith('.jsonl') && !name.startsWith('agent-'))
    .map((name) => ({ path: join(folder, name), at: modifiedAt(join(folder, name)) ?? 0 }))
    .filter(({ path, at }) => at >= since && !taken.has(path))
    .sort((a, b) => b.at - a.at);
  return newest?.path ?? null;
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isShortage(error)) throw error;
    return [];
  }
}

export interface FollowedTranscript {
  readonly path: string;
  /** Reads what came since the last time; `watch` does so by itself. */
  read(): void;
  mode(): ReturnType<DirectoryWatch['mode']>;
  close(): void;
}

export interface FollowOptions {
  readonly path: string;
  /** When the process started, ms since the epoch: older lines are of a process before it. */
  readonly since: number;
  readonly clock: Clock;
  readonly observed: (observation: Observation) => void;
  readonly watch?: (path: string, options: WatchOptions) => DirectoryWatch;
}

/** Follows one transcript, which need not be there yet. */
export function followTranscript(options: FollowOptions): FollowedTranscript {
  const { path, since, clock, observed, watch = watchDirectory } = options;
  const tail = createTail(path, showsTurn);
  let reader = createTranscriptReader();

  function read(): void {
    const { lines, fresh } = tail.read();
    if (fresh) reader = createTranscriptReader();
    if (lines.length === 0) return;
    const observations = reader.read(lines, clock.now());
    for (const observation of fresh ? newestTurn(observations, since) : observations) observed(observation);
  }

  const watcher = watch(dirname(path), {
    clock,
    changed: (name) => {
      if (name === null || name === basename(path)) read();
    },
  });
  return {
    path,
    read() {
      watcher.verify();
      read();
    },
    mode: () => watcher.mode(),
    close: () => watcher.close(),
  };
}
