import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WireSnapshot } from '../../src/daemon/wire.ts';
import { aMachine, builtProgram, ended, type Machine } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Starting Node.js a few times on a busy machine takes a while. */
const PATIENT = { timeout: 60_000 };

describe('the exit code', PATIENT, () => {
  it('is 2 for wrong usage, 4 for a session that is not there, and the error is one line', async () => {
    const machine = await aMachine();
    const cases = [
      [2, ['nonsense']],
      [2, ['list', '--nonsense']],
      [2, ['help', 'nonsense']],
      [2, ['help', 'list', 'nonsense']],
      [2, ['label']],
      [2, ['click', '--bar', 'i3bar', '--button', 'left', '--instance', 'x']],
      [2, ['click', '--bar', 'mybar', '--button', '1', '--slot', '1']],
      [2, ['setup', '--config-dir', '', '--dry-run']],
      [2, ['setup', '--check', '--remove']],
      [2, ['setup', '--remove', '--deny']],
      [2, ['waybar', '--slots', '3']],
      [4, ['show', 'nobody']],
      [4, ['label', 'nobody', 'web']],
      [4, ['label', '', 'web']],
      [4, ['switch', 'nobody-at-all']],
      [4, ['next', '--back']],
    ] as const;
    for (const [code, args] of cases) {
      const ran = await machine.tsmux(...args);
      expect({ args, ...ran }).toMatchObject({ args, code, stdout: '' });
      expect(ran.stderr).toMatch(/^tsmux: [^\n]+: [^\n]+\n$/);
    }
  });

  it('comes with where the right words are', async () => {
    const machine = await aMachine();
    const saying = async (...args: string[]) => (await machine.tsmux(...args)).stderr;
    expect(await saying('nonsense')).toBe("tsmux: unknown command 'nonsense': see: tsmux --help\n");
    expect(await saying('label')).toBe(
      "tsmux: missing required argument 'session': see: tsmux label --help\n",
    );
    expect(await saying('list', 'all')).toBe(
      "tsmux: too many arguments for 'list'. Expected 0 arguments but got 1: see: tsmux list --help\n",
    );
    expect(await saying('help', 'nonsense')).toBe("tsmux: unknown command 'nonsense': see: tsmux --help\n");
    const started = await aMachine();
    expect((await started.tsmux('show', 'p7c2ab')).stderr).toBe(
      'tsmux: show: there is no session and no open prompt "p7c2ab": see: tsmux list, tsmux prompts, tsmux history\n',
    );
    expect((await started.tsmux('answer', '1;2')).stderr).toBe(
      'tsmux: answer: "1;2" is not the key of an option, nor several of one question, as 1,3: the keys are in: tsmux prompts\n',
    );
    expect(await machine.tsmux('help', 'label')).toEqual(await machine.tsmux('label', '--help'));
    expect(await machine.tsmux('help')).toEqual(await machine.tsmux('--help'));
    expect(machine.daemonPid()).toBeNull();
  });

  it('is 3 where no daemon can be started', async () => {
    const machine = await aMachine();
    const long = {
      ...machine,
      env: { ...machine.env, XDG_RUNTIME_DIR: join(machine.runtime, 'x'.repeat(90)) },
    };
    mkdirSync(long.env.XDG_RUNTIME_DIR, { mode: 0o700 });
    const child = spawn(process.execPath, [await builtProgram(), 'list'], { env: long.env });
    const { code, stderr } = await ended(child);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^tsmux: list: the socket's path has \d+ bytes, and Linux allows 107: .*: set XDG_RUNTIME_DIR/,
    );
  });
});

it('tsmux --version says the version, and starts nothing', PATIENT, async () => {
  const machine = await aMachine();
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(await machine.tsmux('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect(machine.daemonPid()).toBeNull();
});

describe('tsmux hook', PATIENT, () => {
  const run = async (machine: Machine, input: string) => {
    const child = machine.start(['hook'], { stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
    return ended(child);
  };

  it('b8: without a daemon says nothing, ends with 0, and starts none', async () => {
    const machine = await aMachine();
    expect(await run(machine, '{"hook_event_name":"Stop"}')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(machine.daemonPid()).toBeNull();
  });

  it('b8: with a dead socket, a daemon that hangs up, or garbage on stdin says nothing, and ends with 0', async () => {
    const machine = await aMachine();
    const quiet = { code: 0, stdout: '', stderr: '' };
    mkdirSync(join(machine.runtime, 'tsmux'), { mode: 0o700 });
    writeFileSync(machine.socket, '');
    expect(await run(machine, '{}')).toEqual(quiet);
    await machine.tsmux('list');
    for (const input of ['', '{"hook', '\0\u001b[31m', '[]'])
      expect(await run(machine, input)).toEqual(quiet);
  });

  it('tells the daemon of the process that started it', async () => {
    const machine = await aMachine();
    const claude = machine.claude();
    await machine.tsmux('list');
    const hook = { hook_event_name: 'UserPromptSubmit', session_id: claude.sessionId, prompt: 'hello' };
    await run(machine, JSON.stringify(hook));
    const { text } = await machine.call('GET', `/v1/sessions/pid:${claude.pid}`);
    // The test is not that process; its session id tells which it is.
    expect(JSON.parse(text)).toMatchObject({ state: 'busy' });
  });
});

describe('tsmux list', PATIENT, () => {
  it('is aligned and plain in a pipe', async () => {
    const machine = await aMachine();
    const claude = machine.claude({ status: 'waiting', waitingFor: 'permission prompt' });
    await machine.tsmux('list');
    await machine.tsmux('label', `pid:${claude.pid}`, 'web');
    const { stdout } = await machine.tsmux('list');
    const line = stdout.split('\n').find((one) => one.includes(' web '));
    expect(line).toMatch(/^▲ needs-input {2}[a-z0-9]+ {2}web\s+- {2}now {2}permission prompt$/);
    expect(stdout).not.toContain('\u001b');
  });

  it('g16: ends quietly when nobody reads on', async () => {
    const machine = await aMachine();
    for (let n = 0; n < 40; n++) machine.claude({ cwd: `/home/ada/${'x'.repeat(2_000)}${n}` });
    await machine.tsmux('list');
    const script = `"$0" "$1" list --json | head -c 1 >/dev/null; echo "\${PIPESTATUS[0]}"`;
    const child = spawn('bash', ['-c', script, process.execPath, await builtProgram()], { env: machine.env });
    expect(await ended(child)).toEqual({ code: 0, stdout: '0\n', stderr: '' });
  });
});

describe('tsmux watch', PATIENT, () => {
  it('prints a line for each change until the daemon ends', async () => {
    const machine = await aMachine();
    const claude = machine.claude();
    const child = machine.start(['watch'], { stdio: ['ignore', 'pipe', 'pipe'] });
    const ran = ended(child);
    let lines = '';
    child.stdout?.on('data', (chunk) => (lines += chunk));
    await until(() => lines.includes('"type":"snapshot"'), { why: 'the snapshot', limit: 20_000 });
    claude.says({ status: 'busy', statusUpdatedAt: Date.now() });
    await until(() => /"type":"session".*"state":"busy"/.test(lines), { why: 'the change' });
    claude.kill();
    await machine.tsmux('stop');
    const { code, stdout, stderr } = await ran;
    expect(code).toBe(3);
    expect(stderr).toBe('tsmux: watch: the daemon has ended: run it again\n');
    for (const line of stdout.trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });
});

describe('g8: a daemon of an older version', PATIENT, () => {
  /** Speaks as a daemon of version 0.0.1 does to a newer client. */
  async function anOldDaemon(machine: Machine, version: string) {
    mkdirSync(join(machine.runtime, 'tsmux'), { mode: 0o700 });
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.setHeader('tsmux-version', version);
      if (request.url === '/v1/stop') {
        response.end('{"supervised":false}');
        response.on('close', () => server.close());
        return;
      }
      response.statusCode = 426;
      response.end('{"error":{"code":"older-daemon","message":"old","hint":"restart it"}}');
    });
    await new Promise<void>((resolve) => server.listen(machine.socket, resolve));
    onTestFinished(() => void server.close());
    return asked;
  }

  it('is asked to end, and replaced, before the command is done', async () => {
    const machine = await aMachine();
    const asked = await anOldDaemon(machine, '0.0.1');
    expect(await machine.tsmux('list', '--json')).toMatchObject({ code: 0, stderr: '' });
    expect(asked).toEqual(['GET /v1/sessions', 'POST /v1/stop']);
    expect(machine.daemonPid()).not.toBeNull();
  });

  it('leaves alone a daemon that is newer than the client', async () => {
    const machine = await aMachine();
    await machine.tsmux('list');
    const first = machine.daemonPid();
    const reply = await machine.call('GET', '/v1/sessions', '', { 'tsmux-version': '0.0.1' });
    expect(reply.status).toBe(200);
    expect(machine.daemonPid()).toBe(first);
  });
});

describe('tsmux setup', PATIENT, () => {
  it('says what it will do, installs, checks, and takes everything away again', async () => {
    const machine = await aMachine();
    const settings = join(machine.home, '.claude/settings.json');
    writeFileSync(settings, '{\n  "model": "opus"\n}\n');
    const dry = await machine.tsmux('setup', '--dry-run');
    expect(dry.stdout).toContain('will write the hook script');
    expect(dry.stdout).toContain(`+++ ${settings}`);
    expect(await machine.tsmux('setup', '--check')).toMatchObject({
      code: 1,
      stdout: `${settings}: not installed: run: tsmux setup\n`,
    });
    expect((await machine.tsmux('setup')).code).toBe(0);
    expect(await machine.tsmux('setup', '--check')).toMatchObject({
      code: 0,
      stdout: `${settings}: installed\n`,
    });
    for (const name of ['hook', 'hold']) {
      const script = readFileSync(join(machine.home, '.local/share/tsmux', name), 'utf8');
      expect(script).toContain(machine.socket);
    }
    const elsewhere = { ...machine.env, XDG_RUNTIME_DIR: machine.home };
    const { code, stdout } = await ended(
      spawn(process.execPath, [await builtProgram(), 'setup', '--check'], { env: elsewhere }),
    );
    expect([code, stdout]).toEqual([1, expect.stringContaining('or for another XDG_RUNTIME_DIR: run: ')]);
    expect((await machine.tsmux('setup')).stdout).toContain('the hooks are installed in');
    expect((await machine.tsmux('setup', '--remove')).code).toBe(0);
    expect(readFileSync(settings, 'utf8')).toBe('{\n  "model": "opus"\n}\n');
    expect((await machine.tsmux('setup', '--check')).code).toBe(1);
    expect(machine.daemonPid()).toBeNull();
  });

  it('leaves a file that does not parse alone, and says where', async () => {
    const machine = await aMachine();
    const settings = join(machine.home, '.claude/settings.json');
    writeFileSync(settings, '{\n  "model": opus\n}\n');
    const { code, stderr } = await machine.tsmux('setup');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tsmux: setup: .*settings\.json: line 2, column \d+: .*\n$/);
    expect(readFileSync(settings, 'utf8')).toBe('{\n  "model": opus\n}\n');
    expect(existsSync(join(machine.home, '.local/share/tsmux/hook'))).toBe(false);
  });
});

describe('tsmux doctor', PATIENT, () => {
  it('works with no daemon, starts none, and ends with 1 when something is broken', async () => {
    const machine = await aMachine();
    const well = await machine.tsmux('doctor');
    expect(well.stdout).toMatch(/– daemon +no daemon runs/);
    expect(machine.daemonPid()).toBeNull();
    mkdirSync(join(machine.home, '.config/tsmux'), { recursive: true });
    writeFileSync(join(machine.home, '.config/tsmux/config.toml'), '[bar]\nbudget = 5\n');
    const broken = await machine.tsmux('doctor', '--json');
    expect(broken.code).toBe(1);
    const { checks } = JSON.parse(broken.stdout) as {
      checks: { name: string; status: string; detail: string }[];
    };
    expect(checks.find(({ name }) => name === 'config')).toMatchObject({
      status: 'broken',
      detail: expect.stringContaining('config.toml:2:'),
    });
  });

  it('g15: says that nothing can be saved', async () => {
    const machine = await aMachine();
    mkdirSync(join(machine.home, '.local'), { recursive: true });
    // A file where the folder should be: nobody can write there, not even root.
    writeFileSync(join(machine.home, '.local/state'), '');
    const claude = machine.claude();
    expect((await machine.tsmux('list')).code).toBe(0);
    await machine.tsmux('label', `pid:${claude.pid}`, 'web');
    await until(async () => JSON.parse((await machine.call('GET', '/v1/health')).text).trouble !== null, {
      why: 'the trouble',
    });
    expect((await machine.tsmux('list')).stdout).toContain(' web ');
  });
});

it('tsmux i3bar shows what the daemon tells, and its click does what it should', PATIENT, async () => {
  const machine = await aMachine();
  const claude = machine.claude();
  await machine.tsmux('list');
  const child = machine.start(['i3bar'], { stdio: ['pipe', 'pipe', 'pipe'] });
  let lines = '';
  child.stdout?.on('data', (chunk) => (lines += chunk));
  const { id } = (JSON.parse((await machine.tsmux('list', '--json')).stdout) as WireSnapshot).sessions.find(
    ({ pid }) => pid === claude.pid,
  ) ?? { id: '' };
  const hook = (name: string) =>
    machine.call(
      'POST',
      '/v1/hook',
      JSON.stringify({ hook_event_name: name, session_id: claude.sessionId, prompt: 'x' }),
      {
        'claude-pid': claude.pid,
      },
    );
  await hook('UserPromptSubmit');
  await hook('Stop');
  const block = () => {
    const blocks = JSON.parse(lines.trim().split('\n').at(-1)?.replace(/^,/, '') ?? '[]') as {
      instance: string;
      full_text: string;
    }[];
    return blocks.find(({ instance }) => instance === id)?.full_text ?? '';
  };
  await until(() => block().includes('●'), { why: 'the review', saw: () => lines });
  // A block that has just appeared is inert for a moment.
  await until(
    () => {
      child.stdin?.write(`[${JSON.stringify({ name: 'tsmux', instance: id, button: 2 })}\n`);
      return block().includes('○');
    },
    { why: 'the click to be done', every: 200 },
  );
  child.stdin?.end();
  expect((await ended(child)).code).toBe(0);
});
