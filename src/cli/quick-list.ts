import type { WireSnapshot } from '../daemon/wire.ts';
import { complain } from './complaint.ts';
import { contextOf } from './context.ts';

/** `tsmux list` with nothing but `--json` behind it. @returns the exit code. */
export async function quickList(json: boolean): Promise<number> {
  try {
    const { client, env } = contextOf(process.env, process.argv[1] ?? '');
    // What writes the list is read while the daemon replies.
    const [snapshot, { printList }] = await Promise.all([
      client.request('GET', '/v1/sessions') as Promise<WireSnapshot>,
      import('./list.ts'),
    ]);
    // The connection need not be taken down first.
    if (await printList(snapshot, env, json)) process.exit(0);
    return 0;
  } catch (error) {
    return complain('list', error);
  }
}
