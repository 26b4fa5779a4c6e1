import type { Observation } from '../../src/sessions/observation.ts';
import type { Session } from '../../src/sessions/session.ts';
import { asks, at, ends, file, starts, stopped, submitted, transcriptSays } from './told.ts';

/** Days as they really go, one observation after the other as each source tells it. */
export const days: Record<string, { facts: readonly Observation[]; truth: Partial<Session> }> = {
  'a finished turn': {
    facts: [
      file(0, 'idle'),
      submitted(5, 'A'),
      file(5.05, 'busy'),
      transcriptSays(5.02, 'started', 'A'),
      starts(6, 'ls'),
      ends(6.4, 'ls'),
      transcriptSays(8.9, 'finished'),
      stopped(9, 'A'),
      file(9.1, 'idle'),
    ],
    truth: { state: 'review', since: at(9) },
  },
  'an interrupted turn': {
    facts: [
      file(0, 'idle'),
      submitted(5, 'A'),
      file(5.05, 'busy'),
      starts(6, 'sleep 9'),
      transcriptSays(7, 'interrupted', 'A'),
      file(7.02, 'idle'),
    ],
    truth: { state: 'idle' },
  },
  'a prompt answered in the terminal': {
    facts: [
      submitted(5, 'A'),
      file(5.05, 'busy'),
      starts(6, 'npm i'),
      file(6.1, 'waiting'),
      asks(6.2, 'npm i'),
      file(12, 'busy'),
      ends(14, 'npm i'),
    ],
    truth: { state: 'busy', prompts: [], since: at(5) },
  },
  'a prompt that is open': {
    facts: [
      submitted(5, 'A'),
      file(5.05, 'busy'),
      starts(6, 'ls'),
      ends(6.1, 'ls'),
      starts(6.3, 'npm i'),
      file(6.4, 'waiting'),
      asks(6.5, 'npm i'),
    ],
    truth: { state: 'needs-input' },
  },
  'a queued prompt and a late Stop': {
    facts: [
      submitted(5, 'A'),
      file(5.05, 'busy'),
      submitted(7, 'B'),
      stopped(9, 'A'),
      transcriptSays(8.9, 'finished'),
    ],
    truth: { state: 'busy' },
  },
  'a turn that another follows at once': {
    facts: [
      submitted(5, 'A'),
      file(5.05, 'busy'),
      { type: 'turn-queued', at: at(7) },
      stopped(9, 'A'),
      file(9.1, 'idle'),
    ],
    truth: { state: 'busy', since: at(5) },
  },
  'sub-agents that still run': {
    facts: [
      submitted(5, 'A'),
      file(5.05, 'busy'),
      starts(6, 'Explore'),
      ends(6.1, 'Explore'),
      stopped(9, 'A', { background: { agents: 2, shells: 0 } }),
    ],
    truth: { state: 'busy', background: { agents: 2, shells: 0 } },
  },
  'an API error': {
    facts: [
      submitted(5, 'A'),
      file(5.05, 'busy'),
      stopped(9, 'A', { how: 'failed', reason: 'API error: overloaded' }),
      file(9.05, 'idle'),
    ],
    truth: { state: 'review', reason: 'API error: overloaded' },
  },
  'seen, and on with the next': {
    facts: [
      submitted(5, 'A'),
      file(5.05, 'busy'),
      stopped(9, 'A'),
      file(9.1, 'idle'),
      { type: 'seen', at: at(12) },
      submitted(20, 'B'),
      file(20.05, 'busy'),
    ],
    truth: { state: 'busy', since: at(20) },
  },
};

/** Ids of prompts come from where a prompt was first heard of; all else must not depend on the order. */
export const comparable = (session: Session) => ({
  ...session,
  prompts: session.prompts.map(({ id: _, since: __, ...prompt }) => prompt),
});
