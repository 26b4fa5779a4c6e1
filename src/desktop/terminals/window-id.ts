import type { DesktopWindow } from '../desktop.ts';
import type { Outside } from '../outside.ts';
import { given, type TerminalQuestion } from './terminal.ts';

/**
 * The window that WINDOWID names, where that can be believed: it is a 32-bit id (alacritty puts a pointer there
 * under Wayland), and such a window belongs to the process that owns the PTY (kitty, foot, terminator, lxterminal
 * keep the one of the terminal they were started from; qterminal says 0).
 */
export function byWindowId(question: TerminalQuestion, outside: Outside): DesktopWindow | null {
  const value = given(question, 'WINDOWID', outside);
  if (value === null || !/^\d{1,10}$/.test(value)) return null;
  const id = Number(value);
  if (id === 0 || id >= 2 ** 32) return null;
  return question.windows.find((window) => window.id === id) ?? null;
}
