import { closeSync, constants, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { isShortage } from '../system/error-code.ts';
import {
  ancestry,
  listFileDescriptors,
  listPids,
  type ProcessStat,
  readEnvironment,
  readProcessLink,
  readStat,
} from '../system/proc.ts';

/**
 * What the walk asks of the machine's processes and terminals; /proc answers, in tests a table does. What is gone, or
 * belongs to somebody else, is null or empty; only a shortage (`isShortage`) is thrown.
 */
export interface ProcessTable {
  stat(pid: number): ProcessStat | null;
  environment(pid: number): ReadonlyMap<string, string> | null;
  cwd(pid: number): string | null;
  pids(): readonly number[];
  /** Numbers of the PTYs whose master this process holds; null where its descriptors may not be read. */
  masters(pid: number): readonly number[] | null;
  /** Numbers of the PTYs that this process has open as a terminal. */
  openTerminals(pid: number): readonly number[];
  /** Addresses of its Unix sockets as /proc/net/unix shows them: a path, or `@name`. */
  sockets(pid: number): readonly string[];
  /** Whether a number of a PTY means the same to this process as to us: false in a container. */
  sharesTerminals(pid: number): boolean;
  /** When somebody last typed there, ms since the epoch; null for a terminal that is gone. */
  lastInput(pts: number): number | null;
}

/** The slave side of a PTY, opened for writing from outside. */
export interface OpenTerminal {
  /** False when the terminal takes nothing just now (stopped with Ctrl-S). */
  write(text: string): boolean;
  close(): void;
}

/** devpts(5): masters are opened through /dev/ptmx, or through the ptmx node of the devpts instance. */
function isMaster(target: string | null): boolean {
  return target === '/dev/ptmx' || target === '/dev/pts/ptmx';
}

/** proc(5), /proc/pid/fdinfo: a master's entry says `tty-index: N`. */
function ptyOfMaster(pid: number, fd: string): number | null {
  try {
    const index = /^tty-index:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/fdinfo/${fd}`, 'utf8'))?.[1];
    return index === undefined ? null : Number(index);
  } catch (error) {
    if (isShortage(error)) throw error;
    return null;
  }
}

function masters(pid: number): number[] | null {
  const descriptors = listFileDescriptors(pid);
  // No process of a desktop has none at all: the folder could not be read.
  if (descriptors.length === 0) return null;
  const held = new Set<number>();
  for (const fd of descriptors) {
    if (!isMaster(readProcessLink(pid, `fd/${fd}`))) continue;
    const pts = ptyOfMaster(pid, fd);
    if (pts !== null) held.add(pts);
  }
  return [...held];
}

function openTerminals(pid: number): number[] {
  const open = listFileDescriptors(pid).flatMap((fd) => {
    const number = /^\/dev\/pts\/(\d+)$/.exec(readProcessLink(pid, `fd/${fd}`) ?? '')?.[1];
    return number === undefined ? [] : [Number(number)];
  });
  return [...new Set(open)];
}

/** /proc/net/unix: inode in column 7, the address in column 8 where the socket has one. */
function sockets(pid: number): string[] {
  const inodes = new Set(
    listFileDescriptors(pid).flatMap((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(readProcessLink(pid, `fd/${fd}`) ?? '')?.[1];
      return inode === undefined ? [] : [inode];
    }),
  );
  let table: string;
  try {
    table = readFileSync(`/proc/${pid}/net/unix`, 'utf8');
  } catch (error) {
    if (isShortage(error)) throw error;
    return [];
  }
  const addresses = new Set<string>();
  for (const line of table.split('\n').slice(1)) {
    const [, inode, address] = /^\S+ \S+ \S+ \S+ \S+ \S+ +(\d+) (.+)$/.exec(line) ?? [];
    if (inode !== undefined && address !== undefined && inodes.has(inode)) addresses.add(address);
  }
  return [...addresses];
}

function lastInput(pts: number): number | null {
  try {
    return statSync(`/dev/pts/${pts}`).atimeMs;
  } catch {
    return null;
  }
}

/** Another pid namespace is the sign of a container; its devpts counts from 0 again. Of others: cannot be read. */
function sharesTerminals(pid: number): boolean {
  const theirs = readProcessLink(pid, 'ns/pid');
  return theirs === null || theirs === readProcessLink(process.pid, 'ns/pid');
}

export const systemProcesses: ProcessTable = {
  stat: readStat,
  environment: readEnvironment,
  cwd: (pid) => readProcessLink(pid, 'cwd'),
  pids: listPids,
  masters,
  openTerminals,
  sockets,
  sharesTerminals,
  lastInput,
};

/** Opens `/dev/pts/N` only where it is this user's own; null otherwise. */
export function openOwnTerminal(pts: number): OpenTerminal | null {
  const path = `/dev/pts/${pts}`;
  let fd: number;
  try {
    if (statSync(path).uid !== process.getuid?.()) return null;
    fd = openSync(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK);
  } catch {
    return null;
  }
  return {
    write(text) {
      const bytes = Buffer.from(text);
      try {
        return writeSync(fd, bytes) === bytes.length;
      } catch {
        return false;
      }
    },
    close: () => closeSync(fd),
  };
}

/** The process and its ancestors, nearest first. */
export function lineage(processes: Pick<ProcessTable, 'stat'>, pid: number): ProcessStat[] {
  return ancestry(pid, processes.stat);
}
