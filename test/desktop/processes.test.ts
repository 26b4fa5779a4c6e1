import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lineage, openOwnTerminal, systemProcesses } from '../../src/desktop/processes.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** A PTY of our own, as a terminal opens one. */
function openMaster(): number {
  const fd = openSync('/dev/ptmx', constants.O_RDWR | constants.O_NOCTTY);
  cleanups.push(() => closeSync(fd));
  return Number(/tty-index:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1]);
}

describe('/proc', () => {
  it('shows which terminals a process holds', () => {
    expect(systemProcesses.masters(process.pid)).toEqual([]);
    const pts = openMaster();
    expect(systemProcesses.masters(process.pid)).toEqual([pts]);
  });

  it('shows nothing of a process that is gone', () => {
    expect(systemProcesses.masters(2 ** 30)).toBeNull();
    expect(systemProcesses.sockets(2 ** 30)).toEqual([]);
    expect(systemProcesses.openTerminals(2 ** 30)).toEqual([]);
    expect(lineage(systemProcesses, 2 ** 30)).toEqual([]);
  });

  it('shows the Unix sockets of a process, those with a space and those without a file too', async () => {
    const names = [join(tmpdir(), `tsmux test ${process.pid}`), `\0tsmux-test-${process.pid}`];
    for (const name of names) {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(name, resolve));
      cleanups.push(() => server.close());
    }
    const shown = systemProcesses.sockets(process.pid);
    expect(shown).toContain(names[0]);
    // Node.js 20 pads the name to its full length.
    expect(shown.map((name) => name.replace(/@+$/, ''))).toContain(`@tsmux-test-${process.pid}`);
    expect(systemProcesses.sockets(process.ppid)).not.toContain(names[0]);
  });

  it('shows who started whom', () => {
    expect(
      lineage(systemProcesses, process.pid)
        .map(({ pid }) => pid)
        .slice(0, 2),
    ).toEqual([process.pid, process.ppid]);
  });

  it('knows that we share terminals with ourselves', () => {
    expect(systemProcesses.sharesTerminals(process.pid)).toBe(true);
  });
});

describe('a terminal that is written to from outside', () => {
  it('is not opened when it is not there', () => {
    expect(openOwnTerminal(99_999)).toBeNull();
  });

  it('is not opened when it is somebody else’s', () => {
    const pts = openMaster();
    const getuid = process.getuid;
    cleanups.push(() => {
      process.getuid = getuid as () => number;
    });
    process.getuid = () => 54_321;
    expect(openOwnTerminal(pts)).toBeNull();
  });
});
