// Every terminal that the lab can open: how it is started with a command, and which of its windows share one process.
import { chmodSync, existsSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import type { XWindow } from './i3.ts';
import type { Shell } from './shell.ts';
import type { Window, WindowManager } from './window-manager.ts';

interface Launch {
  /** Command line that opens a window running `script`. */
  readonly open: (script: string, runtime: string) => readonly string[];
  /** Where a window is opened in a process that runs already: the line for the first window. */
  readonly first?: (script: string, runtime: string) => readonly string[];
  /** Must run before the first window, and serves where this socket is. */
  readonly server?: readonly string[];
  readonly serves?: (shell: Shell) => string;
  readonly env?: Readonly<Record<string, string>>;
}

// These draw with OpenGL, and an Xvfb has no card.
const software = { LIBGL_ALWAYS_SOFTWARE: '1' };

export const launches = {
  xterm: { open: (script) => ['xterm', '-e', script] },
  urxvt: { open: (script) => ['urxvt', '-e', script] },
  /** All windows of one urxvtd. */
  urxvtc: {
    server: ['urxvtd', '-q'],
    serves: (shell) => join(shell.env.HOME ?? '', '.urxvt', `urxvtd-${hostname()}`),
    open: (script) => ['urxvtc', '-e', script],
  },
  kitty: { env: software, open: (script) => ['kitty', '--config', 'NONE', script] },
  /** All windows of one kitty. */
  'kitty -1': {
    env: software,
    open: (script) => ['kitty', '--config', 'NONE', '-1', '--instance-group', 'lab', script],
  },
  alacritty: { env: software, open: (script) => ['alacritty', '-e', script] },
  /** All windows of one alacritty. */
  'alacritty msg': {
    env: software,
    first: (script, runtime) => ['alacritty', '--socket', `${runtime}/alacritty.sock`, '-e', script],
    open: (script, runtime) => [
      'alacritty',
      'msg',
      '--socket',
      `${runtime}/alacritty.sock`,
      'create-window',
      '-e',
      script,
    ],
  },
  /** All windows of one gnome-terminal-server. */
  'gnome-terminal': { open: (script) => ['gnome-terminal', '--', script] },
  st: { open: (script) => ['stterm', '-e', script] },
  konsole: { open: (script) => ['konsole', '-e', script] },
  /** All windows of one xfce4-terminal, found through D-Bus. */
  'xfce4-terminal': { open: (script) => ['xfce4-terminal', '-x', script] },
  /** All windows of one mate-terminal. */
  'mate-terminal': { open: (script) => ['mate-terminal', '-x', script] },
  /** All windows of one terminator, found through D-Bus. */
  terminator: { open: (script) => ['terminator', '-x', script] },
  /** All windows of one lxterminal. */
  lxterminal: { open: (script) => ['lxterminal', '-e', script] },
  qterminal: { open: (script) => ['qterminal', '-e', script] },
  /** All windows of one tilix. */
  tilix: { open: (script) => ['tilix', '-e', script] },
  'cool-retro-term': {
    env: { ...software, QT_QUICK_BACKEND: 'software' },
    open: (script) => ['cool-retro-term', '-e', script],
  },
  /** For Wayland alone. */
  foot: { open: (script) => ['foot', script] },
  /** All windows of one foot --server. */
  footclient: {
    server: ['foot', '--server'],
    serves: (shell) => join(shell.env.XDG_RUNTIME_DIR ?? '', `foot-${shell.env.WAYLAND_DISPLAY}.sock`),
    open: (script) => ['footclient', script],
  },
  /** A terminal inside an editor: the window's title is Emacs' own. */
  emacs: { open: (script) => ['emacs', '-Q', '--eval', `(ansi-term ${JSON.stringify(script)})`] },
} as const satisfies Record<string, Launch>;

export type TerminalKind = keyof typeof launches;

export interface TerminalOptions {
  /** The window is moved there, unseen where it is another one than the current. */
  readonly workspace?: string;
  /** Set by the escape sequence that every terminal knows, before the command starts. */
  readonly title?: string;
  /** What runs in it; `cat` where nothing is given. */
  readonly command?: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Terminal {
  readonly kind: TerminalKind;
  /** The command in the terminal; `tty` is its PTY, e.g. `/dev/pts/7`. */
  readonly pid: number;
  readonly tty: string;
  /** The process that the window says it belongs to (_NET_WM_PID; under sway what the tree says). */
  readonly terminalPid: number;
  readonly conId: number;
  /** Null where it is no window of an X server. */
  readonly windowId: number | null;
  window(): Promise<Window>;
  focus(): Promise<void>;
  /** Ends the command; the terminal closes with it. */
  close(): Promise<void>;
}

/** One of an X server. */
export interface XTerminal extends Terminal {
  readonly windowId: number;
  window(): Promise<XWindow>;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function readPid(path: string): number | null {
  try {
    return Number(readFileSync(path, 'utf8')) || null;
  } catch {
    return null;
  }
}

type Open<T> = (kind: TerminalKind, options?: TerminalOptions) => Promise<T>;

/** With one process that owns all windows this is the pid of all of them. */
async function pidOf(shell: Shell, { pid, windowId }: Window): Promise<number> {
  return pid ?? Number(await shell.output('xdotool', ['getwindowpid', `${windowId}`]));
}

export function terminalsOf<W extends Window>(
  shell: Shell,
  manager: WindowManager<W>,
  folder: string,
): Open<Terminal & Pick<W, 'windowId'> & { window(): Promise<W> }> {
  const runtime = shell.env.XDG_RUNTIME_DIR ?? '';
  const used = new Set<TerminalKind>();
  let count = 0;
  // One after the other: the new window is told from the others by being new.
  let queue: Promise<unknown> = Promise.resolve();

  async function open(kind: TerminalKind, options: TerminalOptions) {
    const launch: Launch = launches[kind];
    const name = join(folder, `${++count}`);
    writeFileSync(
      name,
      [
        '#!/bin/sh',
        `echo $$ >${quoted(`${name}.pid`)}`,
        ...(options.title === undefined ? [] : [`printf '\\033]0;%s\\007' ${quoted(options.title)}`]),
        // A terminal that runs already would start it in its own folder.
        ...(options.cwd === undefined ? [] : [`cd ${quoted(options.cwd)}`]),
        `exec ${(options.command ?? ['cat']).map(quoted).join(' ')}`,
        '',
      ].join('\n'),
    );
    chmodSync(name, 0o755);

    const env = { ...launch.env, ...options.env };
    const where = { env, ...(options.cwd === undefined ? {} : { cwd: options.cwd }) };
    const before = new Set((await manager.windows()).map((window) => window.conId));
    const isFirst = !used.has(kind);
    used.add(kind);
    if (isFirst && launch.server !== undefined) {
      const [program = '', ...args] = launch.server;
      shell.spawn(program, args, { env });
      await until(() => existsSync(launch.serves?.(shell) ?? ''), { why: program });
    }
    const [program = '', ...args] = ((isFirst && launch.first) || launch.open)(name, runtime);
    const launched = shell.spawn(program, args, where);

    const saw = () => ({ stdout: launched.stdout(), stderr: launched.stderr() });
    const pid = await until(() => readPid(`${name}.pid`), {
      why: `the command in ${kind}`,
      limit: 20_000,
      saw,
    });
    const window = await until(
      async () => (await manager.windows()).find(({ conId }) => !before.has(conId)),
      {
        why: `the window of ${kind}`,
        limit: 20_000,
        saw,
      },
    );
    const { conId, windowId } = window;
    // i3 gives new container ids when it restarts.
    const find = async () =>
      (await manager.windows()).find((one) =>
        windowId === null ? one.conId === conId : one.windowId === windowId,
      );
    if (options.workspace !== undefined)
      await manager.command(
        `[con_id=${conId}] move --no-auto-back-and-forth container to workspace ${manager.quoted(options.workspace)}`,
      );
    return {
      kind,
      pid,
      tty: readlinkSync(`/proc/${pid}/fd/0`),
      terminalPid: await pidOf(shell, window),
      conId,
      windowId,
      window: () => until(find, { why: `the window of ${kind}` }),
      focus: async () => manager.command(`[con_id=${(await find())?.conId}] focus`),
      async close() {
        process.kill(pid, 'SIGKILL');
        await until(async () => (await find()) === undefined, { why: `the window of ${kind} to close` });
      },
    };
  }

  return (kind, options = {}) => {
    const opened = queue.then(() => open(kind, options));
    queue = opened.catch(() => {});
    return opened;
  };
}
