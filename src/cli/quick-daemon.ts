import { complain } from './complaint.ts';
import { contextOf } from './context.ts';
import { daemon } from './daemon.ts';

/** `tsmux daemon` as clients and systemd start it: for days, so without the library of the command line in memory. */
export async function quickDaemon(detached: boolean): Promise<number> {
  try {
    return await daemon(contextOf(process.env, process.argv[1] ?? ''), detached ? { detached } : {});
  } catch (error) {
    return complain('daemon', error);
  }
}
