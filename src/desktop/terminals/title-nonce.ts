import { pause } from '../../system/clock.ts';
import type { DesktopWindow } from '../desktop.ts';
import type { Outside } from '../outside.ts';

export interface NonceQuestion {
  /** The terminal's PTY, never one that a multiplexer owns: there it would only be the pane's title. */
  readonly pts: number;
  /** The windows that it can be, with the titles as they are when this is called. */
  windows(): readonly DesktopWindow[];
  refreshTrees(): Promise<void>;
}

const patience = 1000;
const patienceForTitle = 200;

/**
 * Makes the terminal say by itself in which window it is: for a moment the title is a word that nobody else has.
 * Found within 2–40 ms where the title shows. The caller does this once for a process, and only when nothing
 * else tells: a word written from outside can land between two halves of what the program writes.
 *
 * Title saved and restored: `CSI 22;0 t`, `CSI 23;0 t` (xterm, ctlseqs, "Window manipulation"). Windows show it
 * with words of their own around it (`Terminal - NONCE`). A hidden tab shows it nowhere: null.
 */
export async function windowByTitle(
  question: NonceQuestion,
  outside: Outside,
): Promise<DesktopWindow | null> {
  const terminal = outside.openTerminal(question.pts);
  if (terminal === null) return null;
  const nonce = `tsmux-${outside.randomHex()}`;
  const titles = new Map(question.windows().map((window) => [window.conId, window.title]));
  const shown = () => question.windows().find((window) => window.title.includes(nonce));
  const wait = async (limit: number, done: () => boolean) => {
    for (let waited = 0, step = 5; waited < limit; waited += step, step = Math.min(step * 2, 80)) {
      await question.refreshTrees();
      if (done()) return;
      await pause(outside.clock, step);
    }
    await question.refreshTrees();
  };
  try {
    if (!terminal.write(`\x1b[22;0t\x1b]0;${nonce}\x07`)) return null;
    await wait(patience, () => shown() !== undefined);
    const found = shown() ?? null;
    terminal.write('\x1b[23;0t');
    if (found === null) return null;
    await wait(patienceForTitle, () => shown() === undefined);
    const before = titles.get(found.conId);
    const now = question.windows().find(({ conId }) => conId === found.conId)?.title;
    // qterminal and urxvt keep no stack of titles; mate-terminal comes back without one where nobody had set any.
    if (before !== undefined && (now === '' || shown() !== undefined))
      terminal.write(`\x1b]0;${printable(before)}\x07`);
    return found;
  } finally {
    terminal.close();
  }
}

/** A title is somebody else's text: no control character of it may reach a terminal. */
function printable(title: string): string {
  return title.replace(/[\u0000-\u001f\u007f-\u009f]/g, '');
}
