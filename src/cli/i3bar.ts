import { fstatSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startI3bar, writeOnce } from '../bars/client/i3bar.ts';
import type { BarSource } from '../bars/client/source.ts';
import { claimStdout } from '../bars/client/stdout.ts';
import { type Clock, systemClock } from '../system/clock.ts';

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
  const { promise: gone, resolve: onGone } = barGone();
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

/** Resolves when there is no bar any more to read from, or somebody asks us to end. */
function barGone(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  // A bar holds the other end of a pipe; /dev/null is at its end from the start, and says nothing.
  if (isPipe(0)) process.stdin.once('end', resolve);
  process.stdin.on('error', resolve);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, resolve);
  return { promise, resolve };
}

function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket();
  } catch {
    return false;
  }
}
