import { sessionIdOf } from '../sessions/ids.ts';
import type { Observation } from '../sessions/observation.ts';
import type { Registry } from '../sessions/registry.ts';
import type { SessionId, SessionKey } from '../sessions/session.ts';
import type { Explanation } from './api.ts';

const KEPT = 20;

/** Remembers the newest facts of each session, for `tsmux explain`. Not the words in them: those may be secret. */
export interface FactLog {
  note(key: SessionKey, observation: Observation): void;
  of(id: SessionId): Explanation['facts'];
}

export function createFactLog(registry: Registry): FactLog {
  const notes = new Map<SessionId, { at: number; what: string }[]>();
  registry.subscribe((change) => {
    if (change.type === 'gone') notes.delete(change.session.id);
  });
  return {
    note(key, observation) {
      const what = wordsFor(observation);
      if (what === null) return;
      const id = sessionIdOf(key);
      const mine = notes.get(id) ?? [];
      if (mine.at(-1)?.what === what) mine.pop();
      mine.push({ at: observation.at, what });
      notes.set(id, mine.slice(-KEPT));
    },
    // Newest first, and of one time the one that was heard last.
    of: (id) =>
      (notes.get(id) ?? [])
        .toReversed()
        .sort((a, b) => b.at - a.at)
        .map(({ at, what }) => ({ at: new Date(at).toISOString(), what })),
  };
}

/** Null for what says nothing about the state. */
function wordsFor(fact: Observation): string | null {
  switch (fact.type) {
    case 'process-seen':
      return `process is alive (${fact.kind})`;
    case 'process-gone':
      return 'process has ended';
    case 'session-file':
      return `session file says ${fact.status ?? 'nothing'}${fact.waitingFor === null ? '' : `, waiting for ${fact.waitingFor}`}`;
    case 'turn-started':
      return `${fact.source}: a turn began (${fact.by})`;
    case 'turn-ended':
      return `${fact.source}: the turn ended (${fact.how})`;
    case 'turn-queued':
      return 'transcript: another turn is queued';
    case 'command-run':
      return 'transcript: the user ran a command';
    case 'tool-started':
      return `${fact.source}: ${fact.tool.name} began`;
    case 'tool-ended':
      return `${fact.source}: ${fact.tool ?? 'its tools'} ended`;
    case 'background':
      return `hook: ${fact.agents} sub-agents and ${fact.shells} shells in the background`;
    case 'prompt-asked':
      return `hook: asks for ${fact.prompt.title}`;
    case 'prompt-held':
      return `the hook of ${fact.prompt} is ${fact.options === null ? 'no longer held' : 'held'}`;
    case 'dialog-read':
      return `the dialog of ${fact.prompt} ${fact.options === null ? 'could not be read' : 'was read'}`;
    case 'prompt-answered':
      return `${fact.prompt} was answered through tsmux`;
    case 'nudged':
      return `hook: notification ${fact.notification}`;
    case 'agent-stopped':
      return 'hook: a sub-agent stopped';
    case 'compaction':
      return `hook: compaction ${fact.running ? 'began' : 'ended'}`;
    case 'session-renewed':
      return `session ${fact.how}`;
    case 'seen':
      return 'seen';
    case 'mode-seen':
    case 'transcript':
    case 'placed':
    case 'ports':
    case 'labelled':
      return null;
  }
}
