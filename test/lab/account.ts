// Who runs the lab's programs. As root they run as a plain user: root sees through permissions that tsmux meets
// in real life (setgid terminals hide their file descriptors), and some programs refuse root.
import { execFileSync, spawnSync } from 'node:child_process';
import { until } from '../support/until.ts';

export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  /** Puts what is needed to become this user in front of a command; the pid stays that of the command. */
  as(command: string, args: readonly string[]): readonly [string, readonly string[]];
}

function number(...args: readonly string[]): number | null {
  const { status, stdout } = spawnSync('id', args, { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : null;
}

/** Whoever runs the tests; for root the plain user of this name, who is created when there is none. */
export async function labAccount(name = 'lab'): Promise<Account> {
  if (process.getuid?.() !== 0) {
    return {
      name: execFileSync('id', ['-un'], { encoding: 'utf8' }).trim(),
      uid: number('-u') ?? -1,
      gid: number('-g') ?? -1,
      as: (command, args) => [command, args],
    };
  }
  const uid = await until(
    () => {
      const known = number('-u', name);
      // Fails while another test file creates the same user; then the next look finds it.
      if (known === null) spawnSync('useradd', ['--no-create-home', '--shell', '/bin/bash', name]);
      return known;
    },
    { why: `the user ${name}`, limit: 10_000 },
  );
  return {
    name,
    uid,
    gid: number('-g', name) ?? uid,
    as: (command, args) => [
      'setpriv',
      ['--reuid', name, '--regid', name, '--init-groups', '--', command, ...args],
    ],
  };
}
