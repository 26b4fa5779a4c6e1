import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { hasCode, isFull } from '../system/error-code.ts';
import { Failure } from '../system/failure.ts';
import { bootId, isAlive, readStat } from '../system/proc.ts';

/** unix(7): sun_path holds 108 bytes with its ending NUL. Node.js says nothing of it but EINVAL. */
const LONGEST_SOCKET_PATH = 107;

export function checkSocketPath(path: string): void {
  const length = Buffer.byteLength(path);
  if (length <= LONGEST_SOCKET_PATH) return;
  throw new Failure(
    'no-daemon',
    `the socket's path has ${length} bytes, and Linux allows ${LONGEST_SOCKET_PATH}: ${path}`,
    'set XDG_RUNTIME_DIR to a shorter folder',
  );
}

/**
 * Makes the folder of the socket, or refuses one that somebody else could have prepared. Who may enter it may
 * speak to the daemon: Node.js cannot ask the socket who is at the other end, so its folder must do.
 */
export function openRuntimeDir(path: string, uid: number): void {
  checkRuntimeDir(path, uid, () => mkdirSync(path, { recursive: true, mode: 0o700 }));
}

/** The same for those who only want to connect: nothing is made, and a folder that is not there is no error. */
export function checkRuntimeDir(path: string, uid: number, make: () => void = () => {}): void {
  try {
    make();
    const stat = lstatSync(path);
    if (!stat.isDirectory()) throw unsafe(path, 'is no folder');
    if (stat.uid !== uid) throw unsafe(path, `belongs to user ${stat.uid}`);
    if ((stat.mode & 0o077) !== 0) {
      throw unsafe(path, `is open to others (mode ${(stat.mode & 0o777).toString(8)})`);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = error instanceof Error && 'code' in error ? error.code : error;
    if (code === 'ENOENT') return;
    throw new Failure('no-daemon', `cannot use ${path}: ${String(code)}`, 'look at XDG_RUNTIME_DIR');
  }
}

function unsafe(path: string, why: string): Failure {
  return new Failure('no-daemon', `${path} ${why}`, `remove it, or make it your own: chmod 700 ${path}`);
}

/** Who holds a lock. */
export interface Holder {
  readonly pid: number;
  readonly startTime: number;
}

export type Locked =
  | { readonly held: true; readonly release: () => void }
  | { readonly held: false; readonly holder: Holder };

/**
 * Takes a lock that one process can hold. It names its holder by pid and start time, so that neither a crash nor a
 * pid that was used again keeps it closed. The file gets its name only when it is complete (link(2) fails when
 * the name is taken), so nobody reads half of it.
 *
 * @throws Failure `no-daemon` where there is no room left for it, and what node:fs throws.
 */
export function takeLock(path: string, pid = process.pid): Locked {
  const mine = JSON.stringify({ pid, startTime: readStat(pid)?.startTime ?? 0, bootId: bootId() });
  const draft = `${path}.${process.pid}`;
  try {
    writeDraft(draft, mine);
    for (;;) {
      try {
        linkSync(draft, path);
        return { held: true, release: () => release(path, mine) };
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error;
      }
      const theirs = readText(path);
      if (theirs === null) continue;
      const holder = livingHolder(theirs);
      if (holder !== null) return { held: false, holder };
      removeDead(path, theirs);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    if (!isFull(error)) throw error;
    throw new Failure('no-daemon', `there is no room left in ${dirname(path)}`, 'make room there');
  }
}

/**
 * Of several who found the same dead lock only one can move it away; who moved the fresh lock of a quicker one
 * instead gives it back.
 */
function removeDead(path: string, dead: string): void {
  const aside = `${path}.${process.pid}.dead`;
  try {
    renameSync(path, aside);
    if (readText(aside) !== dead) linkSync(aside, path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT', 'EEXIST')) throw error;
  }
  try {
    unlinkSync(aside);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

function release(path: string, mine: string): void {
  if (readText(path) === mine) unlinkSync(path);
}

/** Who holds the lock now; null when nobody does. */
export function lockHolder(path: string): Holder | null {
  const text = readText(path);
  return text === null ? null : livingHolder(text);
}

function livingHolder(text: string): Holder | null {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof found !== 'object' || found === null) return null;
  const { pid, startTime, bootId: boot } = found as Record<string, unknown>;
  if (typeof pid !== 'number' || typeof startTime !== 'number' || boot !== bootId()) return null;
  return isAlive(pid, startTime) ? { pid, startTime } : null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return null;
    throw error;
  }
}

/**
 * Whether somebody listens. The kernel accepts for him, so a daemon that is too busy to reply is alive all the
 * same; it never counts as dead for being slow.
 */
export function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    // EAGAIN: alive, and its queue of callers is full.
    probe.once('error', (error) => resolve(hasCode(error, 'EAGAIN')));
  });
}

/**
 * Makes this process the daemon of this user: the lock is taken, and a socket that a dead daemon left is gone, so
 * the path is free to be bound.
 *
 * @returns gives the place up again; to be called when the socket is closed.
 * @throws Failure when another daemon runs, or the folder is not safe.
 */
export async function becomeDaemon(runtime: string, socket: string, uid: number): Promise<() => void> {
  checkSocketPath(socket);
  openRuntimeDir(runtime, uid);
  const lock = takeLock(lockPath(runtime));
  if (!lock.held) throw alreadyRunning(lock.holder);
  if (await isListening(socket)) {
    lock.release();
    throw alreadyRunning(null);
  }
  try {
    unlinkSync(socket);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return lock.release;
}

function alreadyRunning(holder: Holder | null): Failure {
  const who = holder === null ? '' : ` (pid ${holder.pid})`;
  return new Failure('failed', `a daemon runs already${who}`, 'end it with: tsmux stop');
}

export function lockPath(runtime: string): string {
  return join(runtime, 'lock');
}

/** To be called when the socket was bound: others may not connect, whatever the umask was. */
export function closeToOthers(socket: string): void {
  chmodSync(socket, 0o600);
}
