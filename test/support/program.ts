import { type ChildProcess, execFile, type SpawnOptions, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { readStat } from '../../src/system/proc.ts';
import { until } from './until.ts';

const run = promisify(execFile);

/** The built program; built once for each state of the sources, whichever test asks first. */
export async function builtProgram(): Promise<string> {
  const folder = join('.cache', `test-build-${stateOfSources()}`);
  if (!existsSync(folder)) {
    const draft = `${folder}.${process.pid}`;
    await run(process.execPath, ['scripts/build.mjs', draft]);
    try {
      renameSync(draft, folder);
    } catch {
      // Another test was quicker.
      rmSync(draft, { recursive: true });
    }
  }
  return join(process.cwd(), folder, 'tsmux.js');
}

function stateOfSources(): string {
  const hash = createHash('sha1');
  const scripts = ['build.mjs', 'licences.mjs', 'code-cache.cjs', 'warm-list.mjs'];
  for (const name of ['package.json', ...scripts.map((script) => join('scripts', script))])
    hash.update(readFileSync(name));
  for (const name of readdirSync('src', { recursive: true, encoding: 'utf8' }).sort()) {
    const stat = statSync(join('src', name));
    if (stat.isFile()) hash.update(`${name} ${stat.mtimeMs} ${stat.size}\n`);
  }
  return hash.digest('hex').slice(0, 12);
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user with nothing but a home and a runtime folder, on whose machine `tsmux` is installed. */
export interface Machine {
  readonly home: string;
  readonly runtime: string;
  readonly socket: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command to its end. */
  tsmux(...args: readonly string[]): Promise<Ran>;
  start(args: readonly string[], options?: SpawnOptions): ChildProcess;
  /** `POST /v1/hook` and the like, by hand. */
  call(
    method: string,
    path: string,
    body?: string,
    headers?: Record<string, string | number>,
  ): Promise<Reply>;
  /** The pid in the daemon's lock; null without a daemon. */
  daemonPid(): number | null;
  /** A process that the session files of Claude Code tell of, with that status. */
  claude(facts?: Record<string, unknown>): FakeClaude;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export interface FakeClaude {
  readonly pid: number;
  readonly sessionId: string;
  /** Writes its session file anew. */
  says(facts: Record<string, unknown>): void;
  kill(): void;
}

/** Everything that the test started there ends with it. */
export async function aMachine(more: Record<string, string> = {}): Promise<Machine> {
  const program = await builtProgram();
  const home = mkdtempSync(join(tmpdir(), 'tsmux-test-'));
  const runtime = join(home, 'run');
  const claudeDir = join(home, '.claude/sessions');
  for (const folder of [runtime, claudeDir]) await run('mkdir', ['-p', '-m', '700', folder]);
  const env = { HOME: home, PATH: process.env.PATH ?? '', XDG_RUNTIME_DIR: runtime, ...more };
  const lock = join(runtime, 'tsmux/lock');

  const daemonPid = () => {
    try {
      return (JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }).pid;
    } catch {
      return null;
    }
  };

  onTestFinished(async () => {
    const pid = daemonPid();
    if (pid !== null && readStat(pid) !== null) {
      process.kill(pid, 'SIGTERM');
      await until(() => readStat(pid) === null || readStat(pid)?.status === 'Z', {
        why: 'the daemon to end',
      });
    }
    rmSync(home, { recursive: true, force: true });
  });

  const start = (args: readonly string[], options: SpawnOptions = {}) => {
    const child = spawn(process.execPath, [program, ...args], { env, ...options });
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };

  return {
    home,
    runtime,
    socket: join(runtime, 'tsmux/tsmux.sock'),
    env,
    start,
    daemonPid,
    tsmux: (...args) => ended(start(args, { stdio: ['ignore', 'pipe', 'pipe'] })),
    call: (method, path, body = '', headers = {}) =>
      call(join(runtime, 'tsmux/tsmux.sock'), method, path, body, headers),
    claude(facts = {}) {
      const child = spawn('sleep', ['600'], { stdio: 'ignore', cwd: home });
      onTestFinished(() => void child.kill('SIGKILL'));
      const pid = child.pid ?? 0;
      const sessionId = `0b6e0000-c00c-4049-8d85-${String(pid).padStart(12, '0')}`;
      const says = (now: Record<string, unknown>) => {
        const file = {
          pid,
          sessionId,
          cwd: home,
          procStart: String(readStat(pid)?.startTime),
          version: '2.1.332',
          kind: 'interactive',
          entrypoint: 'cli',
          status: 'idle',
          statusUpdatedAt: Date.now(),
          ...now,
        };
        writeFileSync(join(claudeDir, `${pid}.json`), JSON.stringify(file));
      };
      says(facts);
      return { pid, sessionId, says, kill: () => void child.kill('SIGKILL') };
    },
  };
}

export function ended(child: ChildProcess): Promise<Ran> {
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...said }));
  });
}

/** A stream that is open, and what it has said so far. */
export interface Followed {
  readonly lines: string[];
  /** Resolved with true when the daemon ended it in order. */
  readonly ended: Promise<boolean>;
  close(): void;
}

export function follow(socketPath: string, path: string): Promise<Followed> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, agent: false }, (reply) => {
      const lines: string[] = [];
      let rest = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        const parts = (rest + chunk).split('\n');
        rest = parts.pop() ?? '';
        lines.push(...parts);
      });
      reply.on('error', () => {});
      const over = new Promise<boolean>((end) => reply.once('close', () => end(reply.complete)));
      resolve({ lines, ended: over, close: () => void sent.destroy() });
    });
    sent.once('error', reject);
    sent.end();
  });
}

export function call(
  socketPath: string,
  method: string,
  path: string,
  body: string,
  headers: Record<string, string | number>,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, headers, agent: false }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      reply.once('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
      reply.once('error', reject);
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
