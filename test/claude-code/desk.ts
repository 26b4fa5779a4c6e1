import { expect } from 'vitest';
import * as z from 'zod/mini';
import { type Lab, startLab } from '../lab/lab.ts';
import type { Running } from '../lab/shell.ts';
import type { DrivenClaude } from '../stand-in/driven.ts';
import { until } from '../support/until.ts';
import { type ClaudeWorld, type StartOptions, startClaudeWorld } from './real-claude.ts';

/** What `tsmux watch` tells, as far as these tests look at it. */
const Option = z.object({ key: z.string(), label: z.string(), means: z.string() });
const Prompt = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  text: z.string(),
  agent: z.nullable(z.string()),
  answerable: z.string(),
  pinned: z.boolean(),
  options: z.array(Option),
});
export type Prompt = z.infer<typeof Prompt>;
const Session = z.object({
  id: z.string(),
  pid: z.number(),
  sessionId: z.nullable(z.string()),
  permissionMode: z.nullable(z.string()),
  name: z.string(),
  lastMessage: z.nullable(z.string()),
  state: z.string(),
  reason: z.nullable(z.string()),
  compacting: z.boolean(),
  background: z.object({ agents: z.number(), shells: z.number() }),
  place: z.object({
    certainty: z.string(),
    workspace: z.nullable(z.object({ name: z.string() })),
    window: z.nullable(z.object({ id: z.nullable(z.number()), focused: z.boolean() })),
    pane: z.nullable(z.object({ kind: z.string(), focused: z.boolean() })),
  }),
  prompts: z.array(Prompt),
});
export type Session = z.infer<typeof Session>;
const Told = z.union([
  z.object({ type: z.literal('snapshot'), sessions: z.array(Session) }),
  z.object({ type: z.literal('session'), session: Session }),
  z.object({ type: z.literal('gone'), id: z.string() }),
  z.object({ type: z.string() }),
]);
type Told = z.infer<typeof Told>;

/** A session as the user sees it through tsmux. */
export interface Watched {
  now(): Session | undefined;
  is(state: string, holds?: (session: Session) => boolean): Promise<Session>;
  /** Waits for a prompt of which this is true. */
  asks(holds?: (prompt: Prompt) => boolean): Promise<Prompt>;
  gone(limit: number): Promise<void>;
  /** The states that it was in since the call, in order. */
  since(): () => readonly string[];
}

/** A real Claude Code in a window of its own, on a workspace that nobody looks at. */
export interface OpenClaude {
  readonly claude: DrivenClaude;
  readonly session: Watched;
  readonly windowId: number;
  /** Gives its window the focus. */
  look(): Promise<void>;
}

/** A real desktop with tsmux on its bar and in Claude Code's settings. */
export interface Desk {
  readonly lab: Lab;
  readonly world: ClaudeWorld;
  open(
    options: StartOptions & { readonly in: 'xterm' | 'tmux' | 'kitty'; readonly workspace: string },
  ): Promise<OpenClaude>;
  watched(claude: DrivenClaude): Watched;
  /** The daemon that was watched has ended: watches the next one. */
  watchAgain(): void;
  /** Goes to a workspace without any session. */
  elsewhere(): Promise<void>;
  stop(): Promise<void>;
}

/** Everything told so far. A line is read once: tests look again and again. */
function listenTo(watch: Running): () => readonly Told[] {
  const told: Told[] = [];
  return () => {
    for (const line of watch.lines().slice(told.length)) told.push(Told.parse(JSON.parse(line)));
    return told;
  };
}

function watching({ pid, screen }: DrivenClaude, told: () => readonly Told[], stderr: () => string): Watched {
  const story = () => {
    const all: (Session | null)[] = [];
    let id: string | undefined;
    for (const one of told()) {
      const session =
        'session' in one
          ? one.session
          : 'sessions' in one
            ? one.sessions.find((found) => found.pid === pid)
            : undefined;
      if (session?.pid === pid) {
        all.push(session);
        id = session.id;
      } else if ('id' in one && one.id === id) all.push(null);
    }
    return all;
  };
  const now = () => story().at(-1) ?? undefined;
  const saw = async () => [now(), stderr(), await screen()];
  return {
    now,
    is: (state, holds = () => true) =>
      until(
        () => {
          const session = now();
          return session?.state === state && holds(session) && session;
        },
        { why: `the state ${state}`, limit: 20_000, saw },
      ),
    asks: (holds = () => true) =>
      until(() => now()?.state === 'needs-input' && now()?.prompts.find(holds), {
        why: 'a prompt',
        limit: 20_000,
        saw,
      }),
    gone: async (limit) =>
      void (await until(() => story().at(-1) === null, { why: 'the session to be gone', limit, saw: now })),
    since: () => {
      const from = story().length;
      const named = (one: Session | null) => one?.state ?? 'gone';
      return () => {
        const all = story().map(named);
        return all.filter((state, at) => at >= from && state !== all[at - 1]);
      };
    },
  };
}

/** What `tsmux watch` says from now on. */
export function watchSessions(lab: Pick<Lab, 'spawn'>): Pick<Desk, 'watched' | 'watchAgain'> {
  let watch: Running;
  let told: () => readonly Told[];
  const watchAgain = () => {
    watch = lab.spawn('tsmux', ['watch']);
    told = listenTo(watch);
  };
  watchAgain();
  const watched = (claude: DrivenClaude) =>
    watching(
      claude,
      () => told(),
      () => watch.stderr(),
    );
  return { watched, watchAgain };
}

/** @param config more lines of i3's configuration. */
export async function startDesk(config = ''): Promise<Desk> {
  const lab = await startLab({ bar: { command: 'tsmux i3bar' }, config });
  const world = await startClaudeWorld(lab).catch(async (error: unknown) => {
    await lab.stop();
    throw error;
  });
  const setup = await lab.tsmux(['setup', '--yes', '--no-deny']);
  expect(setup).toMatchObject({ status: 0, stderr: '' });

  const { watched, watchAgain } = watchSessions(lab);
  const elsewhere = () => lab.i3.command('workspace 1');

  return {
    lab,
    world,
    watched,
    watchAgain,
    elsewhere,
    open: async ({ workspace, ...options }) => {
      // Comes to the prompt only when no dialog stands in the way.
      const claude = await world.start(options);
      const { windowId: own, session: name } = claude.terminal;
      const attach = ['tmux', '-S', world.tmuxSocket, 'attach', '-t', name ?? ''];
      const windowId = own ?? (await lab.terminal('xterm', { command: attach })).windowId;
      await lab.i3.command(`[id=${windowId}] move container to workspace ${workspace}`);
      await elsewhere();
      return {
        claude,
        session: watched(claude),
        windowId,
        look: () => lab.i3.command(`[id=${windowId}] focus`),
      };
    },
    stop: async () => {
      await world.stop();
      await lab.stop();
    },
  };
}
