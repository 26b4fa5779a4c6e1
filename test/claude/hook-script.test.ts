import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findHookClient, hookScripts, hookTime } from '../../src/claude/hook-script.ts';

describe('the script for a question', () => {
  it('starts tsmux itself where there is no client', () => {
    const { hold } = hookScripts({
      client: { kind: 'node' },
      socket: '/run/tsmux.sock',
      node: "/opt/no'de",
      tsmux: '/opt/tsmux.js',
      cat: '/bin/cat',
    });
    expect(hold).toContain(`[ -S "$socket" ] || exit 0\nexec '/opt/no'\\''de' /opt/tsmux.js hook\n`);
  });

  it('uses the cheapest client of the machine', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tsmux-clients-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const install = (name: string, says: string) => {
      const path = join(folder, name);
      writeFileSync(path, `#!/bin/sh\necho '${says}' >&2\n`, { mode: 0o755 });
      return path;
    };
    // Where a program is not there, that of the machine would be found.
    const socat = install('socat', 'socat');
    for (const name of ['nc.openbsd', 'nc']) install(name, 'GNU netcat 0.7.1, which has no Unix sockets');
    expect(findHookClient(folder)).toEqual({ kind: 'socat', path: socat });
    const nc = install('nc', 'OpenBSD netcat (Debian patchlevel 1.219-1)');
    expect(findHookClient(folder)).toEqual({ kind: 'nc', path: nc });
    const named = install('nc.openbsd', 'OpenBSD netcat (Debian patchlevel 1.219-1)');
    expect(findHookClient(folder)).toEqual({ kind: 'nc', path: named });
  });
});

describe('the time of a hook', () => {
  it('is what the script or the command sent, unless it makes no sense', () => {
    const now = Date.now();
    const uptime = Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);
    expect(hookTime({ 'hook-start': String(now - 40) }, now)).toBe(now - 40);
    const began = hookTime({ 'hook-uptime': String(uptime - 1) }, now) ?? 0;
    expect(began - (now - 1000)).toBeGreaterThan(-200);
    expect(began).toBeLessThanOrEqual(now - 1000);
    expect(hookTime({ 'hook-start': String(now + 5000) }, now)).toBeNull();
    expect(hookTime({ 'hook-start': String(now - 59_000) }, now)).toBe(now - 59_000);
    expect(hookTime({ 'hook-start': String(now - 61_000) }, now)).toBeNull();
    expect(hookTime({ 'hook-start': String(now - 599_000) }, now, 600_000)).toBe(now - 599_000);
    expect(hookTime({ 'hook-uptime': String(uptime - 300) }, now)).toBeNull();
    expect(hookTime({ 'hook-start': '1' }, now)).toBeNull();
    expect(hookTime({ 'hook-start': 'x', 'hook-uptime': 'y' }, now)).toBeNull();
    expect(hookTime({}, now)).toBeNull();
  });
});
