import type { ProcessStat } from '../../system/proc.ts';
import type { DesktopWindow } from '../desktop.ts';
import { editor } from './editor.ts';
import { kitty } from './kitty.ts';
import { konsole } from './konsole.ts';
import type { Terminal } from './terminal.ts';
import { terminator } from './terminator.ts';

/** Those that need a way of their own; looked for in this order. */
const terminals: readonly Terminal[] = [kitty, konsole, terminator, editor];

/**
 * xterm, urxvt, st, alacritty, xfce4-terminal, mate-terminal: WINDOWID says it. gnome-terminal, tilix, lxterminal,
 * foot: only the title does. qterminal, cool-retro-term: a process for each window.
 */
const ordinary: Terminal = { name: 'terminal', is: () => true, showsTitle: true };

export function terminalOf(process: ProcessStat, windows: readonly DesktopWindow[]): Terminal {
  return terminals.find((terminal) => terminal.is(process, windows)) ?? ordinary;
}
