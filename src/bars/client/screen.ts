import type { Clock } from '../../system/clock.ts';

/** At most ten lines a second: swaybar was seen at full load from more (swaywm/sway#1785). */
const betweenLines = 100;

/** Writes text to the bar; `done` is called when the text has left the process. */
export type Write = (text: string, done: () => void) => void;

export interface Shown {
  /** The number that the daemon gave the line; null for one that is not the daemon's. */
  readonly line: number | null;
  /** How long it has been out, ms. */
  readonly age: number;
}

export interface Screen {
  /** Shows the blocks, a JSON array in one line, as soon as the bar takes them; later ones replace what waits. */
  show(blocks: string, line: number | null): void;
  shown(): Shown;
}

/**
 * The bar's own side of the i3bar protocol: header, then an endless array of lines. There is never more than one
 * line on its way: a bar that is slow or stopped gets the newest when it reads again, and nothing in between.
 */
export function openScreen(write: Write, clock: Clock): Screen {
  let waiting: { readonly blocks: string; readonly line: number | null } | null = null;
  let busy = true;
  let planned = false;
  let lastBlocks: string | null = null;
  let lastAt = Number.NEGATIVE_INFINITY;
  let shown: { readonly line: number | null; readonly since: number } = { line: null, since: clock.now() };

  const plan = () => {
    if (planned || busy || waiting === null) return;
    planned = true;
    const wait = betweenLines - (clock.now() - lastAt);
    // Not at once: a process that was stopped finds all that came meanwhile, and only the last counts.
    if (wait > 0 && wait <= betweenLines) clock.after(wait, flush);
    else setImmediate(flush);
  };

  const flush = () => {
    planned = false;
    if (waiting === null) return;
    const { blocks, line } = waiting;
    waiting = null;
    if (blocks === lastBlocks) {
      shown = { ...shown, line };
      return;
    }
    const text = `${lastBlocks === null ? '' : ','}${blocks}\n`;
    lastBlocks = blocks;
    lastAt = clock.now();
    busy = true;
    write(text, () => {
      shown = { line, since: clock.now() };
      busy = false;
      plan();
    });
  };

  // In one write: swaybar 1.7 takes a header without its newline for plain text, for ever.
  write('{"version":1,"click_events":true}\n[\n', () => {
    busy = false;
    plan();
  });

  return {
    show(blocks, line) {
      waiting = { blocks, line };
      plan();
    },
    shown: () => ({ line: shown.line, age: clock.now() - shown.since }),
  };
}
