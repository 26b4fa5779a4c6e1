/**
 * The stand-in: a small program that behaves as Claude Code does, for tests that need many sessions, or one in a
 * state that is hard to reach. Its prompts name what its model says (`SCN:bash`, see ../claude-code/scenarios.ts);
 * ../claude-code/compare.ts holds it to what the real one does.
 *
 *     const claude = await startStandIn({ home });
 *     await claude.type('SCN:bash please');
 *     await claude.is('waiting');
 *     await claude.answer('1');
 *
 * In a terminal of the lab: `const it = await prepareStandIn(); lab.terminal('xterm', { command: it.command,
 * env: it.env }); const claude = await it.connected`.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import * as z from 'zod/mini';
import { until } from '../support/until.ts';
import { type DrivenClaude, drive } from './driven.ts';
import type { Step } from './program/step.ts';
import { openPty, openTmux, type Program } from './terminals.ts';

export type { Step } from './program/step.ts';

export interface StandInOptions {
  /** Whose manner it has; 2.1.332 if nothing is said. */
  readonly version?: '2.1.332' | '2.1.197';
  /** False: as before there were session files. */
  readonly sessionFiles?: boolean;
  readonly kind?: 'interactive' | 'bg';
  /** A background session that waits to be claimed. */
  readonly spare?: boolean;
  readonly entrypoint?: string;
  readonly mode?: 'manual' | 'plan' | 'acceptEdits' | 'auto' | 'bypassPermissions';
  readonly args?: readonly string[];
  /** Name of the executable, where the native installation calls it by its version. */
  readonly as?: string;
  /** A folder outside of the project, that scenarios write to. */
  readonly outside?: string;
}

/** The line from a test to its stand-in. */
export interface Control {
  readonly pid: number;
  readonly configDir: string;
  readonly cwd: string;
  readonly sessionId: string;
  /** Done when the stand-in has done it. */
  step(step: Step): Promise<void>;
}

export interface Prepared {
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly connected: Promise<Control>;
  /** Ends the stand-in too, if it still runs. */
  close(): void;
}

/** Where everybody can read and run it, also the user that a lab runs as. */
const shared = join(tmpdir(), `tsmux-stand-in-${process.getuid?.() ?? 0}`);

function sharedFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o755 });
  if (lstatSync(shared).uid !== process.getuid?.()) throw new Error(`${shared} belongs to somebody else`);
  return path;
}

/** Puts a file there whole, or not at all: other test files do the same at the same time. */
function provide(path: string, make: (draft: string) => void): string {
  if (existsSync(path)) return path;
  const draft = join(
    sharedFolder(dirname(path)),
    `.draft-${process.pid}-${Math.random().toString(36).slice(2)}`,
  );
  make(draft);
  chmodSync(draft, 0o755);
  renameSync(draft, path);
  return path;
}

/** Node.js under another name: what the kernel says of a process is its executable, and the first part of its name. */
function executable(as: string | undefined): string {
  const claude = join(shared, process.version, 'claude');
  provide(claude, (draft) => copyFileSync(process.execPath, draft));
  if (as === undefined) return claude;
  return provide(join(shared, process.version, 'share/claude/versions', as), (draft) =>
    linkSync(claude, draft),
  );
}

async function program(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'program/main.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    write: false,
  });
  const text = outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return provide(join(shared, `program-${hash}.mjs`), (draft) => writeFileSync(draft, text));
}
let built: Promise<string> | undefined;

const Hello = z.object({ pid: z.number(), configDir: z.string(), cwd: z.string(), sessionId: z.string() });
const Reply = z.object({ id: z.number(), error: z.nullable(z.string()) });

function control(
  socket: Socket,
  hello: z.infer<typeof Hello>,
  replies: Map<number, (error: Error | null) => void>,
): Control {
  let count = 0;
  return {
    ...hello,
    step: (step) =>
      new Promise((resolve, reject) => {
        const id = ++count;
        replies.set(id, (error) => (error === null ? resolve() : reject(error)));
        socket.write(`${JSON.stringify({ id, step })}\n`);
      }),
  };
}

/** A command and an environment that make a stand-in wherever they are run; it reports when it is there. */
export async function prepareStandIn(options: StandInOptions = {}): Promise<Prepared> {
  built ??= program();
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-'));
  chmodSync(folder, 0o755);
  const path = join(folder, 'control.sock');
  const sockets = new Set<Socket>();
  const replies = new Map<number, (error: Error | null) => void>();
  let connected: (control: Control) => void = () => {};
  const server = createServer((socket) => {
    sockets.add(socket);
    socket
      .on('error', () => {})
      .on('close', () => {
        for (const reply of replies.values()) reply(new Error('the stand-in is gone'));
        replies.clear();
      });
    createInterface({ input: socket }).on('line', (line) => {
      const message: unknown = JSON.parse(line);
      const hello = Hello.safeParse(message);
      if (hello.success) return connected(control(socket, hello.data, replies));
      const { id, error } = Reply.parse(message);
      replies.get(id)?.(error === null ? null : new Error(error));
      replies.delete(id);
    });
  });
  await new Promise<void>((listening) => server.listen(path, listening));
  chmodSync(path, 0o777);
  server.unref();
  const setup = {
    version: options.version ?? '2.1.332',
    sessionFiles: options.sessionFiles ?? true,
    kind: options.kind ?? 'interactive',
    spare: options.spare ?? false,
    entrypoint: options.entrypoint ?? null,
    control: path,
  };
  const words = [
    ...(options.mode === undefined ? [] : ['--permission-mode', options.mode]),
    ...(options.args ?? []),
  ];
  // Node.js would take it for an option of its own; the program puts the dash back.
  const args = words.map((word, index) => (index === 0 ? word.replace(/^-/, '_') : word));
  return {
    command: [executable(options.as), ...args],
    env: {
      NODE_OPTIONS: `--import=file://${await built}`,
      STAND_IN: JSON.stringify(setup),
      ...(options.outside !== undefined && { STAND_IN_OUTSIDE: options.outside }),
    },
    connected: new Promise((resolve) => {
      connected = resolve;
    }),
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface StandIn extends DrivenClaude {
  step(step: Step): Promise<void>;
  /** Ends it and its terminal, whatever state they are in. */
  stop(): Promise<void>;
}

export interface StartOptions extends StandInOptions {
  readonly home: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A session of a tmux server, instead of a PTY that nobody sees. */
  readonly tmux?: { readonly socket: string; readonly session: string };
  readonly wrap?: NonNullable<Program['wrap']>;
  /** Do not wait until it is ready for a prompt: something stands in its way. */
  readonly early?: boolean;
}

/** Starts one without any desktop and waits until it is ready for a prompt. */
export async function startStandIn(options: StartOptions): Promise<StandIn> {
  const prepared = await prepareStandIn(options);
  const [command, ...args] = prepared.command;
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    HOME: options.home,
    ...options.env,
    ...prepared.env,
  };
  const what: Program = { command, args, cwd: options.cwd, env, ...(options.wrap && { wrap: options.wrap }) };
  const terminal = options.tmux === undefined ? await openPty(what) : await openTmux(what, options.tmux);
  let control: Control | undefined;
  void prepared.connected.then((it) => {
    control = it;
  });
  const { configDir, step } = await until(() => control, {
    why: 'the stand-in',
    limit: 10_000,
    saw: terminal.screen,
  });
  const driven = drive(terminal, configDir, options.cwd);
  if (options.sessionFiles !== false && options.early !== true) await driven.is('idle');
  return {
    ...driven,
    step,
    stop: async () => {
      prepared.close();
      await terminal.close();
    },
  };
}
