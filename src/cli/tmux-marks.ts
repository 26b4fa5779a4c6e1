import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { BarSource } from '../bars/client/source.ts';
import { followMarks } from '../bars/client/tmux-marks.ts';
import { systemClock } from '../system/clock.ts';
import { ancestry } from '../system/proc.ts';

/** Marks the windows and panes of the tmux server that runs this process. */
export function startMarks(deps: { readonly source: BarSource; readonly startDaemon: () => void }): {
  end(): Promise<void>;
} {
  // tmux(1): TMUX holds the socket, the server's pid and the session, with commas between.
  const socket = process.env.TMUX?.replace(/,[^,]*,[^,]*$/, '') ?? '';
  const server = socket === '' ? [] : ['-S', socket];
  const run = promisify(execFile);
  return followMarks({
    ...deps,
    clock: systemClock,
    tmux: async (args) => (await run('tmux', [...server, ...args], { timeout: 5_000 })).stdout,
    ancestors: (pid) => ancestry(pid).map((process) => process.pid),
  });
}
