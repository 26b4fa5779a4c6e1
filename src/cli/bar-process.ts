import { existsSync, realpathSync } from 'node:fs';
import { createBarSource } from '../daemon/bar-source.ts';
import { pathsOf } from '../system/paths.ts';
import { isLinesKind, linesOptionsIn, runLines } from './bar-lines.ts';
import { i3barOptionsIn, runI3bar } from './i3bar.ts';

/**
 * `tsmux i3bar`, `tsmux waybar` and the like as bars start them, with as little in memory as can be.
 * @returns the exit code; null where the words are not plainly those of a bar.
 */
export async function barProcess(kind: string, words: readonly string[]): Promise<number | null> {
  if (isLinesKind(kind)) {
    const options = linesOptionsIn(kind, words);
    // i3blocks tells of a click by the environment.
    if (options === null || (options.once && process.env.BLOCK_BUTTON)) return null;
    return runLines(options, source());
  }
  const options = i3barOptionsIn(words);
  return options === null ? null : runI3bar(options, source());
}

function source(): ReturnType<typeof createBarSource> {
  const { env } = process;
  const uid = process.getuid?.() ?? 0;
  const entry = realpathSync(process.argv[1] ?? '');
  return createBarSource({ paths: pathsOf(env, uid, existsSync), uid, env, entry, say: () => {} });
}
