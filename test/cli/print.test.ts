import { execFile } from 'node:child_process';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { print } from '../../src/cli/print.ts';
import { aMachine, builtProgram } from '../support/program.ts';

const run = promisify(execFile);
const stdout = vi.hoisted(() => ({ written: '', takes: Number.POSITIVE_INFINITY, code: 'EAGAIN' }));

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  writeSync(_: number, bytes: Buffer, from: number) {
    if (stdout.takes <= 0) throw Object.assign(new Error('write'), { code: stdout.code });
    const some = bytes.subarray(from, from + Math.min(stdout.takes, 3));
    stdout.takes -= some.length;
    stdout.written += some.toString();
    return some.length;
  },
}));

describe('what is printed', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    Object.assign(stdout, { written: '', takes: Number.POSITIVE_INFINITY });
  });

  it('is written whole, however little is taken at a time', () => {
    expect(print('one session\n')).toBe(true);
    expect(stdout.written).toBe('one session\n');
  });

  it('goes on by itself where a pipe is full and does not wait', () => {
    const rest = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    Object.assign(stdout, { takes: 4, code: 'EAGAIN' });
    expect(print('one session\n')).toBe(false);
    expect(stdout.written + String(rest.mock.calls[0]?.[0])).toBe('one session\n');
  });

  it('may be read in part: `tsmux list | head -1`', () => {
    Object.assign(stdout, { takes: 4, code: 'EPIPE' });
    expect(print('one session\n')).toBe(true);
    Object.assign(stdout, { takes: 0, code: 'ENOSPC' });
    expect(() => print('one session\n')).toThrow('the output cannot be written (ENOSPC)');
  });
});

describe('tsmux list', () => {
  it('ends without a word when its reader has enough, and waits for one that is slow', async () => {
    const { claude, tsmux, env } = await aMachine();
    for (let n = 0; n < 60; n++) claude();
    const whole = (await tsmux('list', '--json')).stdout;
    expect(whole.length).toBeGreaterThan(40_000);
    const program = await builtProgram();
    const through = (reader: string) =>
      run('sh', ['-c', `"$0" "$1" list --json | ${reader}`, process.execPath, program], {
        env,
        maxBuffer: 1e7,
      });
    const { stdout: slowly, stderr } = await through('(read -r first; sleep 0.3; printf %s "$first")');
    // Other sessions may run on this machine.
    expect(JSON.parse(slowly).sessions.length).toBeGreaterThanOrEqual(60);
    expect(stderr).toBe('');
    expect(await through('head -c 1')).toMatchObject({ stdout: '{', stderr: '' });
  });

  it('and what else prints says in one line that its output cannot be written', async () => {
    const { env } = await aMachine();
    const program = await builtProgram();
    for (const words of [
      'list',
      'list --json',
      'prompts',
      'doctor',
      'watch',
      '--help',
      'waybar --print-config',
    ]) {
      const full = run('sh', ['-c', `"$0" "$1" ${words} > /dev/full`, process.execPath, program], { env });
      await expect(full, words).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^tsmux: [^\n]+: the output cannot be written \(ENOSPC\): [^\n]+\n$/),
      });
    }
  });

  it('needs no code cache, and takes none that is damaged', async () => {
    const { env, home, tsmux } = await aMachine();
    await tsmux('list');
    const dist = join(home, 'dist');
    cpSync(dirname(await builtProgram()), dist, { recursive: true });
    const cache = join(dist, 'quick/list.js.cache');
    expect(existsSync(cache)).toBe(true);
    const list = () => run(process.execPath, [join(dist, 'tsmux.js'), 'list', '--json'], { env });
    for (const damage of [() => writeFileSync(cache, 'no code'), () => rmSync(cache)]) {
      damage();
      const { stdout, stderr } = await list();
      expect(JSON.parse(stdout)).toMatchObject({ version: 1, sessions: expect.any(Array) });
      expect(stderr).toBe('');
    }
  });
});
