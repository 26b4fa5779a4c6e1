import { lstatSync, realpathSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { createClaude } from '../claude/claude.ts';
import { openInbox } from '../claude/inbox.ts';
import { followConfig } from '../config/follow.ts';
import { problemLine } from '../config/load.ts';
import { createDesktop } from '../desktop/create-desktop.ts';
import { sessionBusSockets, systemBusSockets } from '../notifications/bus.ts';
import { followLogin } from '../notifications/login.ts';
import { createNotifications } from '../notifications/notifications.ts';
import { writeAtomically } from '../system/atomic-write.ts';
import { systemClock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { Paths } from '../system/paths.ts';
import { version } from '../system/version.ts';
import { type DirectoryWatch, watchDirectory } from '../system/watch.ts';
import { becomeDaemon, closeToOthers } from './instance.ts';
import { openLog } from './log.ts';
import { isSupervised, notifyReady, passedSocket } from './systemd.ts';
import { type Wiring, wire } from './wiring.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface DaemonOptions {
  readonly paths: Paths;
  readonly uid: number;
  readonly env: Environment;
}

export interface RunningDaemon {
  /** Resolved with the exit code when the daemon has ended: by a signal, or because it was asked to. */
  readonly ended: Promise<number>;
}

/** EX_TEMPFAIL of sysexits.h: a service manager that restarts on failure starts the newer daemon. */
const START_AGAIN = 75;
/** How long readers may take to read the end of their streams, ms. */
const FAREWELL = 300;

/**
 * Runs the daemon in this process: the composition root, the only place that knows every room.
 *
 * @throws Failure when another one runs, or its folder or socket cannot be had.
 */
export async function startDaemon({ paths, uid, env }: DaemonOptions): Promise<RunningDaemon> {
  process.umask(0o077);
  const passed = passedSocket(env, process.pid);
  const giveUp = passed === null ? await becomeDaemon(paths.runtime, paths.socket, uid) : () => {};
  const log = openLog(join(paths.state, 'log'), env.TSMUX_LOG ?? 'info');
  const clock = systemClock;
  const live = followConfig({ file: join(paths.config, 'config.toml'), clock });
  const sayProblems = () => {
    for (const problem of live.problems()) log.warn({}, problemLine(problem));
  };
  sayProblems();
  live.subscribe(sayProblems);
  const startedAt = new Date(clock.now()).toISOString();
  const supervised = isSupervised(env);

  let end: (code: number) => void = () => {};
  const asked = new Promise<number>((resolve) => {
    end = resolve;
  });

  const login = followLogin({ clock, log, uid, sockets: () => systemBusSockets(env) });
  const wiring = wire({
    clock,
    log,
    live,
    program: [process.execPath, realpathSync(process.argv[1] ?? '')],
    createClaude: (observe) =>
      createClaude({ clock, log, observe, home: paths.home, configDirs: configDirs(env, paths.home) }),
    desktop: createDesktop({
      clock,
      log,
      environment: displayOf(env),
      places: { runtimeDirs: runtimeDirs(env, uid), temporaryDir: '/tmp', uid },
      home: paths.home,
      titleNonce: live.config().place['title-nonce'],
    }),
    login,
    createNotifications: (ears) =>
      createNotifications({ clock, log, ...ears, sockets: () => sessionBusSockets(env, uid) }),
    home: paths.home,
    statePath: join(paths.state, 'state.json'),
    historyPath: join(paths.state, 'history.json'),
    writeState: writeAtomically,
    health: () => ({ version, pid: process.pid, supervised, startedAt }),
    stop: (again) => end(again && supervised ? START_AGAIN : 0),
  });

  const server = createServer({ connectionsCheckingInterval: 600_000 }, wiring.api.handle);
  await listen(server, passed === null ? { path: paths.socket } : { fd: passed });
  // A caller that cannot be taken, for want of descriptors on the whole machine (ENFILE), is no reason to end.
  server.on('error', (error) => log.warn({ error: String(error) }, 'a caller could not be taken'));
  if (passed === null) closeToOthers(paths.socket);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => end(0));
  guard(log, end);
  const inode = inodeOf(paths.socket);
  const isOurs = () => passed !== null || inodeOf(paths.socket) === inode;
  const watch = endWithoutSocket(dirname(paths.socket), isOurs, () => {
    log.warn({}, 'the socket is gone');
    end(0);
  });
  await wiring.ready;
  const inbox = openInbox({ folder: paths.inbox, clock, log, take: wiring.hear });
  log.info({ version, socket: paths.socket }, 'the daemon listens');
  notifyReady(env);

  return {
    ended: asked.then(async (code) => {
      watch.close();
      inbox.close();
      await close(server, wiring, isOurs());
      live.stop();
      login.stop();
      giveUp();
      log.info({ code }, 'the daemon ends');
      return code;
    }),
  };
}

function listen(server: Server, where: { path: string } | { fd: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/**
 * The socket goes first, so that a client that comes now finds no daemon and not a dying one. Closing the server
 * removes whatever has its path: when that is the socket of another daemon, the end of the process must do.
 */
async function close(server: Server, wiring: Wiring, isOurs: boolean): Promise<void> {
  const closed = isOurs ? new Promise<void>((resolve) => server.close(() => resolve())) : null;
  await wiring.stop();
  const rest = setTimeout(() => server.closeAllConnections(), FAREWELL);
  await closed;
  clearTimeout(rest);
}

/**
 * A daemon whose socket was swept away (a logout removes /run/user/UID) can be reached by nobody, and keeps the next one
 * from its lock and its prompts: it ends at once.
 */
function endWithoutSocket(folder: string, isOurs: () => boolean, end: () => void): DirectoryWatch {
  const changed = (): void => {
    if (!isOurs()) end();
  };
  return watchDirectory(folder, { clock: systemClock, changed });
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}

/** What nobody caught ends the daemon, but not without a word, and with its socket and lock gone. */
function guard(log: Log, end: (code: number) => void): void {
  for (const kind of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(kind, (error: unknown) => {
      const stack = error instanceof Error ? error.stack : String(error);
      log.error({ kind, stack }, 'a fault of tsmux');
      end(1);
    });
  }
}

function configDirs(env: Environment, home: string): string[] {
  const usual = join(home, '.claude');
  const given = env.CLAUDE_CONFIG_DIR;
  return given === undefined || given === '' ? [usual] : [given, usual];
}

function runtimeDirs(env: Environment, uid: number): string[] {
  const given = env.XDG_RUNTIME_DIR;
  return [...new Set([...(given === undefined ? [] : [given]), `/run/user/${uid}`])];
}

function displayOf(env: Environment): Record<string, string> {
  const names = ['DISPLAY', 'XAUTHORITY', 'I3SOCK', 'SWAYSOCK'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}
