import type { Cancel, Clock } from '../../system/clock.ts';
import { follow } from './following.ts';
import type { Write } from './screen.ts';
import type { BarSource } from './source.ts';

export interface LinesParts {
  readonly write: Write;
  readonly source: BarSource;
  readonly startDaemon: () => void;
  readonly clock: Clock;
  /** Of the daemon's stream: `/v1/bar/waybar?slot=1`. */
  readonly path: string;
  /** What the bar shows while no daemon is there. */
  readonly away: string;
}

/**
 * How often the bar is told again that there is no daemon, ms. Only a write finds out that the bar has gone; while
 * there is a daemon it sends its line again from time to time.
 */
const awayAgain = 12_000;

/**
 * Bars that show the newest line of a program: writes what the daemon says, as it is. There is never more than one
 * line on its way; a bar that is slow gets the newest when it reads again.
 */
export function startLines(parts: LinesParts): { end(): void } {
  const { write, clock } = parts;
  let waiting: string | null = null;
  let busy = false;
  let cancelAway: Cancel = () => {};

  const show = (line: string) => {
    waiting = line;
    flush();
  };
  const flush = () => {
    if (busy || waiting === null) return;
    const line = waiting;
    waiting = null;
    busy = true;
    write(`${line}\n`, () => {
      busy = false;
      flush();
    });
  };
  const showAway = () => {
    show(parts.away);
    cancelAway = clock.after(awayAgain, showAway);
  };

  const unfollow = follow(
    `${parts.path}${parts.path.includes('?') ? '&' : '?'}keep-alive=1`,
    {
      onLine(line) {
        cancelAway();
        show(line);
      },
      onAway: showAway,
    },
    parts,
  );
  return {
    end() {
      unfollow();
      cancelAway();
    },
  };
}

/** How long a daemon may take to come up for a single line, ms. */
const comesUpWithin = 5_000;

/** One line, as it is now. @returns whether the daemon was there. */
export function writeOneLine(parts: LinesParts): Promise<boolean> {
  return new Promise((resolve) => {
    let written = false;
    const writeLine = (line: string, found: boolean) => {
      if (written) return;
      written = true;
      setImmediate(() => unfollow());
      parts.write(`${line}\n`, () => resolve(found));
    };
    const unfollow = follow(
      `${parts.path}${parts.path.includes('?') ? '&' : '?'}once=1`,
      { onLine: (line) => writeLine(line, true), onAway: () => {} },
      parts,
    );
    parts.clock.after(comesUpWithin, () => writeLine(parts.away, false));
  });
}
