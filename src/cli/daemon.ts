import { startDaemon } from '../daemon/daemon.ts';
import { closeInherited, reportStart } from '../daemon/spawn.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';

export async function daemon(context: Context, options: { readonly detached?: true }): Promise<number> {
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
