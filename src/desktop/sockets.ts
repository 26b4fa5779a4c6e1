import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import type { Clock } from '../system/clock.ts';
import { listPids, readEnvironment, readStat } from '../system/proc.ts';
import { type DirectoryWatch, watchDirectory } from '../system/watch.ts';

/**
 * Where i3 and sway put their sockets when nothing else is configured:
 *  - `$XDG_RUNTIME_DIR/i3/ipc-socket.PID`; without XDG_RUNTIME_DIR `/tmp/i3-USER.XXXXXX/ipc-socket.PID`
 *    (i3, libi3/get_process_filename.c). The path stays over a restart in place; after kill -9 the file stays.
 *  - `$XDG_RUNTIME_DIR/sway-ipc.UID.PID.sock`, without XDG_RUNTIME_DIR in `/tmp` (sway, sway/ipc-server.c).
 */
export interface SocketPlaces {
  /** Those that could be XDG_RUNTIME_DIR of a window manager; they need not exist. */
  readonly runtimeDirs: readonly string[];
  readonly temporaryDir: string;
  readonly uid: number;
}

/** For this user, by the environment of this process. */
export function socketPlaces(runtimeDir: string | undefined, uid: number): SocketPlaces {
  const given = runtimeDir !== undefined && isAbsolute(runtimeDir) ? [runtimeDir] : [];
  return { runtimeDirs: [...new Set([...given, `/run/user/${uid}`])], temporaryDir: '/tmp', uid };
}

const socketName = /^(?:ipc-socket\.(\d+)|sway-ipc\.\d+\.(\d+)\.sock)$/;
/** Names under which a socket, or a folder that will hold one, can appear. */
const telling = /^(?:i3|i3-.+|ipc-socket\..+|sway-ipc\..+)$/;

/** Without links: two names of one socket are one window manager. Null where nothing is there. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** In /tmp anybody can put a name, so what is not this user's own does not count. */
function isOwn(path: string, kind: 'folder' | 'socket', uid: number): boolean {
  try {
    const stat = lstatSync(path);
    return stat.uid === uid && (kind === 'folder' ? stat.isDirectory() : stat.isSocket());
  } catch {
    return false;
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function i3Folders(places: SocketPlaces): string[] {
  const { runtimeDirs, temporaryDir, uid } = places;
  const named = list(temporaryDir).filter((name) => name.startsWith('i3-'));
  return [
    ...runtimeDirs.map((folder) => join(folder, 'i3')),
    ...named.map((name) => join(temporaryDir, name)),
  ].filter((folder) => isOwn(folder, 'folder', uid));
}

/**
 * Sockets of this user. Whether somebody listens shows on connecting and not before: an i3 that was started with
 * I3SOCK set takes that path over, and so bears the pid of another.
 */
export function findSockets(places: SocketPlaces): string[] {
  return [...i3Folders(places), ...places.runtimeDirs, places.temporaryDir].flatMap((folder) =>
    list(folder)
      .filter((name) => socketName.test(name))
      .map((name) => join(folder, name))
      .filter((path) => isOwn(path, 'socket', places.uid)),
  );
}

/**
 * The environment with which the window manager at this socket was started; null where it cannot be told.
 * sway's says nothing of the display that it makes itself.
 */
export function environmentOf(path: string): ReadonlyMap<string, string> | null {
  const match = socketName.exec(basename(path));
  const named = Number(match?.[1] ?? match?.[2]);
  if (isWindowManager(named)) return readEnvironment(named);
  const taken = listPids()
    .filter(isWindowManager)
    .map(readEnvironment)
    .filter((environment) => environment?.get('I3SOCK') === path);
  return taken[0] ?? null;
}

function isWindowManager(pid: number): boolean {
  const comm = Number.isInteger(pid) ? readStat(pid)?.comm : undefined;
  return comm === 'i3' || comm === 'sway';
}

export interface SocketWatch {
  /** To be called after each change and now and then; `waiting`: there is no window manager at all. */
  refresh(options: { readonly waiting: boolean }): void;
  /** Why some folder can only be polled; null where all are watched. */
  polling(): string | null;
  close(): void;
}

/** How often folders are read where inotify has no watch left, in ms. */
const pollEvery = 20_000;

/** Tells when something appears that may be a window manager's socket, or a folder that will hold one. */
export function watchSockets(places: SocketPlaces, clock: Clock, onAppear: () => void): SocketWatch {
  const watches = new Map<string, DirectoryWatch>();

  function changed(name: string | null): void {
    if (name === null || telling.test(name)) onAppear();
  }

  return {
    refresh: ({ waiting }) => {
      const folders = new Set(places.runtimeDirs.flatMap((folder) => [folder, join(folder, 'i3')]));
      // Everybody writes to /tmp, so it is watched only while there is nothing better.
      if (waiting) for (const folder of [places.temporaryDir, ...i3Folders(places)]) folders.add(folder);
      for (const [folder, watch] of watches) {
        if (folders.has(folder)) watch.verify();
        else {
          watch.close();
          watches.delete(folder);
        }
      }
      for (const folder of folders) {
        if (!watches.has(folder)) watches.set(folder, watchDirectory(folder, { clock, changed, pollEvery }));
      }
    },
    polling: () => {
      for (const watch of watches.values()) {
        const mode = watch.mode();
        if (mode.kind === 'polling') return mode.why;
      }
      return null;
    },
    close: () => {
      for (const watch of watches.values()) watch.close();
      watches.clear();
    },
  };
}
