import { parseArgs } from 'node:util';
import { startI3bar, writeOnce } from '../bars/client/i3bar.ts';
import type { BarSource } from '../bars/client/source.ts';
import { claimStdout } from '../bars/client/stdout.ts';
import { type Clock, systemClock } from '../system/clock.ts';
import { barGone } from './bar-gone.ts';

export interface I3barOptions {
  /** One line, then the end. */
  readonly once: boolean;
  /** Name of the output that the bar is on; null: whichever. */
  readonly output: string | null;
  /** The status program to run and merge in. */
  readonly command: readonly string[];
}

/**
 * Reads the words after `tsmux i3bar`; null where they need more than that (`--help`, a mistake). A bar's process
 * lives as long as the bar, and so does without the library of the command line.
 */
export function i3barOptionsIn(words: readonly string[]): I3barOptions | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: { once: { type: 'boolean' }, output: { type: 'string' } },
      allowPositionals: true,
    });
    return { once: values.once ?? false, output: values.output ?? null, command: positionals };
  } catch {
    return null;
  }
}

export interface I3barDeps {
  readonly source: BarSource;
  readonly startDaemon: () => void;
  readonly clock?: Clock;
}

/**
 * `tsmux i3bar`: what i3bar and swaybar start as their status_command. Runs until the bar has gone, then ends
 * without a word. @returns the exit code.
 */
export async function runI3bar(options: I3barOptions, deps: I3barDeps): Promise<number> {
  const { source, startDaemon, clock = systemClock } = deps;
  const { output, command } = options;
  const { promise: gone, resolve: onGone } = barGone(true);
  const write = claimStdout(process.stdout, process.stderr, onGone);
  // The streams and timers of a bar without clicks and daemon would not keep the process alive.
  const alive = setInterval(() => {}, 2 ** 30);
  try {
    if (options.once) {
      const found = await Promise.race([writeOnce({ write, source, startDaemon, clock, output }), gone]);
      return found === false ? 3 : 0;
    }
    const bar = startI3bar({ clicks: process.stdin, write, source, startDaemon, clock, command, output });
    await gone;
    await bar.end();
    return 0;
  } finally {
    clearInterval(alive);
  }
}
