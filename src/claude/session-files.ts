import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { SessionFileRead } from '../sessions/observation.ts';
import type { Kind } from '../sessions/session.ts';
import type { Cancel, Clock } from '../system/clock.ts';
import { hasCode, isShortage } from '../system/error-code.ts';
import type { Log } from '../system/log.ts';
import { readProcessLink, readStat, startTimeInside } from '../system/proc.ts';
import { readRegularFile } from '../system/read-file.ts';
import { type DirectoryWatch, type WatchOptions, watchDirectory } from '../system/watch.ts';
import { lenient, shortText, time } from './lenient.ts';

/**
 * `<config dir>/sessions/<pid>.json`, which Claude Code writes at its start, at every change of its status, and
 * removes when it ends (not when it is killed). Undocumented; shapes as seen with 2.1.197 and 2.1.332.
 */
const SessionFile = z.looseObject({
  pid: z.number(),
  sessionId: shortText,
  cwd: shortText,
  /** Field 22 of /proc/PID/stat. */
  procStart: lenient(z.union([z.string(), z.number()])),
  version: shortText,
  kind: shortText,
  entrypoint: shortText,
  /** `linux:<machine id>:pid:[<inode of the pid namespace>]` */
  pidDomain: shortText,
  name: shortText,
  nameSource: shortText,
  status: shortText,
  statusUpdatedAt: time,
  updatedAt: time,
  waitingFor: shortText,
  jobId: shortText,
  spare: lenient(z.boolean()),
});
export type SessionFile = z.infer<typeof SessionFile>;

/** Null for what is half-written, empty, or no session file at all. */
export function parseSessionFile(text: string): SessionFile | null {
  try {
    const parsed = SessionFile.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** What the file must agree with. */
export interface FileFacts {
  /** Start time of the process of that pid; null when there is none (any more). */
  readonly startTime: number | null;
  /** Start time of that process as it reads it itself: by another clock in a time namespace of its own. */
  readonly startTimeInside: () => number | null;
  /** `pid:[4026531836]`; null where it cannot be read. */
  readonly pidNamespace: string | null;
  readonly machineId: string | null;
  readonly hasJobFolder: (jobId: string) => boolean;
}

/**
 * The kind of session that the file stands for, or why it stands for none: it was left behind by, or is of, `another`
 * process than the one that has this pid here, or `this` process is no session.
 */
export type Judged =
  | { readonly kind: Kind }
  | { readonly ignored: string; readonly process: 'another' | 'this' };

export function judgeSessionFile(file: SessionFile, facts: FileFacts): Judged {
  if (facts.startTime === null) return { ignored: 'no such process', process: 'another' };
  const start = file.procStart === undefined ? facts.startTime : Number(file.procStart);
  if (start !== facts.startTime && start !== facts.startTimeInside()) {
    return { ignored: 'the pid belongs to another process now', process: 'another' };
  }
  if (!isOurDomain(file.pidDomain, facts)) {
    return { ignored: 'of another machine or container', process: 'another' };
  }
  if (file.spare === true) return { ignored: 'a spare process', process: 'this' };
  switch (file.kind) {
    case 'daemon':
    case 'daemon-worker':
      return { ignored: `a ${file.kind}`, process: 'this' };
    case 'bg':
      return file.jobId !== undefined && facts.hasJobFolder(file.jobId)
        ? { kind: 'background' }
        : { ignored: 'a background session without a job', process: 'this' };
    default:
      return { kind: kindOfEntrypoint(file.entrypoint) };
  }
}

/** The way in which Claude Code was started tells what it is to the user. */
export function kindOfEntrypoint(entrypoint: string | undefined): Kind {
  if (entrypoint === undefined || entrypoint === 'cli') return 'interactive';
  if (entrypoint === 'sdk-cli') return 'print';
  if (entrypoint.startsWith('sdk')) return 'sdk';
  return 'editor';
}

/** The parts that can be compared must agree; home on a network file system is shared by several machines. */
function isOurDomain(domain: string | undefined, facts: FileFacts): boolean {
  const parts = /^linux:([^:]*):(pid:\[\d+\])$/.exec(domain ?? '');
  if (parts === null) return true;
  const [, machine, namespace] = parts;
  if (facts.pidNamespace !== null && namespace !== facts.pidNamespace) return false;
  const machineIsKnown = facts.machineId !== null && machine !== undefined && /^[0-9a-f]{32}$/.test(machine);
  return !machineIsKnown || /^0+$/.test(machine) || machine === facts.machineId;
}

const statuses: ReadonlySet<string> = new Set(['idle', 'busy', 'waiting', 'shell']);

/** The level that the file says, read at `at`. */
export function levelOf(file: SessionFile, at: number): SessionFileRead {
  const { status } = file;
  return {
    type: 'session-file',
    at,
    status:
      status === undefined
        ? null
        : statuses.has(status)
          ? (status as 'idle' | 'busy' | 'waiting' | 'shell')
          : 'other',
    statusAt: file.statusUpdatedAt ?? (status === undefined ? null : (file.updatedAt ?? null)),
    waitingFor: file.waitingFor ?? null,
    sessionId: file.sessionId ?? null,
    name: file.nameSource === 'user' ? (file.name ?? null) : null,
  };
}

export interface SessionFilesOptions {
  readonly configDir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The file of this pid was read, changed or is gone. Called in the tick in which the change is heard of. */
  readonly changed: (pid: number) => void;
  /**
   * A process has put its key beside the files, and no file a second later: since 2.1.332 the first sign of a session,
   * which writes its file only when its folder is trusted.
   */
  readonly begins: () => void;
  /** How a folder is watched. */
  readonly watch?: (path: string, options: WatchOptions) => DirectoryWatch;
}

/** The session files of one config dir, followed. What reads throws a shortage (`isShortage`). */
export interface SessionFiles {
  readonly configDir: string;
  get(pid: number): SessionFile | null;
  /** Reads one file again, at once. */
  read(pid: number): void;
  /** Reads all of them again; of the settled ones those that were written since. */
  readAll(isSettled?: (pid: number) => boolean): void;
  pids(): readonly number[];
  facts(pid: number): FileFacts;
  mode(): ReturnType<DirectoryWatch['mode']>;
  close(): void;
}

interface Known {
  readonly version: string;
  readonly content: string;
  readonly file: SessionFile;
}

/** Claude Code's own have about 700 bytes. */
const largestFile = 256 * 1024;

/** A file that is being written is whole after this long, ms. */
const retryAfter = 50;
const retries = 5;
/** A file follows its key within 0.1 s, where no dialog stands before it (seen with 2.1.332); ms. */
const keyBeforeFile = 1000;

export function followSessionFiles(options: SessionFilesOptions): SessionFiles {
  const { configDir, clock, log, changed, begins, watch = watchDirectory } = options;
  const folder = join(configDir, 'sessions');
  const files = new Map<number, Known>();
  const retrying = new Map<number, Cancel>();
  const unknown = new Set<string>();
  let lookAtKeys: Cancel | null = null;

  function read(pid: number, attempt = 0): void {
    retrying.get(pid)?.();
    retrying.delete(pid);
    const path = join(folder, `${pid}.json`);
    const version = versionOf(path);
    let content: string;
    try {
      content = readRegularFile(path, largestFile).toString('utf8');
    } catch (error) {
      // What it says now is still to be read.
      if (isShortage(error)) throw error;
      // Only a file that is not there is gone; one that cannot be read keeps its last content.
      if (hasCode(error, 'ENOENT', 'ENOTDIR') && files.delete(pid)) changed(pid);
      return;
    }
    const known = files.get(pid);
    const file = content === known?.content ? known.file : parseSessionFile(content);
    if (file !== null && file.pid === pid) {
      files.set(pid, { version, content, file });
      noteUnknownStatus(file);
      changed(pid);
    } else if (attempt < retries) {
      retrying.set(
        pid,
        clock.after(retryAfter, () => read(pid, attempt + 1)),
      );
    }
  }

  function noteUnknownStatus({ status, version }: SessionFile): void {
    if (status === undefined || statuses.has(status) || unknown.has(status)) return;
    unknown.add(status);
    log.warn({ status: status.slice(0, 40), version }, 'Claude Code has a status that tsmux does not know');
  }

  function readAll(isSettled: (pid: number) => boolean): void {
    const present = new Set(listed());
    for (const pid of present) {
      const known = files.get(pid)?.version;
      if (!isSettled(pid) || known !== versionOf(join(folder, `${pid}.json`))) read(pid);
    }
    for (const pid of [...files.keys()]) if (!present.has(pid)) read(pid);
  }

  /** `<pid>.json` only: older versions left `pid-<pid>.json`, and keys stand beside. */
  function listed(): number[] {
    return names().flatMap((name) => pidOf(name) ?? []);
  }

  function names(): readonly string[] {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (isShortage(error)) throw error;
      return [];
    }
  }

  function heard(name: string | null): void {
    const pid = name === null ? null : pidOf(name);
    if (name === null) readAll(() => false);
    else if (pid !== null) read(pid);
    if ((name === null ? names() : [name]).some(isKeyAlone))
      lookAtKeys ??= clock.after(keyBeforeFile, keysStand);
  }

  /** What the process is its file tells better, where one follows. */
  function keysStand(): void {
    lookAtKeys = null;
    if (names().some(isKeyAlone)) begins();
  }

  function isKeyAlone(name: string): boolean {
    const pid = keyOwner(name);
    return pid !== null && !files.has(pid) && existsSync(join(folder, name));
  }

  const watcher = watch(folder, { clock, changed: heard });

  return {
    configDir,
    get: (pid) => files.get(pid)?.file ?? null,
    read: (pid) => read(pid),
    readAll(isSettled = () => false) {
      watcher.verify();
      readAll(isSettled);
    },
    pids: () => [...files.keys()],
    facts: (pid) => ({
      startTime: startTimeOf(pid),
      startTimeInside: () => startTimeInside(pid),
      pidNamespace: readProcessLink(process.pid, 'ns/pid'),
      machineId: machineId(),
      hasJobFolder: (jobId) => isFolder(join(configDir, 'jobs', jobId)),
    }),
    mode: () => watcher.mode(),
    close() {
      watcher.close();
      lookAtKeys?.();
      for (const cancel of retrying.values()) cancel();
    },
  };
}

/** Another one for every write; the empty text where nothing can be read (a link that leads to itself). */
function versionOf(path: string): string {
  try {
    const { ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${size} ${mtimeNs}`;
  } catch {
    return '';
  }
}

/** A zombie has ended. */
function startTimeOf(pid: number): number | null {
  const stat = readStat(pid);
  return stat === null || stat.status === 'Z' ? null : stat.startTime;
}

function pidOf(name: string): number | null {
  const match = /^([1-9]\d{0,9})\.json$/.exec(name);
  return match === null ? null : Number(match[1]);
}

/** `<pid>.<hash>.key` */
function keyOwner(name: string): number | null {
  const match = /^([1-9]\d{0,9})\.[0-9a-f]+\.key$/.exec(name);
  return match === null ? null : Number(match[1]);
}

let cachedMachineId: string | null | undefined;
function machineId(): string | null {
  if (cachedMachineId === undefined) {
    try {
      cachedMachineId = readFileSync('/etc/machine-id', 'utf8').trim();
    } catch (error) {
      if (isShortage(error)) throw error;
      cachedMachineId = null;
    }
  }
  return cachedMachineId;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
