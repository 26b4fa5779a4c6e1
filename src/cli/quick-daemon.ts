import { setFlagsFromString } from 'node:v8';
import { complain } from './complaint.ts';
import { contextOf } from './context.ts';

/**
 * V8 would rather take memory than collect: ten thousand events made the daemon grow by 38 MiB, of which it used one.
 * With its tables for size, and a young generation that stays as small as it begins, it grows by about 12 MiB, and is no
 * slower.
 */
const frugal = ['--optimize-for-size', '--semi-space-growth-factor=1'];

/** `tsmux daemon` as clients and systemd start it: for days, so without the library of the command line in memory. */
export async function quickDaemon(detached: boolean): Promise<number> {
  for (const flag of frugal) setFlagsFromString(flag);
  try {
    const { daemon } = await import('./daemon.ts');
    return await daemon(contextOf(process.env, process.argv[1] ?? ''), detached ? { detached } : {});
  } catch (error) {
    return complain('daemon', error);
  }
}
