import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import type { Clock } from '../system/clock.ts';
import { isShortage } from '../system/error-code.ts';
import type { Log } from '../system/log.ts';
import { type OpenTerminal, openOwnTerminal, type ProcessTable, systemProcesses } from './processes.ts';

/** Everything that the walk from a process to its window touches outside this program. */
export interface Outside {
  readonly clock: Clock;
  readonly log: Log;
  readonly processes: ProcessTable;
  /**
   * What the program printed; null when it is not there, failed, or took longer than three seconds. Rejected where no
   * program can be run for want of descriptors or memory (`isShortage`).
   */
  run(program: string, args: readonly string[]): Promise<string | null>;
  /** Null where it is not this user's, or gone. */
  openTerminal(pts: number): OpenTerminal | null;
  /** Eight characters that nobody has in a window's title by chance. */
  randomHex(): string;
}

export function realOutside(clock: Clock, log: Log): Outside {
  return {
    clock,
    log,
    processes: systemProcesses,
    run: (program, args) =>
      new Promise((resolve, reject) => {
        execFile(program, [...args], { timeout: 3000, maxBuffer: 4 << 20 }, (error, stdout) => {
          if (isShortage(error)) return reject(error);
          if (error !== null) log.debug({ program, code: error.code ?? null }, 'a question was not answered');
          resolve(error === null ? stdout : null);
        });
      }),
    openTerminal: openOwnTerminal,
    randomHex: () => randomBytes(4).toString('hex'),
  };
}
