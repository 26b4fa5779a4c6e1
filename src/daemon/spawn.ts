import { spawn } from 'node:child_process';
import { closeSync, readdirSync, readFileSync, writeSync } from 'node:fs';
import { Failure } from '../system/failure.ts';

/**
 * What a daemon may inherit. The one who starts it may be Claude Code itself, or a terminal inside tmux: nothing of
 * those may stay in a process that outlives them, least of all their tokens.
 */
const KEPT = new Set([
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'PATH',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TMPDIR',
  'DISPLAY',
  'XAUTHORITY',
  'WAYLAND_DISPLAY',
  'I3SOCK',
  'SWAYSOCK',
  'DBUS_SESSION_BUS_ADDRESS',
  'NODE_EXTRA_CA_CERTS',
]);
const KEPT_PREFIXES = ['XDG_', 'LC_', 'TSMUX_'];

type Environment = Readonly<Record<string, string | undefined>>;

function daemonEnvironment(env: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (KEPT.has(name) || KEPT_PREFIXES.some((prefix) => name.startsWith(prefix))) kept[name] = value;
  }
  // The user's own choice of a folder, set in his shell; inside of Claude Code it would be that session's.
  if (env.CLAUDE_CONFIG_DIR !== undefined && env.CLAUDECODE === undefined) {
    kept.CLAUDE_CONFIG_DIR = env.CLAUDE_CONFIG_DIR;
  }
  return kept;
}

/** The descriptor on which a daemon that was started by a client says how it went; it reads to its end. */
const REPORT = 3;

/**
 * Starts the daemon in a POSIX session of its own, with nothing open and nothing inherited that it should not
 * have, and waits until it listens.
 *
 * @throws Failure with the words of the daemon when it could not start.
 */
export function spawnDaemon(entry: string, env: Environment): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [entry, 'daemon', '--detached'], {
      detached: true,
      cwd: '/',
      env: daemonEnvironment(env),
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const report = child.stdio[REPORT];
    let words = '';
    child.once('error', (error) => reject(cannotStart(error.message)));
    report?.on('data', (chunk) => {
      words += String(chunk);
    });
    report?.once('close', () => {
      if (words === '') resolve();
      else reject(cannotStart(words));
    });
    child.unref();
  });
}

function cannotStart(why: string): Failure {
  return new Failure('no-daemon', `the daemon could not be started: ${why}`, 'try: tsmux daemon');
}

/** O_CLOEXEC, as /proc/PID/fdinfo shows flags (open(2), Linux on every platform that Node.js runs on). */
const CLOSED_AT_EXEC = 0o2000000;

/**
 * Closes what the daemon got from whoever happened to start it, as a lock that a script holds on descriptor 9. All
 * that Node.js opens by itself is closed at exec, so what is not was inherited.
 */
export function closeInherited(): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd <= REPORT) continue;
    try {
      const flags = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1];
      if (flags !== undefined && (Number.parseInt(flags, 8) & CLOSED_AT_EXEC) === 0) closeSync(fd);
    } catch {
      // It was the one by which the folder was read.
    }
  }
}

/** Called by a detached daemon once: null when it listens, else why it does not. */
export function reportStart(trouble: string | null): void {
  try {
    if (trouble !== null) writeSync(REPORT, trouble);
    closeSync(REPORT);
  } catch {
    // Nobody is there any more to be told.
  }
}
