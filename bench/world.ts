import { type ChildProcess, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { readStat } from '../src/system/proc.ts';
import { startProgram, temporaryFolder } from './started.ts';

export const entry = resolve('dist/tsmux.js');

/** A home of its own with a running daemon, and processes that have session files as Claude Code writes them. */
export interface World {
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
  readonly socket: string;
  readonly daemon: ChildProcess;
  readonly pids: readonly number[];
  /** Writes the session file of the n-th process anew. */
  status(n: number, status: string): void;
  /** The n-th session is prompted, and works from now on: what it does is shown. */
  work(n: number): Promise<void>;
  hook(n: number, body: object): string;
  /** Leaves an event of the n-th session in the inbox, as the hook's script does. */
  leave(n: number, body: object): void;
  tsmux(...args: string[]): string;
  end(): Promise<void>;
}

/** Where the sessions run. */
export interface Stage {
  /** What the daemon, too, knows of it. */
  readonly env: NodeJS.ProcessEnv;
  readonly pids: readonly number[];
  end(): Promise<void>;
}

/** Processes without any terminal. */
async function nowhere(sessions: number, env: NodeJS.ProcessEnv): Promise<Stage> {
  const sleepers = Array.from({ length: sessions }, () =>
    startProgram('sleep', ['3600'], { stdio: 'ignore' }),
  );
  return {
    env,
    pids: sleepers.flatMap(({ pid }) => (pid === undefined ? [] : [pid])),
    async end() {
      for (const child of sleepers) child.kill();
      await Promise.all(sleepers.map(ended));
    },
  };
}

export async function openWorld(
  sessions: number,
  put: (sessions: number, env: NodeJS.ProcessEnv, folder: string) => Promise<Stage> = nowhere,
): Promise<World> {
  const folder = temporaryFolder();
  const claude = join(folder, '.claude');
  for (const made of ['run', '.claude/sessions', '.claude/projects']) {
    mkdirSync(join(folder, made), { recursive: true, mode: 0o700 });
  }
  const bare = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_RUNTIME_DIR: join(folder, 'run'),
    LANG: 'C.UTF-8',
  };
  const { env, pids, end } = await put(sessions, bare, folder);
  const status = (n: number, now: string) => {
    const pid = pids[n];
    if (pid === undefined) throw new Error(`no session ${n}`);
    const file = {
      pid,
      sessionId: sessionId(n),
      cwd: join(folder, `project-${n}`),
      procStart: String(readStat(pid)?.startTime),
      version: '2.1.332',
      kind: 'interactive',
      entrypoint: 'cli',
      status: now,
      updatedAt: Date.now(),
      statusUpdatedAt: Date.now(),
    };
    writeFileSync(join(claude, 'sessions', `${pid}.json`), JSON.stringify(file));
  };
  for (const n of pids.keys()) status(n, 'idle');

  const daemon = startProgram(process.execPath, [entry, 'daemon'], { env, stdio: 'ignore', detached: true });
  const socket = join(folder, 'run/tsmux/tsmux.sock');
  let left = 0;
  const world: World = {
    env,
    folder,
    socket,
    daemon,
    pids,
    status,
    async work(n) {
      await post(socket, pids[n] ?? 0, world.hook(n, { hook_event_name: 'UserPromptSubmit', prompt: 'go' }));
      status(n, 'busy');
    },
    hook: (n, body) =>
      JSON.stringify({ session_id: sessionId(n), cwd: folder, prompt_id: `prompt-${n}`, ...body }),
    leave(n, body) {
      const [uptime] = readFileSync('/proc/uptime', 'utf8').split(' ');
      left += 1;
      writeFileSync(
        join(folder, 'run/tsmux/inbox', `${left}.${uptime}`),
        `${pids[n]} ${uptime}\n${world.hook(n, body)}`,
      );
    },
    tsmux: (...args) => spawnSync(process.execPath, [entry, ...args], { env, encoding: 'utf8' }).stdout,
    async end() {
      daemon.kill();
      await Promise.all([ended(daemon), end()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await until(async () => (await get(socket, '/v1/sessions')).includes('"sessions"'), 'the daemon');
  return world;
}

const sessionId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

export function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => child.once('exit', () => done()));
}

/** @param time ms. */
export function pause(time: number): Promise<void> {
  return new Promise((next) => setTimeout(next, time));
}

/** Asks until it is so; the measured part never waits in here. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const limit = Date.now() + 15_000;
  while (Date.now() < limit) {
    if (await Promise.resolve(condition()).catch(() => false)) return;
    await pause(10);
  }
  throw new Error(`${what} did not come`);
}

function get(socketPath: string, path: string): Promise<string> {
  return new Promise((done, failed) => {
    request({ socketPath, path }, (reply) => done(text(reply)))
      .on('error', failed)
      .end();
  });
}

/** One POST over a connection of its own, written as the hook's script writes it. */
export function post(socketPath: string, pid: number, body: string): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connect(socketPath);
    let reply = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      reply += chunk;
    });
    socket.once('end', () => done(reply.slice(reply.indexOf('\r\n\r\n') + 4)));
    socket.once('error', failed);
    const head = [
      'POST /v1/hook HTTP/1.1',
      'host: tsmux',
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      `claude-pid: ${pid}`,
      'connection: close',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

/** Resident memory, MiB (proc(5), /proc/PID/status). */
export function residentMemory(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib) / 1024;
}

/** What a process has run so far, ms: as `cpuTime`, exact, of its threads that live (kernel: scheduler/sched-stats). */
export function runTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ran = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return ran.reduce((sum, ns) => sum + ns, 0) / 1e6;
}

/** User and system time of a process and its ended children, ms (proc(5), fields 14–17; 100 ticks a second). */
export function cpuTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return [11, 12, 13, 14].reduce((sum, field) => sum + Number(fields[field]) * 10, 0);
}
