import { once } from 'node:events';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';

/** Runs until the daemon ends, or nobody reads any more. */
export async function watch({ client }: Context, options: { readonly changesOnly?: true }): Promise<void> {
  const query = options.changesOnly ? '?changes-only=1' : '';
  await client.lines(`/v1/watch${query}`, async (line) => {
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  });
  throw new Failure('no-daemon', 'the daemon has ended', 'run it again');
}
