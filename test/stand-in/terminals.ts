import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { until } from '../support/until.ts';

/** tmux's names of keys, or one character. */
export type Key =
  | 'Enter'
  | 'Escape'
  | 'Tab'
  | 'BTab'
  | 'Up'
  | 'Down'
  | 'Left'
  | 'Right'
  | 'Space'
  | 'C-b'
  | 'C-c'
  | (string & {});

export interface Terminal {
  readonly kind: 'tmux' | 'xterm' | 'foot' | 'kitty' | 'pty';
  /** The program in it. */
  readonly pid: number;
  write(text: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** What is on the screen; on a bare PTY: what was drawn since the screen was last cleared. */
  screen(): Promise<string>;
  /** tmux only: the pane, `%0`, the server's socket and the session's name. */
  readonly pane: string | null;
  readonly socket: string | null;
  readonly session: string | null;
  /** The window, where it has one (X11). */
  readonly windowId: number | null;
  /** Ends the terminal, not asking the program in it. */
  close(): Promise<void>;
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Puts in front of a command what makes it another user's, or brings it into a namespace; keeps its pid. */
  readonly wrap?: (command: string, args: readonly string[]) => readonly [string, readonly string[]];
}

export const COLUMNS = 120;
export const ROWS = 50;

/** What keys send to the program. */
export const BYTES: Readonly<Record<string, string>> = {
  Enter: '\r',
  Escape: '\x1b',
  Tab: '\t',
  BTab: '\x1b[Z',
  Up: '\x1b[A',
  Down: '\x1b[B',
  Right: '\x1b[C',
  Left: '\x1b[D',
  Space: ' ',
  'C-b': '\x02',
  'C-c': '\x03',
};
const X11_NAMES: Readonly<Record<string, string>> = {
  Enter: 'Return',
  BTab: 'shift+Tab',
  Space: 'space',
  'C-b': 'ctrl+b',
  'C-c': 'ctrl+c',
};

/** The words of what a program wrote to its terminal, without what places and colours them. */
function words(drawn: string): string {
  const cleared = drawn.lastIndexOf('\x1b[2J');
  return drawn
    .slice(cleared + 1)
    .replace(/\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\r/g, '');
}

export async function run(command: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const code = await new Promise<number | null>((closed, fail) =>
    child.on('close', closed).on('error', fail),
  );
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: ${err.trim() || `ended with ${code}`}`);
  return out;
}

export function wrapped(program: Program, command: string, args: readonly string[]) {
  return program.wrap?.(command, args) ?? ([command, args] as const);
}

export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(/\s+/)
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null)
    await new Promise((gone) => child.once('exit', gone));
}

/** The program as the only pane of a tmux session of its own; programs with the same socket share a server. */
export async function openTmux(
  program: Program,
  tmux: { readonly socket: string; readonly session: string; readonly size?: readonly [number, number] },
): Promise<Terminal> {
  const command = async (...args: readonly string[]) => {
    const [file, all] = wrapped(program, 'tmux', ['-S', tmux.socket, '-f', '/dev/null', ...args]);
    return run(file, all, program.env);
  };
  const [columns, rows] = tmux.size ?? [COLUMNS, ROWS];
  const size = ['-x', String(columns), '-y', String(rows)];
  const where = ['-P', '-F', '#{pane_id} #{pane_pid}', '-c', program.cwd];
  // Several words are executed as they are; one would go through a shell (tmux(1), "new-window").
  // The server keeps the environment of the program that it was started for, so each gets its own.
  const env = Object.entries(program.env).map(([name, value]) => `${name}=${value}`);
  const words = ['env', ...env, program.command, ...program.args];
  const made = await command('new-session', '-d', '-s', tmux.session, ...size, ...where, '--', ...words);
  const [pane = '', pid = ''] = made.trim().split(' ');
  return {
    kind: 'tmux',
    pid: Number(pid),
    pane,
    socket: tmux.socket,
    session: tmux.session,
    windowId: null,
    write: async (text) => void (await command('send-keys', '-l', '-t', pane, '--', text)),
    press: async (key) => void (await command('send-keys', '-t', pane, '--', key)),
    screen: () => command('capture-pane', '-p', '-t', pane),
    close: async () => void (await command('kill-pane', '-t', pane).catch(() => '')),
  };
}

/**
 * The program in a window of its own on the display that `env` names. Nobody can ask xterm what it shows, so it
 * writes down all its output, and a tmux that nobody sees draws the same.
 * @param log the file that the terminal writes to.
 */
export async function openXterm(program: Program, log: string): Promise<Terminal> {
  const look = ['-xrm', 'XTerm*allowSendEvents: true', '-geometry', `${COLUMNS}x${ROWS}`, '-l', '-lf', log];
  const [file, args] = wrapped(program, 'xterm', [...look, '-e', program.command, ...program.args]);
  const child = spawn(file, args, { cwd: program.cwd, env: program.env, stdio: 'ignore' });
  const pid = await until(() => childrenOf(child.pid ?? 0)[0], { why: 'the program in xterm' });
  const windowId = await until(
    () => Number(/(?:^|\0)WINDOWID=(\d+)/.exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1]),
    { why: 'the window of xterm' },
  );
  let mirror: Terminal | undefined;
  let mirrored = '';
  /** The mirror has the size that the window has now: after a change Claude Code draws everything anew. */
  async function screen(): Promise<string> {
    const size = await run(...wrapped(program, 'stty', ['-F', `/proc/${pid}/fd/0`, 'size']), program.env);
    if (mirror === undefined || size !== mirrored) {
      await mirror?.close();
      mirrored = size;
      const [rows, columns] = size.trim().split(' ').map(Number);
      mirror = await openTmux(
        { ...program, command: 'sh', args: ['-c', 'stty raw -echo; exec tail -c +1 -F "$0"', log] },
        { socket: `${log}.tmux`, session: 'mirror', size: [columns ?? COLUMNS, rows ?? ROWS] },
      );
    }
    return mirror.screen();
  }
  const xdotool = (...rest: readonly string[]) => run(...wrappedTool(rest));
  const wrappedTool = (rest: readonly string[]) =>
    [...wrapped(program, 'xdotool', rest), program.env] as [string, readonly string[], Program['env']];
  return {
    kind: 'xterm',
    pid,
    pane: null,
    socket: null,
    session: null,
    windowId,
    write: async (text) =>
      void (await xdotool('type', '--window', String(windowId), '--delay', '1', '--', text)),
    press: async (key) => void (await xdotool('key', '--window', String(windowId), X11_NAMES[key] ?? key)),
    screen,
    close: async () => {
      await mirror?.close();
      child.kill('SIGTERM');
      await ended(child);
    },
  };
}

/** The program on a PTY without any window. `screen` is what it drew since it last cleared the screen. */
export async function openPty(program: Program): Promise<Terminal> {
  const start = `stty cols ${COLUMNS} rows ${ROWS}; exec "$0" "$@"`;
  const quoted = ['sh', '-c', start, program.command, ...program.args].map(
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  );
  const [file, args] = wrapped(program, 'script', ['-qfec', `exec ${quoted.join(' ')}`, '/dev/null']);
  const child = spawn(file, args, {
    cwd: program.cwd,
    env: { SHELL: '/bin/sh', ...program.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let drawn = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (drawn += text));
  child.stdin.on('error', () => {});
  const pid = await until(
    () => {
      const first = childrenOf(child.pid ?? 0)[0];
      // Until both exec it is still a shell.
      return (
        first !== undefined &&
        !/^(sh|dash|bash|script)\n/.test(readFileSync(`/proc/${first}/comm`, 'utf8')) &&
        first
      );
    },
    { why: 'the program on the PTY', saw: () => drawn },
  );
  const send = async (text: string) => void child.stdin.write(text);
  return {
    kind: 'pty',
    pid,
    pane: null,
    socket: null,
    session: null,
    windowId: null,
    write: send,
    press: (key) => send(BYTES[key] ?? key),
    screen: async () => words(drawn),
    close: async () => {
      // A SIGTERM to script itself would make it wait for two seconds.
      try {
        if (childrenOf(child.pid ?? 0).includes(pid)) process.kill(pid, 'SIGKILL');
      } catch {
        // It has ended meanwhile.
      }
      await ended(child);
    },
  };
}
