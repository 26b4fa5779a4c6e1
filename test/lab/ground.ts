// What every lab stands on: a folder of its own, a user, an environment, and a guard that ends whatever carries the folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../support/until.ts';
import { type Account, labAccount } from './account.ts';
import { type LabProcess, processesIn } from './processes.ts';
import { builtProject } from './project.ts';
import type { Environment, Finished, Running, RunOptions, Shell } from './shell.ts';

export interface Ground {
  /** The lab's own folder, gone after `stop`. `home` and `runtime` are in it. */
  readonly folder: string;
  readonly home: string;
  readonly runtime: string;
  readonly account: Account;
  readonly env: Environment;
  /** The project as its users have it: `dist/tsmux.js`, built from the sources of this run. */
  readonly project: string;
  /** Within the lab's folder, owned by its user; gives its path. */
  makeFolder(path: string, mode?: number): string;
  /** Writes a file into the lab, owned by its user; gives its path. Relative to its home. */
  write(path: string, text: string, mode?: number): string;
  /** Everything that runs in this lab now. */
  processes(): LabProcess[];
  /** Also run at the end. */
  atStop(run: () => void): void;
  stop(): Promise<void>;
}

const isRoot = process.getuid?.() === 0;
const guardScript = fileURLToPath(new URL('guard.sh', import.meta.url));

export async function layGround(added: Environment = {}): Promise<Ground> {
  const project = builtProject();
  const folder = mkdtempSync('/tmp/tsmux-lab-');
  // From here on the guard ends whatever carries the folder in its environment, also when this process is killed.
  const guard = spawn('/bin/sh', [guardScript, folder], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  const guardGone = new Promise<void>((resolve) => guard.once('exit', () => resolve()));
  const atStop: (() => void)[] = [];
  const stop = async () => {
    for (const run of atStop) run();
    guard.stdin.end();
    await guardGone;
  };
  const account = await labAccount(isRoot ? String((await once(guard.stdout, 'data'))[0]).trim() : undefined);
  const give = (path: string) => {
    if (isRoot) chownSync(path, account.uid, account.gid);
  };
  const makeFolder = (path: string, mode = 0o700) => {
    const whole = join(folder, path);
    mkdirSync(whole, { recursive: true });
    chmodSync(whole, mode);
    give(whole);
    return whole;
  };
  give(folder);

  const home = makeFolder('home');
  makeFolder('home/.local');
  const runtime = makeFolder('run');
  const laid: Ground = {
    folder,
    home,
    runtime,
    account,
    project,
    env: {
      PATH: `${project}/bin:/usr/local/bin:/usr/bin:/bin:/usr/games`,
      HOME: home,
      USER: account.name,
      LOGNAME: account.name,
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
      XDG_RUNTIME_DIR: runtime,
      XDG_CONFIG_HOME: makeFolder('home/.config'),
      XDG_STATE_HOME: makeFolder('home/.local/state'),
      XDG_DATA_HOME: makeFolder('home/.local/share'),
      XDG_CACHE_HOME: makeFolder('home/.cache'),
      TMPDIR: makeFolder('tmp'),
      TMUX_TMPDIR: makeFolder('tmp'),
      SCREENDIR: makeFolder('screen'),
      // GTK programs would start a whole accessibility bus.
      NO_AT_BRIDGE: '1',
      ...added,
    },
    makeFolder,
    write(path, text, mode = 0o644) {
      const whole = join(home, path);
      let parent = home;
      for (const part of path.split('/').slice(0, -1)) {
        parent = join(parent, part);
        if (!existsSync(parent)) makeFolder(parent.slice(folder.length));
      }
      // Whole or not at all: who reads it may be at it just now.
      const draft = `${whole}.draft`;
      writeFileSync(draft, text, { mode });
      give(draft);
      renameSync(draft, whole);
      return whole;
    },
    processes: () => processesIn(folder),
    atStop: (run) => void atStop.push(run),
    stop,
  };
  serveNotificationsBy(laid, '/bin/false');
  return laid;
}

/**
 * What the bus starts when somebody wants to notify and no notification server runs. Any one that is installed would do, and
 * would stand in the way of the pointer, so it is none unless a test says so.
 */
export function serveNotificationsBy(ground: Pick<Ground, 'write'>, program: string): void {
  const service = ['[D-BUS Service]', 'Name=org.freedesktop.Notifications', `Exec=${program}`, ''];
  ground.write('.local/share/dbus-1/services/notifications.service', service.join('\n'));
}

/**
 * At the place where systemd has it. The address does not say which bus it is (`guid=`), so a bus that was ended there can be
 * followed by another.
 */
export async function startBus(shell: Shell): Promise<string> {
  const address = `unix:path=${shell.env.XDG_RUNTIME_DIR}/bus`;
  const args = ['--session', `--address=${address}`, '--nofork', '--nopidfile', '--print-address=1'];
  const bus = shell.spawn('dbus-daemon', args);
  await until(() => bus.lines().length > 0, {
    why: 'the session bus',
    limit: 15_000,
    every: 2,
    saw: bus.stderr,
  });
  return address;
}

/** What the lab's user would run by hand. */
export interface Commands {
  /** Runs tmux on the lab's own server; gives stdout without the last newline. */
  tmux(...args: readonly string[]): Promise<string>;
  tsmux(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Starts a daemon and waits for its socket. */
  daemon(options?: RunOptions): Promise<Running>;
}

export function commandsOf(shell: Shell, { runtime }: Ground): Commands {
  return {
    tmux: async (...args) => (await shell.output('tmux', args)).replace(/\n$/, ''),
    tsmux: (args, how) => shell.run('tsmux', args, how),
    async daemon(how) {
      const daemon = shell.spawn('tsmux', ['daemon'], how);
      await until(() => existsSync(join(runtime, 'tsmux/tsmux.sock')), {
        why: 'the socket of the daemon',
        saw: daemon.stderr,
      });
      return daemon;
    },
  };
}
