// Programs run in the lab: as its user, in its environment, each in a process group of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Account } from './account.ts';

export type Environment = Readonly<Record<string, string>>;

export interface Finished {
  /** Exit code; 128 + N where signal N ended it is not done: then it is null. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly pid: number;
  readonly stdin: Writable;
  /** Everything that it has written so far. */
  stdout(): string;
  stderr(): string;
  /** All lines written to stdout so far that are complete. */
  lines(): string[];
  /** To the process alone; for its whole group use `process.kill(-pid)`. */
  kill(signal?: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
}

export interface RunOptions {
  readonly env?: Environment;
  readonly cwd?: string;
  /** Written to stdin, which is closed after it. */
  readonly input?: string;
  /** Milliseconds until it is killed and the promise is rejected. */
  readonly limit?: number;
}

export interface Shell {
  readonly env: Environment;
  /** Runs a command to its end, whatever its exit code is. */
  run(command: string, args?: readonly string[], options?: RunOptions): Promise<Finished>;
  /** As `run`, but a failure is thrown; gives stdout. */
  output(command: string, args?: readonly string[], options?: RunOptions): Promise<string>;
  /** As `output`, in bytes. */
  bytes(command: string, args?: readonly string[]): Promise<Buffer>;
  /** Starts a command and leaves it running; the end of the lab ends it. */
  spawn(command: string, args?: readonly string[], options?: RunOptions): Running;
}

function collect(stream: Readable): () => Buffer {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks);
}

/** Resolves with the exit code and signal once the streams are closed too. */
function closed(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve([code, signal]));
  });
}

export function shellOf(account: Account, env: Environment): Shell {
  function launch(command: string, args: readonly string[], options: RunOptions) {
    const [program, all] = account.as(command, args);
    const child = spawn(program, all, {
      env: { ...env, ...options.env },
      cwd: options.cwd ?? env.HOME ?? '/',
      // A session and process group of its own: a signal for the test run does not tear the lab apart.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // A program that ends without reading its input is no fault of the test.
    child.stdin.on('error', () => {});
    return child;
  }

  async function finish(command: string, args: readonly string[], options: RunOptions) {
    const child = launch(command, args, options);
    const stdout = collect(child.stdout);
    const stderr = collect(child.stderr);
    child.stdin.end(options.input ?? '');
    const limit = options.limit ?? 15_000;
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill('SIGKILL');
      // Something that it left running may still hold the pipes open.
      child.stdout.destroy();
      child.stderr.destroy();
    }, limit);
    const [status, signal] = await closed(child);
    clearTimeout(timer);
    if (late)
      throw new Error(
        `${command} ${args.join(' ')}: still running after ${limit} ms: ${stdout()}${stderr()}`,
      );
    return { status, signal, stdout: stdout(), stderr: stderr() };
  }

  async function bytes(command: string, args: readonly string[] = [], options: RunOptions = {}) {
    const { status, signal, stdout, stderr } = await finish(command, args, options);
    if (status !== 0)
      throw new Error(`${command} ${args.join(' ')}: ended with ${status ?? signal}: ${stdout}${stderr}`);
    return stdout;
  }

  return {
    env,
    bytes,
    async run(command, args = [], options = {}) {
      const done = await finish(command, args, options);
      return { ...done, stdout: done.stdout.toString(), stderr: done.stderr.toString() };
    },
    async output(command, args = [], options = {}) {
      return (await bytes(command, args, options)).toString();
    },
    spawn(command, args = [], options = {}) {
      const child = launch(command, args, options);
      const stdout = collect(child.stdout);
      const stderr = collect(child.stderr);
      if (options.input !== undefined) child.stdin.end(options.input);
      const finished = closed(child).then(([status, signal]) => ({
        status,
        signal,
        stdout: stdout().toString(),
        stderr: stderr().toString(),
      }));
      // Who does not wait for its end is not interested in how it failed.
      finished.catch(() => {});
      return {
        pid: child.pid ?? -1,
        stdin: child.stdin,
        stdout: () => stdout().toString(),
        stderr: () => stderr().toString(),
        lines: () => stdout().toString().split('\n').slice(0, -1),
        kill: (signal) => void child.kill(signal),
        finished,
      };
    },
  };
}
