/**
 * A real desktop for tests: an X server of its own (Xvfb), a D-Bus session bus, i3 with i3bar, terminals, tmux, and a
 * pointer; everything in a folder of its own and as a plain user, so that labs run beside each other and beside the desktop
 * of whoever runs the tests. Needs the Debian packages of scripts/install-desktop.mjs.
 *
 *     const lab = await startLab({ bar: { command: 'tsmux i3bar -- i3status' } });
 *     const web = await lab.terminal('xterm', { workspace: '3: web', title: 'web' });
 *     await until(() => lab.bar.blocks().length === 1, { why: 'a block' });
 *     await lab.bar.block('web').click();
 *     await lab.stop();
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '../support/until.ts';
import { labAccount } from './account.ts';
import { type Bar, type BarSpec, barConfig, barFont, barOf } from './bar.ts';
import { type I3, i3Of } from './i3.ts';
import { type LabProcess, processesIn } from './processes.ts';
import { builtProject } from './project.ts';
import { type Screen, screenOf } from './screen.ts';
import {
  type Environment,
  type Finished,
  type Running,
  type RunOptions,
  type Shell,
  shellOf,
} from './shell.ts';
import { type Terminal, type TerminalKind, type TerminalOptions, terminalsOf } from './terminals.ts';

export interface LabOptions {
  /** Each is 1280 × 720; the second stands right of the first. Names: `fake-0`, `fake-1`. */
  readonly outputs?: 1 | 2;
  readonly bar?: BarSpec | readonly BarSpec[] | null;
  /** More lines of i3's configuration. */
  readonly i3config?: string;
  /** Added to the environment of everything in the lab. */
  readonly env?: Environment;
}

export interface Lab extends Shell, Screen {
  /** The lab's own folder, gone after `stop`. `home` and `runtime` are in it. */
  readonly folder: string;
  readonly home: string;
  readonly runtime: string;
  readonly uid: number;
  /** The project as its users have it: `dist/tsmux.js`, built from the sources of this run. */
  readonly project: string;
  readonly i3: I3;
  /** The first bar, and all of them. */
  readonly bar: Bar;
  readonly bars: readonly Bar[];
  terminal(kind: TerminalKind, options?: TerminalOptions): Promise<Terminal>;
  /** Runs tmux on the lab's own server; gives stdout without the last newline. */
  tmux(...args: readonly string[]): Promise<string>;
  tsmux(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Starts a daemon and waits for its socket. */
  daemon(options?: RunOptions): Promise<Running>;
  /** Goes to a workspace that was never used in this lab, and gives its name. */
  freshWorkspace(): Promise<string>;
  /** Everything that runs in this lab now. */
  processes(): LabProcess[];
  /** Writes a file into the lab, owned by its user; gives its path. Relative to its home. */
  write(path: string, text: string, mode?: number): string;
  /** Also run at the end. */
  atStop(run: () => void): void;
  stop(): Promise<void>;
}

const isRoot = process.getuid?.() === 0;
const here = fileURLToPath(new URL('.', import.meta.url));
const width = 1280;
const height = 720;

export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const project = builtProject();
  const folder = mkdtempSync('/tmp/tsmux-lab-');
  // From here on the guard ends whatever carries the folder in its environment, also when this process is killed.
  const guard = spawn('/bin/sh', [join(here, 'guard.sh'), folder], {
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

  try {
    const home = makeFolder('home');
    makeFolder('home/.local');
    const runtime = makeFolder('run');
    const env = {
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
      ...options.env,
    };
    const bare = shellOf(account, env);
    const display = await startXvfb(bare, width * (options.outputs ?? 1));
    // As on a real desktop, what the bus starts by itself knows the display.
    const bus = await startBus(shellOf(account, { ...env, DISPLAY: display }));
    const i3env = { ...env, DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: bus };

    const given = options.bar ?? [];
    const specs = 'command' in given ? [given] : given;
    const recorder = join(project, 'bin/record-bar.sh');
    const barFolder = (index: number) => makeFolder(`bar-${index}`);
    const config = [
      '# i3 config file (v4)',
      `font ${barFont}`,
      `fake-outputs ${['0', '1280']
        .slice(0, options.outputs ?? 1)
        .map((x) => `${width}x${height}+${x}+0`)
        .join(',')}`,
      'focus_follows_mouse no',
      'force_display_urgency_hint 0 ms',
      ...specs.map((spec, index) => barConfig(`bar-${index}`, spec, barFolder(index), recorder)),
      options.i3config ?? '',
    ].join('\n');
    writeFileSync(join(folder, 'i3.conf'), `${config}\n`);
    const socket = await startI3(shellOf(account, i3env), join(folder, 'i3.conf'), runtime);

    const shell = shellOf(account, { ...i3env, I3SOCK: socket });
    const i3 = i3Of(shell);
    const screen = screenOf(shell);
    const bars = specs.map((spec, index) =>
      barOf(`bar-${index}`, spec, join(folder, `bar-${index}`), i3, screen),
    );
    await until(async () => (await i3.bars()).length >= specs.length, { why: 'the bars' });
    // Else i3 starts where the pointer is: in the middle of both.
    await i3.command('focus output fake-0');

    let fresh = 0;
    return {
      ...shell,
      ...screen,
      folder,
      home,
      runtime,
      uid: account.uid,
      project,
      i3,
      bars,
      get bar() {
        const [first] = bars;
        if (first === undefined) throw new Error('this lab was started without a bar');
        return first;
      },
      terminal: terminalsOf(shell, i3, makeFolder('terminals')),
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
      async freshWorkspace() {
        const name = `fresh-${++fresh}`;
        await i3.command(`workspace ${name}`);
        return name;
      },
      write(path, text, mode = 0o644) {
        const whole = join(home, path);
        let parent = home;
        for (const part of path.split('/').slice(0, -1)) {
          parent = join(parent, part);
          if (!existsSync(parent)) makeFolder(parent.slice(folder.length));
        }
        writeFileSync(whole, text, { mode });
        give(whole);
        return whole;
      },
      processes: () => processesIn(folder),
      atStop: (run) => void atStop.push(run),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Xvfb finds a free display number itself and says it when it is ready: nothing to guess, nothing to race for. */
async function startXvfb(shell: Shell, screenWidth: number): Promise<string> {
  const screen = ['-screen', '0', `${screenWidth}x${height}x24`, '-dpi', '96'];
  const server = shell.spawn('Xvfb', ['-displayfd', '1', ...screen, '-nolisten', 'tcp', '-noreset']);
  const [number] = await until(() => (server.lines().length > 0 ? server.lines() : null), {
    why: 'Xvfb',
    limit: 15_000,
    every: 2,
    saw: server.stderr,
  });
  return `:${number}`;
}

async function startBus(shell: Shell): Promise<string> {
  const bus = shell.spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address=1']);
  const [address] = await until(() => (bus.lines().length > 0 ? bus.lines() : null), {
    why: 'the session bus',
    limit: 15_000,
    every: 2,
    saw: bus.stderr,
  });
  return address ?? '';
}

/** Gives the path of i3's socket, which bears its pid: `$XDG_RUNTIME_DIR/i3/ipc-socket.PID`. */
async function startI3(shell: Shell, config: string, runtime: string): Promise<string> {
  const i3 = shell.spawn('i3', ['-c', config]);
  const socket = join(runtime, 'i3', `ipc-socket.${i3.pid}`);
  const ready = async () =>
    existsSync(socket) && (await shell.run('i3-msg', ['-s', socket, '-t', 'get_version'])).status === 0;
  await until(ready, {
    why: 'i3',
    limit: 15_000,
    every: 5,
    saw: () => [i3.stderr(), existsSync(runtime) && readdirSync(runtime)],
  });
  return socket;
}
