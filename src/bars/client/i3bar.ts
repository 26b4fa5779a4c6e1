import type { Readable } from 'node:stream';
import type { Clock } from '../../system/clock.ts';
import type { I3barLine } from '../i3bar.ts';
import { styles } from '../theme.ts';
import { type BarClick, createClickReader } from './click-reader.ts';
import { follow } from './following.ts';
import { openScreen, type Write } from './screen.ts';
import type { BarSource } from './source.ts';
import type { WrappedProgram } from './wrapped-program.ts';

export interface I3barParts {
  /** Where the bar writes clicks; that it ends means that the bar has gone. */
  readonly clicks: Readable;
  readonly write: Write;
  readonly source: BarSource;
  readonly startDaemon: () => void;
  readonly clock: Clock;
  /** The status program to run beside tsmux. */
  readonly command: readonly string[];
  /** The output that this bar is on; null: whichever. */
  readonly output: string | null;
}

type Line = Pick<I3barLine, 'blocks' | 'wrapped'> & { readonly line: number | null };

/** What the bar shows while no daemon is there. */
const away: Line = {
  line: null,
  wrapped: 'right',
  blocks: [
    {
      name: 'tsmux',
      instance: 'away',
      full_text: 'tsmux off',
      short_text: 'tsmux off',
      color: styles.chips.faces.away.color,
      separator: true,
      separator_block_width: 9,
    },
  ],
};

/** i3bar and swaybar: writes what the daemon says and what the wrapped program shows; posts clicks. */
export function startI3bar(parts: I3barParts): { end(): Promise<void> } {
  const { source, clock, output } = parts;
  const screen = openScreen(parts.write, clock);
  let line: Line | null = null;
  let wrapped: WrappedProgram | null = null;

  const draw = () => {
    if (line === null && wrapped === null) return;
    const ours = line?.blocks ?? [];
    const theirs = wrapped?.blocks() ?? [];
    const blocks = line?.wrapped === 'left' ? [...theirs, ...ours] : [...ours, ...theirs];
    screen.show(JSON.stringify(blocks), line?.line ?? null);
  };

  const [file, ...args] = parts.command;
  // Read only where it is needed: a bar's process is to cost next to nothing.
  const wrapping =
    file === undefined
      ? null
      : import('./wrapped-program.ts').then(({ runWrapped }) => {
          wrapped = runWrapped([file, ...args], { clock, onChange: draw });
        });

  const onClick = (click: BarClick) => {
    if (click.name !== 'tsmux') {
      wrapped?.click(click);
      return;
    }
    if (typeof click.instance !== 'string' || typeof click.button !== 'number') return;
    const shown = screen.shown();
    source.post('/v1/click', {
      bar: 'i3bar',
      instance: click.instance,
      button: click.button,
      modifiers: Array.isArray(click.modifiers) ? click.modifiers.filter(isString) : [],
      line: shown.line,
      age: shown.age,
      output,
    });
  };
  parts.clicks.setEncoding('utf8');
  parts.clicks.on('data', createClickReader(onClick));

  const unfollow = follow(
    i3barPath(output),
    {
      onLine: (text) => {
        const next = lineIn(text);
        if (next === null) return;
        line = next;
        draw();
      },
      onAway: () => {
        line = { ...away, wrapped: line?.wrapped ?? away.wrapped };
        draw();
      },
    },
    parts,
  );

  return {
    async end() {
      unfollow();
      await wrapping;
      await wrapped?.end();
    },
  };
}

/** How long a daemon may take to come up for a single line, ms. */
const comesUpWithin = 5_000;

/** One line, as it is now: a JSON array of blocks. @returns whether the daemon was there. */
export function writeOnce(
  parts: Pick<I3barParts, 'write' | 'source' | 'startDaemon' | 'clock' | 'output'>,
): Promise<boolean> {
  return new Promise((resolve) => {
    let written = false;
    const writeLine = ({ blocks }: Line, found: boolean) => {
      if (written) return;
      written = true;
      setImmediate(() => unfollow());
      parts.write(`${JSON.stringify(blocks)}\n`, () => resolve(found));
    };
    const path = `${i3barPath(parts.output)}${parts.output === null ? '?' : '&'}once=1`;
    const onLine = (text: string) => {
      const line = lineIn(text);
      if (line !== null) writeLine(line, true);
    };
    const unfollow = follow(path, { onLine, onAway: () => {} }, parts);
    parts.clock.after(comesUpWithin, () => writeLine(away, false));
  });
}

function i3barPath(output: string | null): string {
  return `/v1/bar/i3bar${output === null ? '' : `?output=${encodeURIComponent(output)}`}`;
}

/** The daemon's own words; its version may differ from ours for a moment, so the shape is looked at. */
function lineIn(text: string): Line | null {
  try {
    const line: unknown = JSON.parse(text);
    if (typeof line !== 'object' || line === null) return null;
    const { blocks, line: number, wrapped } = line as Partial<I3barLine>;
    if (!Array.isArray(blocks)) return null;
    return {
      blocks,
      line: typeof number === 'number' ? number : null,
      wrapped: wrapped === 'left' ? 'left' : 'right',
    };
  } catch {
    return null;
  }
}

function isString(value: unknown): value is string {
  return typeof value === 'string';
}
