import { existsSync, realpathSync } from 'node:fs';
import { createBarSource } from '../daemon/bar-source.ts';
import { pathsOf } from '../system/paths.ts';
import { i3barOptionsIn, runI3bar } from './i3bar.ts';

/**
 * `tsmux i3bar` as bars start it, with as little in memory as can be. @returns the exit code; null where the words
 * are not plainly those of a bar.
 */
export async function barProcess(words: readonly string[]): Promise<number | null> {
  const options = i3barOptionsIn(words);
  if (options === null) return null;
  const { env } = process;
  const uid = process.getuid?.() ?? 0;
  const entry = realpathSync(process.argv[1] ?? '');
  return runI3bar(
    options,
    createBarSource({ paths: pathsOf(env, uid, existsSync), uid, env, entry, say: () => {} }),
  );
}
