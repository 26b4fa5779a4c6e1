import { setFlagsFromString } from 'node:v8';
import { startDaemon } from '../daemon/daemon.ts';
import { closeInherited, reportStart } from '../daemon/spawn.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';

/**
 * V8 would rather take memory than collect: ten thousand events made the daemon grow by 38 MiB, of which it used one.
 * With its tables for size, and a young generation that stays as small as it begins, it grows by about 12 MiB, and is no
 * slower.
 */
const frugal = ['--optimize-for-size', '--semi-space-growth-factor=1'];

export async function daemon(context: Context, options: { readonly detached?: true }): Promise<number> {
  for (const flag of frugal) setFlagsFromString(flag);
  if (options.detached) closeInherited();
  try {
    const running = await startDaemon(context);
    if (options.detached) reportStart(null);
    else process.stderr.write(`tsmux: the daemon listens on ${context.paths.socket}\n`);
    const code = await running.ended;
    // Whatever else is still open must not keep a daemon that has no socket any more.
    process.exit(code);
  } catch (error) {
    if (options.detached) reportStart(error instanceof Error ? error.message : String(error));
    throw error instanceof Failure ? error : new Failure('failed', String(error), 'see: tsmux doctor');
  }
}
