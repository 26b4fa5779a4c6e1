import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { aMachine, builtProgram, type Machine } from '../support/program.ts';
import { until } from '../support/until.ts';

const PATIENT = { timeout: 60_000 };

/** Sees mounts of its own. */
const apart = ['--user', '--map-root-user', '--mount', '--', 'sh', '-c'];

/** A shell for which the runtime folder has so much room as a file system of its own. */
async function inASmallFolder(machine: Machine, size: string, script: string): Promise<ChildProcess> {
  const mount = 'mount -t tmpfs -o mode=700,size="$0" tmpfs "$XDG_RUNTIME_DIR"';
  const tsmux = [process.execPath, await builtProgram()];
  const shell = spawn('unshare', [...apart, `${mount} && ${script}`, size, ...tsmux], { env: machine.env });
  onTestFinished(() => void shell.stdin.end());
  return shell;
}

describe('where there is no room left in the runtime folder', PATIENT, () => {
  it('a command says so, and leaves nothing behind', async () => {
    const machine = await aMachine();
    const fill =
      'mkdir -m 700 "$XDG_RUNTIME_DIR/tsmux"; cat /dev/zero >"$XDG_RUNTIME_DIR/ballast" 2>/dev/null';
    const { stdout, stderr } = await inASmallFolder(
      machine,
      '64k',
      `${fill}; "$@" list; echo $?; ls "$XDG_RUNTIME_DIR/tsmux"`,
    );
    if (stdout === null || stderr === null) throw new Error('the shell has no pipes');
    expect(await Promise.all([text(stdout), text(stderr)])).toEqual([
      '3\n',
      `tsmux: list: there is no room left in ${machine.runtime}/tsmux: make room there\n`,
    ]);
  });

  it('a daemon whose hooks can leave nothing runs all the same, and lets them when there is room', async () => {
    const machine = await aMachine();
    // There is room for its lock, and for nothing else.
    const shell = await inASmallFolder(
      machine,
      '4k',
      '"$@" daemon & read -r go; mount -o remount,size=1m "$XDG_RUNTIME_DIR"; read -r end; kill $!',
    );
    const runtime = `/proc/${shell.pid}/root${machine.runtime}/tsmux`;
    const read = (name: string) => readFileSync(join(runtime, name), 'utf8');
    const log = () => readFileSync(join(machine.home, '.local/state/tsmux/log'), 'utf8');
    await until(() => log().includes('the daemon listens'), { why: 'the daemon', limit: 20_000 });
    expect(log()).toContain('hooks can leave nothing for now');
    expect(readdirSync(runtime)).toContain('tsmux.sock');
    shell.stdin?.write('go\n');
    const { pid } = JSON.parse(read('lock')) as { readonly pid: number };
    await until(() => read('inbox/daemon') === `${pid}\n`, { why: 'the sign of the daemon', limit: 20_000 });
  });
});
