import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { hasCode, isShortage } from './error-code.ts';

/**
 * /proc, read synchronously: through fs.promises the same reads take five to eight times as long. Whatever
 * vanishes between two reads, or belongs to somebody else, is null. Only a shortage (`isShortage`) is thrown: a process
 * of which nothing can be read for want of descriptors has not ended.
 */
export interface ProcessStat {
  readonly pid: number;
  /** At most 15 bytes, as the kernel keeps it. */
  readonly comm: string;
  /** One letter: R, S, D, T, Z, … */
  readonly status: string;
  readonly parent: number;
  readonly processGroup: number;
  /** POSIX session (setsid), nothing of Claude's. */
  readonly leader: number;
  /** Number of the controlling PTY (`/dev/pts/N`); null without one, or where it is no PTY. */
  readonly pts: number | null;
  /** Field 22: clock ticks since boot. */
  readonly startTime: number;
  /** The process group in the foreground of the controlling terminal; -1 without one. */
  readonly foregroundGroup: number;
}

const buffer = Buffer.allocUnsafe(4096);

/** What `read` gives; null where it fails, but for want of descriptors. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (isShortage(error)) throw error;
    return null;
  }
}

/** A small file of /proc, without the fstat that readFileSync does. Longer than 4 KiB is cut. */
function readSmall(path: string): string | null {
  return orNull(() => {
    const fd = openSync(path, 'r');
    try {
      return buffer.toString('utf8', 0, readSync(fd, buffer, 0, buffer.length, 0));
    } finally {
      closeSync(fd);
    }
  });
}

/** proc(5): the name stands in parentheses and may hold any character, so the last `)` ends it. */
function parseStat(text: string): ProcessStat | null {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return null;
  const fields = text.slice(close + 2).split(' ');
  const tty = Number(fields[4]);
  const major = (tty >> 8) & 0xfff;
  const minor = (tty & 0xff) | ((tty >> 12) & 0xfff00);
  const stat = {
    pid: Number(text.slice(0, open)),
    comm: text.slice(open + 1, close),
    status: fields[0] ?? '?',
    parent: Number(fields[1]),
    processGroup: Number(fields[2]),
    leader: Number(fields[3]),
    // Unix98 PTY slaves have the majors 136–143 (Documentation/admin-guide/devices.txt).
    pts: major >= 136 && major <= 143 ? minor + (major - 136) * 0x100000 : null,
    startTime: Number(fields[19]),
    foregroundGroup: Number(fields[5]),
  };
  return Number.isFinite(stat.pid) && Number.isFinite(stat.startTime) ? stat : null;
}

export function readStat(pid: number): ProcessStat | null {
  const text = readSmall(`/proc/${pid}/stat`);
  return text === null ? null : parseStat(text);
}

/** Alive and not a zombie. */
export function isAlive(pid: number, startTime: number): boolean {
  const stat = readStat(pid);
  return stat !== null && stat.startTime === startTime && stat.status !== 'Z';
}

/** There is a process with that pid, be it a zombie, or another one: kill(2) with 0 reads no file. */
export function hasProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

/**
 * The start time that the process finds in its own /proc/self/stat: time_namespaces(7) shift it, by what is in
 * /proc/PID/timens_offsets (`boottime  SECONDS  NANOSECONDS`). Null without such a process.
 */
export function startTimeInside(pid: number): number | null {
  const stat = readStat(pid);
  if (stat === null) return null;
  const [, seconds, nanoseconds] =
    /^boottime\s+(-?\d+)\s+(\d+)/m.exec(readSmall(`/proc/${pid}/timens_offsets`) ?? '') ?? [];
  return stat.startTime + Number(seconds ?? 0) * 100 + Math.floor(Number(nanoseconds ?? 0) / 1e7);
}

/** By a signal, as Ctrl-Z sends one: it does nothing until it is told to go on. */
export function isStopped(pid: number, startTime: number): boolean {
  const stat = readStat(pid);
  return stat !== null && stat.startTime === startTime && stat.status === 'T';
}

function readNulSeparated(path: string): string[] | null {
  const text = orNull(() => readFileSync(path, 'utf8'));
  if (text === null) return null;
  return text === '' ? [] : text.replace(/\0$/, '').split('\0');
}

export function readCommandLine(pid: number): string[] | null {
  return readNulSeparated(`/proc/${pid}/cmdline`);
}

/** The environment as it was at exec; null for processes of others. Holds secrets: never log it. */
export function readEnvironment(pid: number): Map<string, string> | null {
  const entries = readNulSeparated(`/proc/${pid}/environ`);
  if (entries === null) return null;
  return new Map(
    entries.flatMap((entry) => {
      const equals = entry.indexOf('=');
      return equals > 0 ? [[entry.slice(0, equals), entry.slice(equals + 1)] as const] : [];
    }),
  );
}

/** `exe`, `cwd`, `root`, `fd/N` or `ns/…` of a process. */
export function readProcessLink(pid: number, name: string): string | null {
  return orNull(() => readlinkSync(`/proc/${pid}/${name}`));
}

export function listFileDescriptors(pid: number): string[] {
  return orNull(() => readdirSync(`/proc/${pid}/fd`)) ?? [];
}

/** All pids, ascending as the kernel lists them. */
export function listPids(): number[] {
  const pids: number[] = [];
  for (const name of readdirSync('/proc')) {
    const first = name.charCodeAt(0);
    if (first >= 48 && first <= 57) pids.push(Number(name));
  }
  return pids;
}

/**
 * The process and its ancestors, nearest first, as far as /proc shows them.
 *
 * @param statOf what /proc says of a process; tests say it themselves.
 */
export function ancestry(pid: number, statOf = readStat): ProcessStat[] {
  const chain: ProcessStat[] = [];
  for (let stat = statOf(pid); stat !== null && chain.length < 64; stat = statOf(stat.parent)) {
    chain.push(stat);
    if (stat.parent <= 0) break;
  }
  return chain;
}

let cachedBootId: string | undefined;
export function bootId(): string {
  cachedBootId ??= readSmall('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown-boot';
  return cachedBootId;
}

let boot: { readonly time: number; readonly clock: number } | undefined;
/** Converts a start time of /proc/PID/stat to ms since the epoch. Linux always reports 100 ticks a second here. */
export function startedAt(startTime: number): number {
  // The time of the boot is counted back from now: it changes when the clock is set.
  const clock = Date.now() - performance.now();
  if (boot === undefined || Math.abs(clock - boot.clock) > 500) {
    const time = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0) * 1000;
    boot = { time, clock };
  }
  return boot.time + startTime * 10;
}
