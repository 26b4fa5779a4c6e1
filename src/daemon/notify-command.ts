import { type ChildProcess, spawn } from 'node:child_process';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';

/** How long the user's program may take, ms. */
const LIMIT = 5_000;

/**
 * Runs the program that the user wants to be told by, with JSON on its stdin. It gets a process group of its own, and
 * is killed with all of it when it takes too long. Nobody reads what it prints.
 */
export function runNotifyCommand(
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  [program = '', ...args]: readonly string[],
  told: unknown,
): void {
  const doesNotStart = (error: unknown) =>
    log.warn({ program, error: String(error) }, 'the notification command does not start');
  let child: ChildProcess;
  try {
    child = spawn(program, args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  } catch (error) {
    // Most reasons are told by the child; some, as more words than the kernel takes, are thrown.
    doesNotStart(error);
    return;
  }
  const cancel = clock.after(LIMIT, () => {
    log.warn({ program }, 'the notification command takes too long, and is ended');
    if (child.pid !== undefined) killGroup(child.pid);
  });
  child.once('error', (error) => {
    cancel();
    doesNotStart(error);
  });
  child.once('exit', (code, signal) => {
    cancel();
    if (code !== 0) log.info({ program, code, signal }, 'the notification command failed');
  });
  child.unref();
  // A program that does not read what it is told is no fault. Where no descriptor is left there is no pipe either.
  child.stdin?.on('error', () => {});
  child.stdin?.end(`${JSON.stringify(told)}\n`);
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
