import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPorts, parseListeners } from '../../src/claude/ports.ts';
import {
  attachedTo,
  type ClaudeProcess,
  claudeArguments,
  createProcessScan,
  readClaudeProcess,
  roleOf,
} from '../../src/claude/processes.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

const native = '/home/ada/.local/share/claude/versions/2.1.37';

function role(exe: string | null, comm: string, ...argv: readonly string[]): string | null {
  const args = claudeArguments(exe, comm, argv);
  return args === null ? null : roleOf(args);
}

describe('a Claude Code process', () => {
  it('a26: is known by its program, whatever its name is', () => {
    expect(role(native, '2.1.37', 'claude')).toBe('session');
    expect(role(`${native} (deleted)`, '2.1.37', 'claude', '--resume', 'x')).toBe('session');
    expect(role('/usr/lib/node_modules/@anthropic-ai/claude-code/bin/claude.exe', 'claude', 'claude')).toBe(
      'session',
    );
    const script = '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js';
    expect(role('/usr/bin/node', 'node', 'node', '--enable-source-maps', script, '-p', 'hi')).toBe('session');
    expect(role('/usr/bin/node', 'node', 'node', '/usr/local/bin/claude')).toBe('session');
    expect(role('/usr/bin/node', 'claude', 'claude')).toBe('session');
  });

  it('a27: is nothing that only mentions it', () => {
    expect(role('/usr/bin/vim', 'vim', 'vim', 'claude.md')).toBeNull();
    expect(role('/usr/bin/grep', 'grep', 'grep', 'claude')).toBeNull();
    expect(role('/usr/bin/tail', 'tail', 'tail', '-f', '/home/ada/.claude/x')).toBeNull();
    expect(role('/opt/claude/app', 'app', '/opt/claude/app')).toBeNull();
    expect(
      role('/bin/bash', 'bash', '/bin/bash', '-c', 'source /home/ada/.claude/shell-snapshots/x'),
    ).toBeNull();
    expect(role('/usr/bin/node', 'node', 'node', '/srv/labmcp/server.js')).toBeNull();
    expect(role('/usr/bin/node', 'node', 'node', '/x/claude-code/cli-wrapper.cjs')).toBeNull();
  });

  it('a27: is no session when it serves something else', () => {
    for (const args of [
      ['mcp', 'serve'],
      ['daemon', 'run'],
      ['bg-pty-host', '--'],
      ['bg-spare'],
      ['agents'],
      ['--debug', 'mcp', 'serve'],
    ]) {
      expect(role(native, 'claude', 'claude', ...args), args.join(' ')).toBe('service');
    }
    expect(role(native, 'claude', 'claude', 'attach', 'e905a0db')).toBe('attach');
  });

  it('f11: that cannot be looked at belongs to somebody else', () => {
    expect(role(null, 'claude', 'claude')).toBeNull();
    expect(readClaudeProcess(2 ** 22 + 1, '/')).toBeNull();
  });

  it('f13: may have rewritten its command line, or have none', () => {
    expect(role(native, 'claude')).toBe('session');
    expect(role(native, 'claude', 'claude', 'a prompt\nof two lines')).toBe('session');
    expect(role('/usr/bin/node', 'node')).toBeNull();
  });
});

describe('claude attach', () => {
  const sessions = [
    { jobId: 'e905a0db', sessionId: 'e905a0db-1111-4222-8333-444444444444', name: 'fix the shop' },
    { jobId: '878d881d', sessionId: '878d881d-1111-4222-8333-444444444444', name: 'write the docs' },
  ];
  const attach = (...args: readonly string[]): ClaudeProcess => ({
    pid: 9,
    startTime: 1,
    comm: 'claude',
    role: 'attach',
    arguments: ['attach', ...args],
    hasTerminal: true,
    parent: 1,
    cwd: '/',
    configDir: '/',
    kind: 'interactive',
    entrypoint: null,
  });

  it('shows the session of its id, or of a part of its name that no other has', () => {
    expect(attachedTo(attach('878d881d'), sessions)).toBe(sessions[1]);
    expect(attachedTo(attach('--x', 'e905a0db-1111'), sessions)).toBe(sessions[0]);
    expect(attachedTo(attach('Shop'), sessions)).toBe(sessions[0]);
    expect(attachedTo(attach('the'), sessions)).toBeNull();
    expect(attachedTo(attach('nobody'), sessions)).toBeNull();
    expect(attachedTo(attach(), sessions)).toBeNull();
  });
});

/** A program named claude that does nothing: what a scan reads of it is what it reads of the real one. */
function startNamedClaude(env: Readonly<Record<string, string>>): { pid: number; end(): Promise<unknown> } {
  const folder = mkdtempSync(join(tmpdir(), 'tsmux-claude-'));
  mkdirSync(join(folder, 'claude', 'versions'), { recursive: true });
  const program = join(folder, 'claude', 'versions', '2.1.37');
  copyFileSync('/bin/sleep', program);
  const child = spawn(program, ['600'], { env });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });
  return {
    pid: child.pid ?? 0,
    end: () => {
      child.kill('SIGKILL');
      return once(child, 'exit');
    },
  };
}

describe('the scan', () => {
  it('a29: finds the config dir that is in the environment of a process', async () => {
    const scan = createProcessScan('/home/ada');
    scan.scan();
    const [one, two] = [
      startNamedClaude({ CLAUDE_CONFIG_DIR: '/x' }),
      startNamedClaude({ HOME: '/home/eve' }),
    ];
    const find = (pid: number) => scan.scan().find((process) => process.pid === pid);
    await until(() => find(one.pid)?.configDir === '/x', { why: 'the first one' });
    await until(() => find(two.pid)?.configDir === '/home/eve/.claude', { why: 'the second one' });
    expect(find(one.pid)).toMatchObject({ role: 'session', hasTerminal: false, kind: 'interactive' });
    await one.end();
    expect(find(one.pid)).toBeUndefined();
  });

  it('finds what an old shell has become with exec', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tsmux-exec-'));
    const program = join(folder, 'claude');
    copyFileSync('/bin/sleep', program);
    const shell = spawn('sh', ['-c', `read line; exec ${program} 600`], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    onTestFinished(() => {
      shell.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    });
    const scan = createProcessScan('/home/ada');
    for (let count = 0; count < 5; count++) scan.scan();
    shell.stdin.write('go\n');
    await until(() => scan.scan().some(({ pid }) => pid === shell.pid), { why: 'the exec to be seen' });
  });

  it('f12: costs little more than the list of the processes', () => {
    const scan = createProcessScan('/home/ada');
    for (let count = 0; count < 5; count++) scan.scan();
    const cost = (run: () => unknown) => {
      const begin = performance.now();
      for (let count = 0; count < 20; count++) run();
      return performance.now() - begin;
    };
    const list = () => readdirSync('/proc');
    cost(list);
    const ratios = [1, 2, 3, 4, 5, 6, 7].map(() => cost(() => scan.scan()) / cost(list));
    // On a busy machine from 2 to 5; to read each process again costs 36 and more.
    expect(Math.min(...ratios)).toBeLessThan(8);
  });
});

describe('listening ports', () => {
  it('are read from the table of the kernel, those of one user', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      '   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 111 1 0',
      '   1: 0100007F:1F91 00000000:0000 01 00000000:00000000 00:00000000 00000000  1000        0 112 1 0',
      '   2: 00000000000000000000000000000000:0050 0:0000 0A 0:0 00:0 0  0        0 113 1 0',
    ].join('\n');
    expect([...parseListeners(table, 1000)]).toEqual([['111', 8080]]);
  });

  it('are those of the whole process tree', async () => {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const found = createPorts(manualClock()).look([process.pid, process.ppid]);
    expect(found?.get(process.pid)).toContain(port);
    expect(found?.get(process.ppid)).toContain(port);
  });

  it('are looked for while there are new processes, and seldom when there are none', async () => {
    const clock = manualClock();
    const ports = createPorts(clock);
    const pids = [process.pid];
    expect(ports.look(pids)).not.toBeNull();
    clock.pass(90_000);
    expect(ports.look(pids)).not.toBeNull();
    clock.pass(20_000);
    expect(ports.look(pids)).toBeNull();
    clock.pass(100_000);
    expect(ports.look(pids)).not.toBeNull();
    clock.pass(20_000);
    expect(ports.look(pids)).toBeNull();
    const child = spawn('sleep', ['60']);
    onTestFinished(() => void child.kill());
    await once(child, 'spawn');
    expect(ports.look(pids)).not.toBeNull();
  });
});
