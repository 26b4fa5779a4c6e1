import { existsSync, type FSWatcher, readdirSync, statfsSync, statSync, watch as watchNative } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Cancel, Clock } from './clock.ts';

/** Follows one folder, whether it is there or not. */
export interface DirectoryWatch {
  /** Looks whether the folder is still the one that is watched (a link that leads elsewhere tells nobody). */
  verify(): void;
  /** `native` is inotify; `polling` with the reason where that is not to be had. */
  mode(): { readonly kind: 'native' } | { readonly kind: 'polling'; readonly why: string };
  close(): void;
}

export interface WatchOptions {
  readonly clock: Clock;
  /** Called with the name of what changed in the folder; null: anything may have. */
  readonly changed: (name: string | null) => void;
  /** How often to look where polling must do, ms. */
  readonly pollEvery?: number;
  /** For tests: what starts a native watch. */
  readonly native?: typeof watchNative;
}

/** statfs(2) types of file systems whose changes by others inotify does not show. */
const remote = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
]);

const firstRetry = 200;
const lastRetry = 40_000;
/** What is done as seldom as that can wait, ms. */
const seldom = 20_000;

/**
 * Watches a folder, not its subfolders. A folder that does not exist is waited for at its nearest ancestor; one that is
 * removed and made again is found again. Where inotify does not see everything (NFS) the folder is polled, and so it is
 * where inotify has no watch left (ENOSPC, EMFILE), for as long as that lasts.
 */
export function watchDirectory(path: string, options: WatchOptions): DirectoryWatch {
  const { clock, changed, pollEvery = 400, native = watchNative } = options;
  let watcher: FSWatcher | null = null;
  let watched: { path: string; identity: string } | null = null;
  let polling: { why: string; cancel: Cancel } | null = null;
  /** For a folder that may not be read, and the like: tried again later and later, ms. */
  let retry: { after: number; cancel: Cancel } | null = null;
  let closed = false;

  const wait = (ms: number, run: () => void) => (ms < seldom ? clock.after(ms, run) : clock.around(ms, run));

  function stopWatching(): void {
    watcher?.close();
    watcher = null;
    watched = null;
  }

  function startWatching(): void {
    if (closed || polling !== null) return;
    stopWatching();
    const target = nearestExisting(path);
    const identity = identityOf(target);
    if (identity === null) return;
    const fileSystem = target === path ? remoteFileSystem(target) : null;
    if (fileSystem !== null) {
      startPolling(`${path} is on ${fileSystem}`);
      return;
    }
    try {
      watcher = native(target, { persistent: false }, (_event, name) => heard(target, name));
      watcher.on('error', failed);
      watched = { path: target, identity };
      retry?.cancel();
      retry = null;
    } catch (error) {
      failed(error);
      return;
    }
    // It may have come while the watch was being put on its ancestor.
    if (target !== path && existsSync(path)) startWatching();
  }

  function heard(target: string, name: string | null): void {
    if (closed || watched?.path !== target) return;
    if (target !== path) {
      if (existsSync(nextBelow(target, path))) {
        startWatching();
        if (watched?.path === path) changed(null);
      } else verify();
      return;
    }
    // inotify names the folder itself when it is removed or moved away. A new one may have its inode number.
    const itself = name === null || name === basename(path);
    if (itself) startWatching();
    changed(itself ? null : name);
  }

  function failed(error: unknown): void {
    const code = (error as NodeJS.ErrnoException).code;
    stopWatching();
    if (code === 'ENOSPC' || code === 'EMFILE' || code === 'ENOMEM') startPolling(`inotify: ${code}`, seldom);
    else if (!closed) {
      retry?.cancel();
      const after = Math.min((retry?.after ?? firstRetry / 2) * 2, lastRetry);
      retry = { after, cancel: wait(after, watchAgain) };
    }
  }

  /** What happened meanwhile was told to nobody. */
  function watchAgain(): void {
    startWatching();
    if (watcher !== null) changed(null);
  }

  /** @param tryAgain in how many ms to try whether a native watch is to be had by now. */
  function startPolling(why: string, tryAgain = Number.POSITIVE_INFINITY): void {
    let last = fingerprint(path);
    let polled = 0;
    const later = () => ({ why, cancel: wait(pollEvery, look) });
    const look = (): void => {
      if (closed) return;
      const now = fingerprint(path);
      if (now !== last) {
        last = now;
        changed(null);
      }
      polled += pollEvery;
      if (polled < tryAgain) polling = later();
      else {
        polling = null;
        watchAgain();
      }
    };
    polling = later();
  }

  function verify(): void {
    if (closed || polling !== null) return;
    const target = nearestExisting(path);
    if (watched?.path === target && watched.identity === identityOf(target)) return;
    startWatching();
    // A folder that cannot be watched has not changed by that: whoever is told looks again, and verifies again.
    if (watcher !== null || polling !== null) changed(null);
  }

  startWatching();
  return {
    verify,
    mode: () => (polling === null ? { kind: 'native' } : { kind: 'polling', why: polling.why }),
    close() {
      closed = true;
      stopWatching();
      polling?.cancel();
      retry?.cancel();
    },
  };
}

function nearestExisting(path: string): string {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
}

function nextBelow(ancestor: string, path: string): string {
  let at = path;
  while (dirname(at) !== ancestor && dirname(at) !== at) at = dirname(at);
  return at;
}

/** Device, inode and birth, links followed. Inode numbers are used again at once. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino, birthtimeNs } = statSync(path, { bigint: true });
    return `${dev}:${ino}:${birthtimeNs}`;
  } catch {
    return null;
  }
}

function remoteFileSystem(path: string): string | null {
  try {
    return remote.get(statfsSync(path).type >>> 0) ?? null;
  } catch {
    return null;
  }
}

/** Changes when a file of the folder comes, goes or is written. */
function fingerprint(path: string): string {
  try {
    return readdirSync(path)
      .map((name) => {
        const stat = statSync(join(path, name), { bigint: true, throwIfNoEntry: false });
        return `${name} ${stat?.ino} ${stat?.size} ${stat?.mtimeNs}`;
      })
      .join('\n');
  } catch {
    return '';
  }
}
