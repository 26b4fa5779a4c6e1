import { fstatSync } from 'node:fs';
import { oneLine } from '../bars/text.ts';
import type { Face } from '../bars/theme.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whether stdout is a terminal. What writes into a pipe or a file knows without reading node:tty. */
export function onTerminal(): boolean {
  return fstatSync(1).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(1);
}

/** Whether stdout takes colours: a terminal, and nobody said no (https://no-color.org). */
export function hasColours(env: Environment): boolean {
  return onTerminal() && !env.NO_COLOR && env.TERM !== 'dumb';
}

/** The text in the theme's colour, where there are colours. Takes safe text. */
export function painted(text: string, face: Pick<Face, 'color'>, colours: boolean): string {
  const [, red, green, blue] = (colours && /^#(..)(..)(..)/.exec(face.color)) || [];
  if (red === undefined || green === undefined || blue === undefined) return text;
  const rgb = [red, green, blue].map((part) => Number.parseInt(part, 16)).join(';');
  return `\x1b[38;2;${rgb}m${text}\x1b[39m`;
}

export function faint(text: string, colours: boolean): string {
  return colours ? `\x1b[2m${text}\x1b[22m` : text;
}

/** Untrusted text of several lines, each made safe to print. */
export function safeLines(text: string): string {
  return text.split('\n').map(oneLine).join('\n');
}

/** `now`, `4m`, `3h`, `2d`. */
export function age(since: string, now: number): string {
  const minutes = Math.floor(Math.max(0, now - Date.parse(since)) / 60_000);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes}m`;
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 60 / 24)}d`;
}
