// Sessions on the lab's desktop: the stand-in for Claude Code in a terminal, or in a pane of tmux.
import { join } from 'node:path';
import { type Control, prepareStandIn, type StandInOptions } from '../stand-in/index.ts';
import type { AnyLab } from './lab.ts';
import type { Terminal, TerminalKind, XTerminal } from './terminals.ts';

export interface OpenSession<T extends Terminal = XTerminal> extends Control {
  /** Null in tmux: what shows the pane is opened by itself. */
  readonly terminal: T | null;
  /** Sends a prompt, as if typed; `SCN:slow` is one that Claude works at until `finish`. Waits for nothing. */
  prompt(text: string): void;
  finish(): Promise<void>;
}

export interface SessionOptions extends StandInOptions {
  /** Its folder is `~/code/NAME`, so this is what its block is called. */
  readonly name: string;
  readonly terminal?: TerminalKind;
  readonly workspace?: string;
  /** Arguments of a tmux command that makes a pane: `['new-window', '-t', 'main']`. */
  readonly tmux?: readonly string[];
}

export async function openSession<T extends Terminal>(
  lab: AnyLab<T>,
  options: SessionOptions,
): Promise<OpenSession<T>> {
  const { name, terminal: kind = 'xterm', workspace, tmux, ...standIn } = options;
  const cwd = join(lab.home, 'code', name);
  lab.write(join('code', name, 'README'), '');
  const { command, env, connected, close } = await prepareStandIn(standIn);
  lab.atStop(close);
  let terminal: T | null = null;
  if (tmux === undefined)
    terminal = await lab.terminal(kind, { command, env, cwd, ...(workspace !== undefined && { workspace }) });
  else {
    const words = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    await lab.tmux(...tmux, '-c', cwd, 'env', ...words, ...command);
  }
  const control = await connected;
  return {
    ...control,
    terminal,
    prompt: (text) => {
      // Done when the turn is over, which may be when everything is.
      control.step({ do: 'prompt', text }).catch(() => {});
    },
    finish: () => control.step({ do: 'finish' }),
  };
}
