import { join } from 'node:path';
import type { DrivenClaude, Line } from '../stand-in/driven.ts';
import { type StandIn, startStandIn } from '../stand-in/index.ts';
import { type Recorded, recorder } from '../stand-in/recorder.ts';
import { until } from '../support/until.ts';
import type { ClaudeWorld, StartOptions, Version } from './real-claude.ts';

export interface SessionOptions {
  readonly mode?: 'manual' | 'plan';
  readonly args?: readonly string[];
  readonly shop?: boolean;
}

/** One of the two that are compared: a Claude Code, or another process that came after it, and what it left. */
export interface Side {
  readonly claude: DrivenClaude;
  readonly outside: string;
  /** Starts it, or another one after it; what it does while it starts is seen too. */
  start(options?: SessionOptions): Promise<void>;
  /** Lets the model finish what it says endlessly. */
  finish(): Promise<void>;
  /** The hooks that have started since the part began. */
  calls(): readonly Recorded[];
  /** What was written to the transcript of its conversation since the part began. */
  lines(): readonly Line[];
  /** The next part begins. */
  next(): void;
}

function sideOf(
  hooks: { calls(): readonly Recorded[] },
  outside: string,
  start: (options: SessionOptions) => Promise<DrivenClaude>,
  finish: () => Promise<void>,
): Side {
  let claude: DrivenClaude | undefined;
  let calls = 0;
  /** How many lines each conversation had when the part began. */
  const lines = new Map<string, number>();
  const driven = () => {
    if (claude === undefined) throw new Error('it has not been started');
    return claude;
  };
  const sessionId = () => claude?.sessionFile()?.sessionId ?? hooks.calls().at(-1)?.body.session_id ?? '';
  const since = () =>
    inOrder(
      driven()
        .transcript(sessionId())
        .slice(lines.get(sessionId()) ?? 0),
    );
  return {
    get claude() {
      return driven();
    },
    outside,
    start: async (options = {}) => {
      claude = await start(options);
    },
    finish,
    calls: () => hooks.calls().slice(calls),
    lines: since,
    next: () => {
      calls = hooks.calls().length;
      if (claude !== undefined) lines.set(sessionId(), claude.transcript(sessionId()).length);
    },
  };
}

/** By the times that the lines bear: 2.1.197 does not always write the first ones of a transcript in their order. */
function inOrder(lines: readonly Line[]): readonly Line[] {
  let time = '';
  const timed = lines.map((line) => {
    if (typeof line.timestamp === 'string') time = line.timestamp;
    return { line, time };
  });
  return timed.sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)).map(({ line }) => line);
}

export interface Sides {
  readonly real: Side;
  readonly standIn: Side;
  stop(): Promise<void>;
}

/** Both live in folders of their own, as what one writes would surprise the other. */
export function bothSides(world: ClaudeWorld, version: Version): Sides {
  const running: StandIn[] = [];
  const record = recorder(join(world.home, 'real'));
  world.settings({ hooks: record.hooks });
  const ours = recorder(join(world.home, 'ours'));
  const env = { ...world.env, CLAUDE_CONFIG_DIR: world.configDir('stand-in', { hooks: ours.hooks }) };
  const cwd = world.project('stand-in');
  const outside = world.project('outside');

  const startReal = ({ mode, args, shop }: SessionOptions) => {
    const options: StartOptions = { version, in: 'tmux', early: true };
    return world.start({ ...options, ...(mode && { mode }), ...(args && { args }), ...(shop && { shop }) });
  };
  const startOurs = async ({ mode = 'manual', args = [] }: SessionOptions) => {
    const claude = await startStandIn({
      version,
      home: world.home,
      cwd,
      mode,
      args,
      outside,
      // A server of its own: what one server starts inherits the environment of whoever was first.
      tmux: { socket: `${world.tmuxSocket}-2`, session: `s${running.length}` },
      env,
      wrap: world.wrap,
      early: true,
    });
    running.push(claude);
    return claude;
  };
  return {
    real: sideOf(record, world.folders.outside, startReal, () => world.model.finish()),
    standIn: sideOf(ours, outside, startOurs, async () => {
      const claude = running.at(-1);
      await until(async () => (await claude?.screen())?.includes('word word'), { why: 'words' });
      await claude?.step({ do: 'finish' });
    }),
    stop: async () => {
      for (const claude of running) await claude.stop();
    },
  };
}
