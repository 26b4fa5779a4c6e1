import { complain } from './complaint.ts';
import { contextOf } from './context.ts';
import { list } from './list.ts';

/** `tsmux list` with nothing but `--json` behind it. @returns the exit code. */
export async function quickList(json: boolean): Promise<number> {
  try {
    await list(contextOf(process.env, process.argv[1] ?? ''), json ? { json } : {});
    return 0;
  } catch (error) {
    return complain('list', error);
  }
}
