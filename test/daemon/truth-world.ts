import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { WireEvent, WireSession, WireSnapshot } from '../../src/daemon/wire.ts';
import { type StandIn, type StartOptions, startStandIn } from '../stand-in/index.ts';
import { aMachine, follow, type Machine } from '../support/program.ts';
import { until } from '../support/until.ts';

/** A machine with tsmux on it, and what its daemon tells of the stand-ins that run there. */
export interface World {
  readonly machine: Machine;
  readonly project: string;
  /** Runs the daemon (again), and reads along. */
  daemon(): Promise<void>;
  start(options?: Partial<StartOptions>): Promise<StandIn>;
  now(claude: StandIn): WireSession | undefined;
  /** The states that the session was in, each once, since the daemon last began. */
  story(claude: StandIn): readonly string[];
  is(claude: StandIn, state: string, holds?: (session: WireSession) => boolean): Promise<WireSession>;
  gone(claude: StandIn, limit: number): Promise<void>;
  /** Whether anything was told of that process. */
  knows(pid: number): boolean;
}

/** @param hooked with the hooks that `tsmux setup` installs. */
export async function world(hooked: boolean): Promise<World> {
  const machine = await aMachine();
  const project = join(machine.home, 'code/webshop');
  const outside = join(machine.home, 'outside');
  for (const folder of [project, outside]) mkdirSync(folder, { recursive: true });
  if (hooked) expect((await machine.tsmux('setup', '--yes')).stderr).toBe('');
  let lines: readonly string[] = [];
  let follows = false;

  function told(claude: StandIn): (WireSession | null)[] {
    let id: string | undefined;
    return lines.flatMap((line): (WireSession | null)[] => {
      const event = JSON.parse(line) as WireEvent;
      if (event.type === 'gone') return event.id === id ? [null] : [];
      const sessions =
        event.type === 'snapshot' ? event.sessions : event.type === 'session' ? [event.session] : [];
      const mine = sessions.filter(({ pid }) => pid === claude.pid);
      id = mine[0]?.id ?? id;
      return mine;
    });
  }
  const now = (claude: StandIn) => told(claude).at(-1) ?? undefined;

  return {
    machine,
    project,
    now,
    async daemon() {
      await machine.tsmux('stop');
      await machine.tsmux('list');
      ({ lines } = await follow(machine.socket, '/v1/watch'));
      follows = true;
    },
    async start(options = {}) {
      const claude = await startStandIn({ home: machine.home, cwd: project, outside, ...options });
      onTestFinished(() => claude.stop());
      const { early, spare, sessionFiles } = options;
      // What was over before the daemon had heard of it would need nobody's review.
      if (follows && !early && !spare && sessionFiles !== false)
        await until(() => now(claude) !== undefined, { why: 'the daemon to hear of it', limit: 15_000 });
      return claude;
    },
    story: (claude) =>
      told(claude)
        .map((session) => session?.state ?? 'gone')
        .filter((state, at, all) => state !== all[at - 1]),
    is: (claude, state, holds = () => true) =>
      until(
        () => {
          const session = now(claude);
          return session?.state === state && holds(session) && session;
        },
        {
          why: `the state ${state}`,
          limit: 15_000,
          every: 5,
          saw: () => [now(claude), claude.sessionFile()],
        },
      ),
    knows: (pid) => lines.some((line) => line.includes(`"pid":${pid},`)),
    gone: async (claude, limit) =>
      void (await until(() => told(claude).at(-1) === null, { why: 'its end', limit, every: 5 })),
  };
}

/** How long after Claude Code's own word the state came, ms. */
export async function delay(claude: StandIn, status: string, shown: Promise<unknown>): Promise<number> {
  const { statusUpdatedAt = 0 } = await claude.is(status);
  await shown;
  return Date.now() - statusUpdatedAt;
}

/** Other stand-ins may run on the machine at the same time. */
export async function listed({ machine }: World): Promise<readonly WireSession[]> {
  const { stdout } = await machine.tsmux('list', '--json');
  const { sessions } = JSON.parse(stdout) as WireSnapshot;
  return sessions.filter(({ configDir }) => configDir === join(machine.home, '.claude'));
}
