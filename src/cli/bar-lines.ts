import { parseArgs } from 'node:util';
import { createClickReader } from '../bars/client/click-reader.ts';
import { clientKinds } from '../bars/client/kinds.ts';
import { startLines, writeOneLine } from '../bars/client/lines.ts';
import type { Write } from '../bars/client/screen.ts';
import type { BarSource } from '../bars/client/source.ts';
import { claimStdout } from '../bars/client/stdout.ts';
import { slotOf } from '../bars/slot-name.ts';
import { systemClock } from '../system/clock.ts';
import { ancestry, readProcessLink } from '../system/proc.ts';
import { barGone } from './bar-gone.ts';

/** The bars that show the newest line of a program. */
export type LinesKind = keyof typeof clientKinds;

export interface LinesOptions {
  readonly kind: LinesKind;
  readonly once: boolean;
  readonly slot: string | null;
  readonly output: string | null;
  /** tmux: marks windows and panes, too. */
  readonly marks: boolean;
}

export function isLinesKind(name: string | undefined): name is LinesKind {
  return name !== undefined && Object.hasOwn(clientKinds, name);
}

/** Reads the words after `tsmux waybar` and the like; null where they need more than that (`--help`, a mistake). */
export function linesOptionsIn(kind: LinesKind, words: readonly string[]): LinesOptions | null {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        once: { type: 'boolean' },
        output: { type: 'string' },
        slot: { type: 'string' },
        ...(kind === 'tmux' && { marks: { type: 'boolean' } }),
      },
    });
    const { slot = null, output = null } = values;
    if (typeof slot === 'string' && slotOf(slot) === null) return null;
    return {
      kind,
      once: values.once === true,
      slot: typeof slot === 'string' ? slot : null,
      output: typeof output === 'string' ? output : null,
      marks: 'marks' in values && values.marks === true,
    };
  } catch {
    return null;
  }
}

/** `tsmux waybar` and the like: runs until the bar has gone. @returns the exit code. */
export async function runLines(
  options: LinesOptions,
  deps: { readonly source: BarSource; readonly startDaemon: () => void },
): Promise<number> {
  const { kind, slot, output } = options;
  const { away, writesToClient, endsWithParent = false } = clientKinds[kind];
  const parent = process.ppid;
  const reads = writesToClient && !options.once && !sharesStdin();
  const { promise: gone, resolve: onGone } = barGone(reads);
  const writeToBar = claimStdout(process.stdout, process.stderr, onGone);
  const write: Write = (text, done) => {
    if (endsWithParent && process.ppid !== parent) onGone();
    else writeToBar(text, done);
  };
  const parts = { ...deps, write, clock: systemClock, path: pathOf(options), away };
  // The streams and timers of a bar without clicks and daemon would not keep the process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    if (options.once) {
      const found = await Promise.race([writeOneLine(parts), gone]);
      return found === false ? 3 : 0;
    }
    const bar = startLines(parts);
    const marks = options.marks ? await (await import('./tmux-marks.ts')).startMarks(deps) : null;
    if (reads) {
      const onClick = createClickReader(({ button }) => {
        // A number as i3bar sends it, or as i3blocks keeps it.
        const pressed = Number(button);
        if (Number.isInteger(pressed)) {
          deps.source.post('/v1/click', { bar: kind, slot, output, button: pressed });
        }
      });
      process.stdin.setEncoding('utf8').on('data', onClick);
    }
    await gone;
    bar.end();
    await marks?.end();
    return 0;
  } finally {
    clearInterval(alive);
  }
}

/** i3blocks 1.4 lets its blocks inherit the pipe in which i3bar sends it clicks: what we read there it would miss. */
function sharesStdin(): boolean {
  const ours = readProcessLink(process.pid, 'fd/0');
  return ancestry(process.ppid).some(
    ({ pid, comm }) => comm === 'i3blocks' && readProcessLink(pid, 'fd/0') === ours,
  );
}

function pathOf({ kind, slot, output }: LinesOptions): string {
  const query = queryOf({ slot, output });
  return `/v1/bar/${kind}${query === '' ? '' : `?${query}`}`;
}

/** `slot=1&output=HDMI-1` */
export function queryOf({ slot, output }: Pick<LinesOptions, 'slot' | 'output'>): string {
  return [
    ...(slot === null ? [] : [`slot=${slot}`]),
    ...(output === null ? [] : [`output=${encodeURIComponent(output)}`]),
  ].join('&');
}
