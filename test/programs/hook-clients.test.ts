import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookScripts, hookTime, writeHookScript } from '../../src/claude/hook-script.ts';
import { findProgram } from '../../src/system/find-program.ts';
import { fixture } from '../claude/home.ts';
import { until } from '../support/until.ts';

function pathOf(program: string): string {
  const path = findProgram(program, process.env.PATH);
  if (path === null) throw new Error(`${program} is not installed: node scripts/install-desktop.mjs`);
  return path;
}

const clients = (['nc', 'socat', 'curl'] as const).map((kind) => ({ kind, path: pathOf(kind) }));
const asks = fixture('hooks/PermissionRequest.Bash.json');
const allow =
  '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","message":"grün"}}}';

/** Seconds; socat(1) and curl(1) look once in a while. */
const SILENCE_OF_TESTS = 1;

interface Call {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly url: string | undefined;
  closed: boolean;
  /** Says that the daemon is well. */
  beat(): void;
  reply(body: string): void;
}

/** What /bin/sh is on one system or another. */
const shells = ['dash', 'bash --posix', 'busybox sh'].map((line) => {
  const [name = '', ...options] = line.split(' ');
  return [pathOf(name), ...options].join(' ');
});
const pairs = shells.flatMap((shell) => clients.map((client) => ({ shell, client })));

describe.each(pairs)('the script for a question, by $shell with $client.kind', ({ shell, client }) => {
  let folder: string;
  let socket: string;
  let script: string;
  let server: Server;
  let calls: Call[];
  let hooks: ChildProcess[];
  let answer: (call: Call) => void;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "tsmux ho'ok,$-"));
    socket = join(folder, 'tsmux.sock');
    script = join(folder, 'tsmux', 'hold');
    calls = [];
    hooks = [];
    answer = (call) => call.reply('');
    const { hold } = hookScripts({
      client,
      socket,
      node: process.execPath,
      tsmux: '/nonexistent',
      cat: pathOf('cat'),
      silence: SILENCE_OF_TESTS,
    });
    expect(hold).toMatch(/^#!\/bin\/sh\n/);
    writeHookScript(script, hold.replace('/bin/sh', shell));
    server = createServer((request, response) => void heard(request, response));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
    for (const hook of hooks) hook.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  async function heard(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const call: Call = {
      url: request.url,
      headers: request.headers,
      body,
      closed: false,
      beat: () => void response.write(' '),
      reply: (content) => {
        if (response.headersSent) return void response.end(content);
        const length = Buffer.byteLength(content);
        response.writeHead(200, { 'content-length': length, connection: 'close' }).end(content);
      },
    };
    response.on('close', () => {
      call.closed = true;
    });
    calls.push(call);
    answer(call);
  }

  async function listen(): Promise<void> {
    server.listen(socket);
    await once(server, 'listening');
  }

  /** As Claude Code starts it: leader of its own session, nothing but a bare environment. */
  function start(body: string, detached = true) {
    const hook = spawn(script, [], { detached, env: {}, stdio: 'pipe' });
    hooks.push(hook);
    hook.stdin.on('error', () => {});
    hook.stdin.end(body);
    const output = Promise.all([text(hook.stdout), text(hook.stderr)]);
    return { hook, ended: once(hook, 'exit').then(async ([status]) => ({ status, output: await output })) };
  }

  const nothing = { status: 0, output: ['', ''] };

  it('posts it with the pid of Claude Code and the time at which it began, and prints nothing for no answer', async () => {
    await listen();
    expect(await start(asks).ended).toEqual(nothing);
    const [call] = calls;
    expect(JSON.parse(call?.body ?? '')).toEqual(JSON.parse(asks));
    expect(call?.headers['claude-pid']).toBe(String(process.pid));
    const began = hookTime(call?.headers ?? {}, Date.now());
    expect(Math.abs(Date.now() - (began ?? 0))).toBeLessThan(5000);
  });

  it('prints the answer to a prompt, however late it comes', async () => {
    await listen();
    answer = () => {};
    const { ended } = start(asks);
    const call = await until(() => calls[0], { why: 'the prompt' });
    expect(call.closed).toBe(false);
    call.reply(allow);
    const { status, output } = await ended;
    expect(status).toBe(0);
    expect(output.map((printed) => printed.trim())).toEqual([allow, '']);
  });

  it('waits as long as the daemon says that it is well, and prints the answer alone', async () => {
    await listen();
    let beats: NodeJS.Timeout | undefined;
    answer = (call) => {
      call.beat();
      beats = setInterval(call.beat, 200);
    };
    const { ended } = start(asks);
    const call = await until(() => calls[0], { why: 'the prompt' });
    expect(call.url).toContain('keep-alive=1');
    const since = Date.now();
    await until(() => Date.now() > since + SILENCE_OF_TESTS * 2000, {
      why: 'more than its patience',
      limit: 10_000,
    });
    expect(call.closed).toBe(false);
    clearInterval(beats);
    call.reply(`${allow}\n`);
    const { status, output } = await ended;
    expect(status).toBe(0);
    expect(output.map((printed) => printed.trim())).toEqual([allow, '']);
  });

  it('ends with nothing when the daemon hangs, however long it had held', async () => {
    await listen();
    answer = () => {};
    const ends = async ({ ended }: ReturnType<typeof start>) => {
      const { status, output } = await ended;
      return { status, output: output.map((printed) => printed.trim()) };
    };
    expect(await ends(start(asks))).toEqual(nothing);
    answer = (call) => call.beat();
    expect(await ends(start(asks))).toEqual(nothing);
    await until(() => calls.every(({ closed }) => closed), { why: 'no hold to be left' });
  });

  it('b9: prints nothing when nobody answers', async () => {
    await listen();
    expect(await start(asks).ended).toEqual(nothing);
  });

  it('b7: ends with nothing when the daemon dies while it holds', async () => {
    await listen();
    answer = () => {};
    const { ended } = start(asks);
    await until(() => calls[0], { why: 'the prompt' });
    server.closeAllConnections();
    expect(await ended).toEqual(nothing);
  });

  it('b8: ends at once with no daemon, and where one left its socket', async () => {
    expect(await start(asks).ended).toEqual(nothing);
    const child = spawn(process.execPath, [
      '-e',
      `require('net').createServer().listen(process.argv[1], () => console.log())`,
      socket,
    ]);
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(existsSync(socket)).toBe(true);
    expect(await start(asks).ended).toEqual(nothing);
  });

  it('passes 2 MiB on', async () => {
    await listen();
    const body = JSON.stringify({
      hook_event_name: 'PermissionRequest',
      tool_input: { text: 'ü\n\u001b€'.repeat(260_000) },
    });
    expect(body.length).toBeGreaterThan(2 * 1024 * 1024);
    expect(await start(`${body}\n`).ended).toEqual(nothing);
    expect(calls[0]?.body.trimEnd()).toBe(body);
  });

  // Its script alone gives stdin on: a redirection that fails may end sh with 2, which Claude Code takes for a denial.
  if (client.kind === 'curl')
    it('does not deny where it is given no stdin', async () => {
      await listen();
      const hook = spawn('/bin/sh', ['-c', 'exec "$0" <&-', script], { env: {}, stdio: 'pipe' });
      hooks.push(hook);
      const output = Promise.all([text(hook.stdout), text(hook.stderr)]);
      const [status] = await once(hook, 'exit');
      expect({ status, output: await output }).toEqual(nothing);
    });

  it('lets go of the prompt when Claude Code ends it', async () => {
    await listen();
    answer = () => {};
    const { hook, ended } = start(asks);
    const call = await until(() => calls[0], { why: 'the prompt' });
    // Until its trap is set the script is killed, and its client with it; then the trap does it.
    await until(() => childrenOf(hook.pid ?? 0).length > 0, { why: 'the client' });
    hook.kill('SIGTERM');
    await until(() => call.closed, { why: 'the connection to close', limit: 1000 });
    expect((await ended).output).toEqual(['', '']);
  });

  // Its script alone can end the client by its pid.
  if (client.kind === 'curl') {
    it('lets go of the prompt where it leads no group', async () => {
      await listen();
      answer = () => {};
      const { hook, ended } = start(asks, false);
      const call = await until(() => calls[0], { why: 'the prompt' });
      hook.kill('SIGTERM');
      await until(() => call.closed, { why: 'the connection to close', limit: 1000 });
      expect((await ended).output).toEqual(['', '']);
    });
  }

  it('prints nothing of an error of the daemon', async () => {
    server = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(500, { connection: 'close' }).end('{"error":{}}'));
    });
    await listen();
    expect(await start(asks).ended).toEqual(nothing);
  });
});

function childrenOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}
