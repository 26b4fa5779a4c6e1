import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WireSession, WireSnapshot } from '../../src/daemon/wire.ts';
import { aMachine, type FakeClaude, follow, type Machine } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Starting Node.js a few times on a busy machine takes a while. */
const PATIENT = { timeout: 60_000 };

async function sessionOf(machine: Machine, claude: FakeClaude): Promise<WireSession | undefined> {
  const { text } = await machine.call('GET', '/v1/sessions');
  return (JSON.parse(text) as WireSnapshot).sessions.find(({ pid }) => pid === claude.pid);
}

/** The daemon is the one that was, hears of changes, and tells the truth. */
async function isWell(machine: Machine, claude: FakeClaude, daemon: number | null): Promise<void> {
  claude.says({ status: 'busy' });
  await until(async () => (await sessionOf(machine, claude))?.state === 'busy', { why: 'busy' });
  claude.says({ status: 'waiting', waitingFor: 'permission prompt' });
  await until(async () => (await sessionOf(machine, claude))?.state === 'needs-input', {
    why: 'needs-input',
  });
  expect(machine.daemonPid()).toBe(daemon);
}

describe('what stands where session files do', PATIENT, () => {
  it('stops nobody, whatever it is', async () => {
    const machine = await aMachine();
    const claude = machine.claude();
    const folder = join(machine.home, '.claude/sessions');
    await machine.tsmux('list');
    const daemon = machine.daemonPid();
    mkdirSync(join(folder, '500.json'));
    execFileSync('mkfifo', [join(folder, '501.json')]);
    symlinkSync('502.json', join(folder, '502.json'));
    symlinkSync('/dev/zero', join(folder, '503.json'));
    writeFileSync(join(folder, '504.json'), '', { mode: 0 });
    writeFileSync(join(folder, '505.json'), '');
    truncateSync(join(folder, '505.json'), 2 ** 33);
    writeFileSync(join(folder, '506.json'), `{"pid":506,"x":"${'x'.repeat(10_000_000)}"}`);
    await isWell(machine, claude, daemon);
    // Also where it stands before the daemon does.
    await machine.tsmux('stop');
    await machine.tsmux('list');
    await isWell(machine, claude, machine.daemonPid());
  });

  it('keeps what was known where the file of a session is nothing any more', async () => {
    const machine = await aMachine();
    const claude = machine.claude({ status: 'busy' });
    await machine.tsmux('list');
    const file = join(machine.home, `.claude/sessions/${claude.pid}.json`);
    execFileSync('mkfifo', [`${file}.fifo`]);
    renameSync(`${file}.fifo`, file);
    const headers = { 'claude-pid': claude.pid };
    await machine.call('POST', '/v1/hook', '{"hook_event_name":"Notification"}', headers);
    expect((await sessionOf(machine, claude))?.state).toBe('busy');
    writeFileSync(`${file}.new`, '{}');
    renameSync(`${file}.new`, file);
    await isWell(machine, claude, machine.daemonPid());
  });

  it('takes no time and no name from it that would break what all are sent', async () => {
    const machine = await aMachine();
    const claude = machine.claude({ status: 'busy', statusUpdatedAt: 1e300, updatedAt: -1e300 });
    await machine.tsmux('list');
    expect((await sessionOf(machine, claude))?.state).toBe('busy');
    const long = 'x'.repeat(100_000);
    for (const facts of [
      { name: long, nameSource: 'user', cwd: long, waitingFor: long, status: 'waiting' },
      { sessionId: '../../../../../etc/passwd' },
      { sessionId: 'a\0b', cwd: '/a\0b', kind: 'bg', jobId: 'a\0b' },
      { sessionId: long, entrypoint: long },
    ]) {
      claude.says(facts);
      const { status, text } = await machine.call('GET', '/v1/sessions');
      expect(status).toBe(200);
      expect(text.length).toBeLessThan(100_000);
    }
  });
});

describe('what a transcript may be', PATIENT, () => {
  it('is a gigabyte with lines of 60 MB, invalid UTF-8, and inputs nested without end', async () => {
    const machine = await aMachine();
    const claude = machine.claude({ status: 'busy' });
    const folder = join(machine.home, '.claude/projects', machine.home.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(folder, { recursive: true });
    const transcript = join(folder, `${claude.sessionId}.jsonl`);
    const says = (text: string) => ({
      type: 'assistant',
      timestamp: new Date().toISOString(),
      sessionId: claude.sessionId,
      message: { content: [{ type: 'text', text }] },
    });
    writeFileSync(transcript, '');
    truncateSync(transcript, 2 ** 30);
    appendFileSync(transcript, `\n${JSON.stringify(says('first'))}\n`);
    await machine.tsmux('list');
    const lastMessage = async () => (await sessionOf(machine, claude))?.lastMessage;
    const daemon = machine.daemonPid();
    await until(async () => (await lastMessage()) === 'first', { why: 'the first message' });

    appendFileSync(transcript, `{"type":"user","x":"${'x'.repeat(60_000_000)}"}\n`);
    appendFileSync(transcript, Buffer.from([0xff, 0xc3, 0x28, 0x80, 10]));
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const tool = `{"type":"tool_use","name":"X","id":"x","input":${deep}}`;
    appendFileSync(
      transcript,
      `{"type":"assistant","timestamp":"${new Date().toISOString()}","message":{"content":[${tool}]}}\n`,
    );
    appendFileSync(transcript, `${JSON.stringify(says('second'))}\n`);
    await until(async () => (await lastMessage()) === 'second', { why: 'the second message' });

    truncateSync(transcript, 0);
    appendFileSync(transcript, `${JSON.stringify(says('third'))}\n`);
    await until(async () => (await lastMessage()) === 'third', { why: 'the third message' });

    rmSync(transcript);
    execFileSync('mkfifo', [transcript]);
    await isWell(machine, claude, daemon);
    rmSync(transcript);
    symlinkSync('/dev/zero', transcript);
    await isWell(machine, claude, daemon);
  });
});

describe('what comes over the socket', PATIENT, () => {
  it('is a prompt although its input is nested without end', async () => {
    const machine = await aMachine();
    const claude = machine.claude();
    await machine.tsmux('list');
    const deep = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`;
    const body = `{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":${deep}}`;
    void machine.call('POST', '/v1/hook', body, { 'claude-pid': claude.pid }).catch(() => {});
    await until(async () => (await sessionOf(machine, claude))?.state === 'needs-input', {
      why: 'the prompt',
    });
  });

  it('may name senders and times that there cannot be', async () => {
    const machine = await aMachine();
    machine.claude();
    await machine.tsmux('list');
    for (const pid of ['0', '1', '-1', '999999999999999', '1e3', 'NaN', '9'.repeat(400)]) {
      const headers = { 'claude-pid': pid, 'hook-start': '9'.repeat(400), 'hook-uptime': '-1e309' };
      const reply = await machine.call('POST', '/v1/hook', '{"hook_event_name":"Stop"}', headers);
      expect(reply).toMatchObject({ status: 400, text: expect.stringContaining('no running session') });
    }
  });

  it('is refused with a reason where it is no request of this API', async () => {
    const machine = await aMachine();
    await machine.tsmux('list');
    for (const path of ['http://[', '/v1/sessions/%']) {
      const { status, text } = await machine.call('GET', path);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ error: { code: 'bad-request' } });
    }
    for (const path of ['//', '//v1/sessions', '/v1/../v1/sessions', 'http://other/v1/nothing']) {
      expect((await machine.call('GET', path)).status).toBe(404);
    }
    expect((await machine.call('GET', 'http://any/v1/sessions')).status).toBe(200);
    for (const path of ['/v1/bar/__proto__', '/v1/sessions/__proto__', '/v1/x/constructor', '/v1']) {
      expect((await machine.call('GET', path)).status).toBe(404);
    }
    for (const click of ['[]', 'null', '{}', '{"instance":7}', '{"instance":"x","button":1e400}', '\0']) {
      expect((await machine.call('POST', '/v1/click', click)).status).toBe(400);
    }
    expect(readFileSync(join(machine.home, '.local/state/tsmux/log'), 'utf8')).not.toContain('"level":50');
  });

  it('does not keep others waiting while it comes byte by byte, not to its end, or not at all', async () => {
    const machine = await aMachine();
    const claude = machine.claude();
    await machine.tsmux('list');
    const opened = Array.from({ length: 200 }, (_, index) => {
      const socket = connect(machine.socket);
      socket.on('error', () => {});
      const half = ['', 'POST /v1/hook HTTP/1.1\r\n', 'POST /v1/hook HTTP/1.1\r\ncontent-length: 9\r\n\r\n{'];
      socket.write(half[index % half.length] ?? '');
      return socket;
    });
    await isWell(machine, claude, machine.daemonPid());

    const body = JSON.stringify({ hook_event_name: 'UserPromptSubmit', prompt: 'x' });
    const slow = connect(machine.socket);
    let reply = '';
    slow.on('data', (chunk) => {
      reply += String(chunk);
    });
    const head = `POST /v1/hook HTTP/1.1\r\nclaude-pid: ${claude.pid}\r\ntransfer-encoding: chunked\r\nhost: x\r\n\r\n`;
    for (const byte of `${head}${[...body].map((char) => `1\r\n${char}\r\n`).join('')}0\r\n\r\n`)
      slow.write(byte);
    await until(() => reply.startsWith('HTTP/1.1 200'), { why: 'the reply to a hook in pieces' });
    for (const socket of opened) socket.destroy();
    slow.destroy();
    expect((await machine.call('GET', '/v1/health')).status).toBe(200);
  });

  it('g14: 200 readers who never read cost the others nothing', async () => {
    const machine = await aMachine();
    const claude = machine.claude();
    await machine.tsmux('list');
    const daemon = machine.daemonPid();
    const readers = Array.from({ length: 200 }, (_, index) => {
      const socket = connect(machine.socket);
      socket.on('error', () => {}).pause();
      socket.write(`GET /v1/${index % 2 === 0 ? 'watch' : 'bar/i3bar'} HTTP/1.1\r\nhost: x\r\n\r\n`);
      return socket;
    });
    for (let count = 0; count < 5; count++) await isWell(machine, claude, daemon);
    for (const socket of readers) socket.destroy();
  });
});

describe('words of others', PATIENT, () => {
  it('bring no control character to a terminal, whichever command shows them', async () => {
    const machine = await aMachine();
    const evil = '\x1b[31mE\x1b]0;pwn\x07\x9b2J\x7f\u202eRTL\u2066\r\0<b>&"';
    const claude = machine.claude({ name: evil, nameSource: 'user', cwd: `/x/${evil}`, version: evil });
    const settings = {
      hooks: { Stop: [{ hooks: [{ type: 'command', command: `/x/${evil}/tsmux/hook` }] }] },
    };
    writeFileSync(join(machine.home, '.claude/settings.json'), JSON.stringify(settings));
    await machine.tsmux('list');
    const asked = { hook_event_name: 'PermissionRequest', tool_name: evil, tool_input: { command: evil } };
    const hook = { ...asked, permission_mode: evil, agent_id: evil };
    void machine.call('POST', '/v1/hook', JSON.stringify(hook), { 'claude-pid': claude.pid }).catch(() => {});
    await until(async () => (await sessionOf(machine, claude))?.prompts.length === 1, { why: 'the prompt' });
    const session = `pid:${claude.pid}`;
    const commands = [
      ['list'],
      ['list', '--json'],
      ['show', session],
      ['explain', session],
      ['prompts'],
      ['prompts', '--json'],
      ['history', '--json'],
      ['i3bar', '--once'],
      ['doctor'],
      ['doctor', '--json'],
      ['setup', '--check'],
      ['setup', '--dry-run'],
      ['label', session, evil.replace('\0', '')],
      ['show', evil.replace('\0', '')],
      ['preview'],
    ];
    const said = await Promise.all(
      commands.map(async (command) => ({ command, ...(await machine.tsmux(...command)) })),
    );
    const watch = await follow(machine.socket, '/v1/watch');
    await until(() => watch.lines.length > 0, { why: 'the snapshot' });
    const texts = [...said.map(({ stdout, stderr }) => stdout + stderr), ...watch.lines];
    watch.close();
    for (const text of texts) expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(said.find(({ command: [name] }) => name === 'list')?.stdout).toContain('\\e[31mE');
  });
});
