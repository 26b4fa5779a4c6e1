import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/sessions/observation.ts';
import { createRegistry } from '../../src/sessions/registry.ts';
import type { Session } from '../../src/sessions/session.ts';
import { comparable, days } from './days.ts';
import { at, key, only, seenAlive } from './told.ts';

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
