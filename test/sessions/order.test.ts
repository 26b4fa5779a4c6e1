import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/sessions/observation.ts';
import { createRegistry } from '../../src/sessions/registry.ts';
import type { Session } from '../../src/sessions/session.ts';
import {
  asks,
  at,
  ends,
  file,
  key,
  only,
  seenAlive,
  starts,
  stopped,
  submitted,
  transcriptSays,
} from './told.ts';

/** Days as they really go, one observation after the other as each source tells it. */
const days: Record<string, { facts: readonly Observation[]; truth: Partial<Session> }> = {
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
const comparable = (session: Session) => ({
  ...session,
  prompts: session.prompts.map(({ id: _, since: __, ...prompt }) => prompt),
});

const lived = (facts: readonly Observation[]): Session => {
  const registry = createRegistry();
  for (const fact of [seenAlive(), ...facts]) registry.observe(key, fact);
  return only(registry);
};

describe.each(Object.entries(days))('%s', (_, { facts, truth }) => {
  it('is told truly', () => {
    expect(lived(facts)).toMatchObject(truth);
  });

  it('ends in the same truth in any order, told once or twice', () => {
    const expected = comparable(lived(facts));
    fc.assert(
      fc.property(fc.shuffledSubarray([...facts, ...facts], { minLength: facts.length * 2 }), (shuffled) => {
        expect(comparable(lived(shuffled))).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('stays true through a restart of the daemon at any moment, when the sources are read again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: facts.length }), (moment) => {
        const registry = createRegistry();
        for (const fact of [seenAlive(), ...facts.slice(0, moment)]) registry.observe(key, fact);
        const again = createRegistry(JSON.parse(JSON.stringify(registry.save(at(100)))));
        for (const fact of [seenAlive(), ...facts]) again.observe(key, fact);
        expect(comparable(only(again))).toEqual(comparable(lived(facts)));
      }),
    );
  });
});
