import type { Observation, SessionFileRead, TurnEnded } from '../../src/sessions/observation.ts';
import { createRegistry, type Registry } from '../../src/sessions/registry.ts';
import type { Session, SessionKey } from '../../src/sessions/session.ts';

/** Observations as the sources tell them, `s` seconds after the session was first seen. */
const epoch = 1_796_048_000_000;
export const at = (s: number): number => epoch + Math.round(s * 1000);

export const key: SessionKey = { bootId: 'boot', pid: 4242, startTime: 50431 };

export const seenAlive = (s = 0): Observation => ({
  type: 'process-seen',
  at: at(s),
  kind: 'interactive',
  entrypoint: 'cli',
  cwd: '/home/ada/code/webshop',
  configDir: '/home/ada/.claude',
  startedAt: at(-60),
});

/** The file as it is read `readAfter` seconds after its status began. */
export const file = (
  s: number,
  status: SessionFileRead['status'],
  more: { waitingFor?: string; readAfter?: number; sessionId?: string; name?: string } = {},
): Observation => ({
  type: 'session-file',
  at: at(s + (more.readAfter ?? 0.01)),
  status,
  statusAt: status === null ? null : at(s),
  waitingFor: more.waitingFor ?? (status === 'waiting' ? 'permission prompt' : null),
  sessionId: more.sessionId ?? 'a0000000',
  name: more.name ?? null,
});

export const submitted = (s: number, promptId: string, by: 'user' | 'task' = 'user'): Observation => ({
  type: 'turn-started',
  at: at(s),
  source: 'hook',
  promptId,
  by,
});

export const stopped = (s: number, promptId: string, more: Partial<TurnEnded> = {}): Observation => ({
  type: 'turn-ended',
  at: at(s),
  source: 'hook',
  promptId,
  how: 'finished',
  reason: null,
  lastMessage: 'Done.',
  background: { agents: 0, shells: 0 },
  ...more,
});

/** What a line of the transcript tells; assistant lines bear no prompt id. */
export const transcriptSays = (
  s: number,
  how: 'started' | TurnEnded['how'],
  promptId: string | null = null,
): Observation =>
  how === 'started'
    ? { type: 'turn-started', at: at(s), source: 'transcript', promptId, by: 'user' }
    : {
        type: 'turn-ended',
        at: at(s),
        source: 'transcript',
        promptId,
        how,
        reason: how === 'failed' ? 'API Error: 529' : null,
        lastMessage: null,
        background: null,
      };

export const asks = (s: number, command: string, agent: string | null = null): Observation => ({
  type: 'prompt-asked',
  at: at(s),
  promptId: null,
  agent,
  permissionMode: 'default',
  prompt: {
    kind: 'permission',
    title: 'Bash',
    text: command,
    tool: 'Bash',
    inputKey: command.slice(0, 100),
    suggestions: [],
    questions: [],
  },
});

export const starts = (s: number, command: string, agent: string | null = null): Observation => ({
  type: 'tool-started',
  at: at(s),
  source: 'hook',
  promptId: null,
  toolUseId: `use-${command}`,
  agent,
  tool: { name: 'Bash', summary: command },
  inputKey: command.slice(0, 100),
});

export const ends = (s: number, command: string, agent: string | null = null): Observation => ({
  type: 'tool-ended',
  at: at(s),
  source: 'hook',
  promptId: null,
  toolUseId: `use-${command}`,
  agent,
  tool: 'Bash',
  inputKey: command.slice(0, 100),
});

export const nudged = (s: number, notification: string): Observation => ({
  type: 'nudged',
  at: at(s),
  notification,
  message: null,
});

export function told(...observations: readonly Observation[]): Registry {
  const registry = createRegistry();
  for (const observation of [seenAlive(), ...observations]) registry.observe(key, observation);
  return registry;
}

/** The one session after these observations. */
export function sessionAfter(...observations: readonly Observation[]): Session {
  return only(told(...observations));
}

export function only(registry: Registry): Session {
  const [session, ...others] = registry.all();
  if (session === undefined || others.length > 0)
    throw new Error(`${registry.all().length} sessions, not one`);
  return session;
}

export const stateAfter = (...observations: readonly Observation[]) => sessionAfter(...observations).state;
