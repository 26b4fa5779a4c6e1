import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { WireSession, WireSnapshot } from '../../src/daemon/wire.ts';
import { readEnvironment, readStat } from '../../src/system/proc.ts';
import { aMachine, ended, type Machine } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Starting Node.js a few times on a busy machine takes a while. */
const PATIENT = { timeout: 60_000 };

/** Other Claude Codes may run on the machine where the tests do. */
async function sessionOf(machine: Machine, pid: number): Promise<WireSession | undefined> {
  const { text } = await machine.call('GET', '/v1/sessions');
  return (JSON.parse(text) as WireSnapshot).sessions.find((session) => session.pid === pid);
}

describe('the daemon that a command starts', PATIENT, () => {
  it('has a POSIX session of its own, no folder, and nothing of the environment of Claude Code or tmux', async () => {
    const machine = await aMachine({
      CLAUDECODE: '1',
      CLAUDE_CODE_MESSAGING_TOKEN: 'secret',
      CLAUDE_CONFIG_DIR: '/tmp/of-that-claude',
      ANTHROPIC_API_KEY: 'secret',
      TMUX: '/tmp/tmux-1000/default,1,0',
      TMUX_PANE: '%1',
      DISPLAY: ':77',
      LC_CTYPE: 'C.UTF-8',
    });
    expect(await machine.tsmux('list')).toMatchObject({ code: 0, stderr: '' });
    const pid = machine.daemonPid() ?? 0;
    const names = [...(readEnvironment(pid)?.keys() ?? [])];
    expect(names.sort()).toEqual(['DISPLAY', 'HOME', 'LC_CTYPE', 'PATH', 'XDG_RUNTIME_DIR']);
    expect(readStat(pid)).toMatchObject({ leader: pid, processGroup: pid, pts: null });
    expect(statSync(`/proc/${pid}/cwd/.`).ino).toBe(statSync('/').ino);
  });

  it('keeps none of the files that were open where it was started', async () => {
    const machine = await aMachine();
    const child = machine.start(['list'], {
      stdio: ['ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'pipe'],
    });
    const pipe = (child.stdio as readonly unknown[])[5] as Readable;
    const closed = new Promise((resolve) => pipe.once('close', resolve));
    pipe.resume();
    await ended(child);
    expect(machine.daemonPid()).not.toBeNull();
    // The pipe ends when nobody has its other end any more, although the daemon runs on.
    await closed;
  });

  it('is the only one, although twenty commands start it at once', async () => {
    const machine = await aMachine();
    const runs = await Promise.all(Array.from({ length: 20 }, () => machine.tsmux('list', '--json')));
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      runs.map(() => ({ code: 0, stderr: '' })),
    );
    const log = readFileSync(join(machine.home, '.local/state/tsmux/log'), 'utf8');
    expect(log.match(/the daemon listens/g)).toHaveLength(1);
    expect(readdirSync(join(machine.runtime, 'tsmux')).sort()).toEqual(['inbox', 'lock', 'tsmux.sock']);
  });

  it('is closed to others', async () => {
    const machine = await aMachine();
    await machine.tsmux('list');
    const mode = (path: string) => statSync(path).mode & 0o777;
    expect(mode(join(machine.runtime, 'tsmux'))).toBe(0o700);
    expect(mode(machine.socket)).toBe(0o600);
    expect(mode(join(machine.home, '.local/state/tsmux/log'))).toBe(0o600);
  });

  it('says in one line why it could not be started', async () => {
    const machine = await aMachine();
    mkdirSync(join(machine.runtime, 'tsmux'), { mode: 0o755 });
    const { code, stderr } = await machine.tsmux('list');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^tsmux: list: .*tsmux is open to others \(mode 755\): .*chmod 700.*\n$/);
  });
});

describe('a second daemon', PATIENT, () => {
  it('says that one runs already, and ends with 1', async () => {
    const machine = await aMachine();
    await machine.tsmux('list');
    const { code, stderr } = await machine.tsmux('daemon');
    expect(code).toBe(1);
    expect(stderr).toBe(
      `tsmux: daemon: a daemon runs already (pid ${machine.daemonPid()}): end it with: tsmux stop\n`,
    );
    expect((await machine.call('GET', '/v1/health')).status).toBe(200);
  });

  it('g2: leaves a daemon alone that accepts and does not reply', async () => {
    const machine = await aMachine();
    mkdirSync(join(machine.runtime, 'tsmux'), { mode: 0o700 });
    const slow = createServer(() => {});
    await new Promise<void>((resolve) => slow.listen(machine.socket, resolve));
    const { code, stderr } = await machine.tsmux('daemon');
    slow.close();
    expect(code).toBe(1);
    expect(stderr).toContain('a daemon runs already');
  });
});

describe('what a dead daemon left', PATIENT, () => {
  it('g1, g4: a socket and a lock stop nobody', async () => {
    const machine = await aMachine();
    await machine.tsmux('list');
    const killed = machine.daemonPid() ?? 0;
    process.kill(killed, 'SIGKILL');
    await until(() => readStat(killed) === null || readStat(killed)?.status === 'Z', { why: 'its death' });
    expect(existsSync(machine.socket)).toBe(true);
    expect(await machine.tsmux('list')).toMatchObject({ code: 0 });
    expect(machine.daemonPid()).not.toBe(killed);
  });

  it('g4: nor does a lock whose pid is that of another process now', async () => {
    const machine = await aMachine();
    mkdirSync(join(machine.runtime, 'tsmux'), { mode: 0o700 });
    const reused = {
      pid: process.pid,
      startTime: 1,
      bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    };
    writeFileSync(join(machine.runtime, 'tsmux/lock'), JSON.stringify(reused));
    expect(await machine.tsmux('list')).toMatchObject({ code: 0 });
    expect(machine.daemonPid()).not.toBe(process.pid);
  });
});

describe('the end of the daemon', PATIENT, () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'g13: %s ends the streams in order, removes socket and lock, and exits with 0',
    async (signal) => {
      const machine = await aMachine();
      const daemon = machine.start(['daemon'], { stdio: ['ignore', 'ignore', 'pipe'] });
      const over = ended(daemon);
      await until(() => machine.call('GET', '/v1/health'), { why: 'the daemon', limit: 20_000 });
      const watching = machine.call('GET', '/v1/watch');
      // A connection that asks nothing must not keep it either.
      const idle = connect(machine.socket);
      idle.on('error', () => {});
      await machine.call('GET', '/v1/sessions');
      daemon.kill(signal);
      expect((await watching).text).toContain('"type":"snapshot"');
      expect((await over).code).toBe(0);
      expect(readdirSync(join(machine.runtime, 'tsmux'))).toEqual([]);
    },
  );

  it('comes by `tsmux stop`, which waits for it and starts none', async () => {
    const machine = await aMachine();
    await machine.tsmux('list');
    expect(await machine.tsmux('stop')).toEqual({ code: 0, stdout: 'the daemon has ended\n', stderr: '' });
    expect(machine.daemonPid()).toBeNull();
    expect(await machine.tsmux('stop')).toEqual({ code: 0, stdout: 'no daemon runs\n', stderr: '' });
  });
});

it(
  'a daemon whose folder was swept away ends, and leaves the socket of the next one alone',
  PATIENT,
  async () => {
    const machine = await aMachine();
    await machine.tsmux('list');
    const first = machine.daemonPid() ?? 0;
    rmSync(join(machine.runtime, 'tsmux'), { recursive: true });
    expect(await machine.tsmux('list')).toMatchObject({ code: 0 });
    const second = machine.daemonPid();
    expect(second).not.toBe(first);
    await until(() => readStat(first) === null || readStat(first)?.status === 'Z', { why: 'its end' });
    expect((await machine.call('GET', '/v1/health')).status).toBe(200);
    expect(machine.daemonPid()).toBe(second);
  },
);

it('a daemon whose socket alone is gone makes room for the next one', PATIENT, async () => {
  const machine = await aMachine();
  await machine.tsmux('list');
  const first = machine.daemonPid();
  rmSync(machine.socket);
  expect(await machine.tsmux('list')).toMatchObject({ code: 0, stderr: '' });
  expect(machine.daemonPid()).not.toBe(first);
});

describe('sessions', PATIENT, () => {
  it('are there in the first answer, with their state, and keep id, label and state over a restart', async () => {
    const machine = await aMachine();
    const claude = machine.claude({ status: 'waiting', waitingFor: 'permission prompt' });
    await machine.tsmux('list');
    const before = await sessionOf(machine, claude.pid);
    expect(before).toMatchObject({ pid: claude.pid, state: 'needs-input', reason: 'permission prompt' });
    expect((await machine.tsmux('label', `pid:${claude.pid}`, 'web')).stderr).toBe('');
    await machine.tsmux('stop');
    await machine.tsmux('list');
    const after = await sessionOf(machine, claude.pid);
    expect(after).toMatchObject({ id: before?.id, label: 'web', state: 'needs-input' });
  });

  it('change in the tick of a hook', async () => {
    const machine = await aMachine();
    const claude = machine.claude();
    await machine.tsmux('list');
    const hook = { hook_event_name: 'UserPromptSubmit', session_id: claude.sessionId, prompt: 'hello' };
    const reply = await machine.call('POST', '/v1/hook', JSON.stringify(hook), { 'claude-pid': claude.pid });
    expect(reply).toMatchObject({
      status: 200,
      text: '',
      headers: { 'content-length': '0', connection: 'close' },
    });
    expect(await sessionOf(machine, claude.pid)).toMatchObject({ state: 'busy' });
  });

  it('take hooks of 2 MiB, and say what is wrong with one that is no hook', async () => {
    const machine = await aMachine();
    const claude = machine.claude();
    await machine.tsmux('list');
    const big = {
      hook_event_name: 'PermissionRequest',
      session_id: claude.sessionId,
      tool_name: 'Bash',
      tool_input: { command: `echo \u001b[31m\u202e${'x'.repeat(2 * 1024 * 1024)}` },
    };
    const headers = { 'claude-pid': claude.pid };
    // It is held for as long as the prompt is open.
    const reply = machine.call('POST', '/v1/hook', JSON.stringify(big), headers);
    await until(async () => (await sessionOf(machine, claude.pid))?.state === 'needs-input', {
      why: 'the prompt',
    });
    for (const bad of ['{"hook_event', '[]', '\0', '{"hook_event_name":7}', '']) {
      const { status, text } = await machine.call('POST', '/v1/hook', bad, headers);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'bad-request' } });
    }
    const huge = await machine.call('POST', '/v1/hook', 'x'.repeat(9 * 1024 * 1024), headers);
    expect(huge.status).toBe(413);
    expect((await sessionOf(machine, claude.pid))?.state).toBe('needs-input');
    await machine.tsmux('stop');
    expect(await reply).toMatchObject({ status: 200, text: '' });
  });
});
