import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import type { Cancel, Clock } from '../../system/clock.ts';
import { oneLine } from '../text.ts';
import type { BarClick } from './click-reader.ts';
import { createWrappedOutput, type WrappedBlock, type WrappedOutput } from './wrapped-output.ts';

export interface WrappedProgram {
  /** What it shows, or what is wrong with it. */
  blocks(): readonly WrappedBlock[];
  /** Passes a click on, where the program's header asks for clicks. */
  click(click: BarClick): void;
  /** Ends it and what it has started; resolves when it has gone, after half a second at most. */
  end(): Promise<void>;
}

const firstDelay = 1_000;
const longestDelay = 60_000;
/** One that ran for so long is not in a loop of dying, ms. */
const settledAfter = 10_000;
const patience = 400;
/** A program that reads no clicks gets no more of them, bytes. */
const unreadClicks = 64 * 1024;

/**
 * Runs the user's other status program beside tsmux: in a process group of its own, its clicks in its own protocol,
 * started again with growing delay when it ends or writes a line without end. What is wrong with it is one red
 * block in its place.
 */
export function runWrapped(
  command: readonly [string, ...string[]],
  parts: { readonly clock: Clock; readonly onChange: () => void },
): WrappedProgram {
  const { clock, onChange } = parts;
  const [file, ...args] = command;
  const title = oneLine(basename(file));
  let running: Run | null = null;
  let failure: string | null = null;
  let delay = firstDelay;
  let ended = false;
  let cancelStart: Cancel = () => {};

  const start = () => {
    const startedAt = clock.now();
    const onEnd = (why: string) => {
      running = null;
      if (ended) return;
      if (clock.now() - startedAt >= settledAfter) delay = firstDelay;
      failure = `${why}, next try in ${delay / 1000} s`;
      cancelStart = clock.after(delay, start);
      delay = Math.min(delay * 2, longestDelay);
      onChange();
    };
    const onOutput = (output: WrappedOutput) => {
      if (output.problem() === null) failure = null;
      onChange();
    };
    try {
      running = startRun(file, args, { onOutput, onEnd });
    } catch (error) {
      // Most reasons are told by the child; some, as a program without a name, are thrown.
      setImmediate(() => onEnd(notStarted(error)));
    }
  };
  start();

  return {
    blocks() {
      const problem = failure ?? running?.output.problem() ?? null;
      if (problem === null) return running?.output.blocks() ?? [];
      return [{ name: 'tsmux', instance: 'wrapped', full_text: `${title} ${problem}`, color: '#ff5c5c' }];
    },
    click: (click) => running?.click(click),
    async end() {
      ended = true;
      cancelStart();
      await running?.end();
    },
  };
}

const NOT_STARTED = new Map<unknown, string>([
  ['ENOENT', 'not found'],
  ['EACCES', 'no permission'],
]);

function notStarted(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : error;
  return `cannot be started: ${NOT_STARTED.get(code) ?? String(code)}`;
}

interface Run {
  readonly output: WrappedOutput;
  click(click: BarClick): void;
  end(): Promise<void>;
}

function startRun(
  file: string,
  args: readonly string[],
  listener: { onOutput(output: WrappedOutput): void; onEnd(why: string): void },
): Run {
  const output = createWrappedOutput();
  // A new session is a new process group: what the bar sends to its own group does not reach the program.
  const child = spawn(file, args, { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  let clicked = false;
  let gone = false;
  let why: string | null = null;

  const signal = (name: 'SIGTERM' | 'SIGKILL') => {
    if (gone || child.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // It has gone by itself.
    }
  };
  const over = (reason: string) => {
    if (gone) return;
    gone = true;
    listener.onEnd(why ?? reason);
  };

  child.once('error', (error) => over(notStarted(error)));
  child.once('close', (code, signalName) => over(`ended (${signalName ?? `exit ${code}`})`));
  child.once('exit', () => {
    // What it has started may hold the pipe open for ever.
    setTimeout(() => child.stdout.destroy(), patience).unref();
  });
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (chunk: string) => {
    output.push(chunk);
    if (output.problem() === 'writes a line without end') {
      why = 'writes a line without end';
      signal('SIGKILL');
      return;
    }
    listener.onOutput(output);
  });

  return {
    output,
    click(click) {
      if (gone || !output.wantsClicks() || child.stdin.writableLength > unreadClicks) return;
      child.stdin.write(`${clicked ? ',' : '[\n'}${JSON.stringify(click)}\n`);
      clicked = true;
    },
    async end() {
      if (gone) return;
      const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
      signal('SIGTERM');
      const late = setTimeout(() => signal('SIGKILL'), patience);
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, patience + 100))]);
      clearTimeout(late);
    },
  };
}
