import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../support/until.ts';

const execute = promisify(execFile);

/** A tmux server of its own, with panes that show a screen and write down what is typed into them. */
export interface TmuxPanes {
  readonly socket: string;
  readonly folder: string;
  readonly run: (program: string, args: readonly string[]) => Promise<string | null>;
  tmux(...args: readonly string[]): Promise<string>;
  /** A new pane, in a window of its own, that shows the text. */
  open(text: string): Promise<ShowingPane>;
  close(): Promise<void>;
}

export interface ShowingPane {
  readonly id: string;
  /** Shows another text. What was typed before stays written down. */
  show(text: string): Promise<void>;
  /** The lines on its screen, as they are read. */
  lines(): Promise<readonly string[]>;
  typed(): Promise<string>;
}

export async function startTmux(): Promise<TmuxPanes> {
  const folder = await mkdtemp(join(tmpdir(), 'tsmux-tmux-'));
  const socket = join(folder, 'server');
  const env = { PATH: process.env.PATH, TERM: 'xterm-256color', LC_ALL: 'C.UTF-8', HOME: folder };
  const run = (program: string, args: readonly string[]) =>
    execute(program, [...args], { env, timeout: 5000 }).then(
      ({ stdout }) => stdout,
      () => null,
    );
  const tmux = async (...args: readonly string[]) => {
    const { stdout } = await execute('tmux', ['-u', '-S', socket, '-f', '/dev/null', ...args], { env });
    return stdout;
  };
  await tmux('new-session', '-d', '-x', '220', '-y', '50', '-s', 'work', 'cat');
  let panes = 0;

  const open = async (text: string): Promise<ShowingPane> => {
    const name = join(folder, `pane-${panes++}`);
    await writeFile(`${name}.typed`, '');
    const program = `stty -icanon -echo; cat ${name}.screen; echo ready >> ${name}.ready; exec cat >> ${name}.typed`;
    const screenOf = (shown: string) => `\x1b[?7l\x1b[H\x1b[2J${shown.trimEnd()}`;
    await writeFile(`${name}.screen`, screenOf(text));
    const id = (await tmux('new-window', '-d', '-P', '-F', '#{pane_id}', program)).trim();
    const isReady = async (times: number) => {
      const ready = await readFile(`${name}.ready`, 'utf8').catch(() => '');
      return ready.length === times * 'ready\n'.length;
    };
    let shows = 1;
    const lines = async () => (await tmux('capture-pane', '-p', '-t', id)).split('\n');
    /** What the program wrote is on the screen when tmux has read it all: its last line is there. */
    const isShown = async (shown: string) => {
      const last = shown.trimEnd().split('\n').at(-1) ?? '';
      await until(async () => (await isReady(shows)) && (await lines()).includes(last.trimEnd()), {
        why: 'the screen in the pane',
        saw: lines,
      });
    };
    await isShown(text);
    return {
      id,
      async show(other) {
        await writeFile(`${name}.screen`, screenOf(other));
        shows += 1;
        await tmux('respawn-pane', '-k', '-t', id, program);
        await isShown(other);
      },
      lines,
      typed: () => readFile(`${name}.typed`, 'utf8'),
    };
  };

  return {
    socket,
    folder,
    run,
    tmux,
    open,
    async close() {
      await tmux('kill-server').catch(() => '');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
