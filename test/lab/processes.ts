import { readdirSync, readFileSync } from 'node:fs';

export interface LabProcess {
  readonly pid: number;
  readonly parent: number;
  /** One letter of proc(5): `S` sleeps, `T` is stopped, `Z` has ended and nobody has asked for its end. */
  readonly status: string;
  /** Words of its command line, with blanks between. */
  readonly command: string;
}

/** Everything that runs with a lab's folder in its environment, whoever its parent is by now. */
export function processesIn(folder: string): LabProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      if (!readFileSync(`/proc/${name}/environ`, 'latin1').includes(folder)) return [];
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [status = '?', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid: Number(name), parent: Number(parent), status, command }];
    } catch {
      // It ended in between, or hides its environment (setgid terminals, from all but root).
      return [];
    }
  });
}
