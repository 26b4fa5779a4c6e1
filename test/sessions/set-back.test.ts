import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/sessions/observation.ts';
import { createRegistry, type Registry } from '../../src/sessions/registry.ts';
import type { Session } from '../../src/sessions/session.ts';
import { manualClock } from '../support/manual-clock.ts';
import { comparable, days } from './days.ts';
import { asks, at, file, key, only, seenAlive, stopped, submitted, transcriptSays } from './told.ts';

const HOUR = 3_600_000;

/** A registry that is told what happens, each at its time by a clock that can be set back. */
function world(saved?: unknown, start = at(0)) {
  const clock = manualClock(start);
  const registry = createRegistry(saved, clock.now);
  /** The session file as it was written last. */
  let written: Observation | null = null;
  const read = () => {
    if (written !== null) registry.observe(key, { ...written, at: clock.now() });
  };
  return {
    clock,
    registry,
    read,
    /** `by`: how far the clock had been set back when the fact was stamped. */
    happens(fact: Observation, by = 0) {
      const stamped = { ...fact, at: fact.at - by };
      // Counted from the boot, which goes back too.
      if (stamped.type === 'process-seen') stamped.startedAt -= by;
      if (stamped.type === 'session-file' && stamped.statusAt !== null) {
        written = { ...stamped, statusAt: stamped.statusAt - by };
        read();
      } else registry.observe(key, stamped);
    },
  };
}

const ageOf = (registry: Registry, now: number) => now - only(registry).since;

describe('a clock that is set back', () => {
  it('does not keep a new turn from being seen', () => {
    const { clock, happens, registry } = world();
    happens(seenAlive());
    happens(file(0, 'idle'));
    clock.pass(10_000);
    clock.jump(-HOUR);
    clock.pass(1_000);
    happens(submitted(11, 'A'), HOUR);
    happens(file(11, 'busy'), HOUR);
    expect(only(registry).state).toBe('busy');
    clock.pass(9_000);
    happens(stopped(20, 'A'), HOUR);
    happens(file(20, 'idle'), HOUR);
    expect(only(registry)).toMatchObject({ state: 'review', since: at(20) - HOUR });
  });

  it('leaves a state as old as it was', () => {
    const { clock, happens, registry, read } = world();
    happens(seenAlive());
    happens(file(0, 'busy'));
    clock.pass(60_000);
    read();
    clock.jump(-HOUR);
    read();
    expect(only(registry).state).toBe('busy');
    expect(ageOf(registry, clock.now()) - 60_000).toBeLessThan(2);
  });

  it('settles no prompt and makes no other one, neither then nor when it has caught up', () => {
    const { clock, happens, registry, read } = world();
    happens(seenAlive());
    happens(file(0, 'busy'));
    clock.pass(5_000);
    happens(file(5, 'waiting'));
    happens(asks(5, 'npm i'));
    const { prompts } = only(registry);
    clock.pass(10_000);
    clock.jump(-HOUR);
    for (const wait of [0, 1_000, HOUR / 2, HOUR, HOUR]) {
      clock.pass(wait);
      read();
      expect(only(registry)).toMatchObject({ state: 'needs-input', prompts: [{ id: prompts[0]?.id }] });
    }
    clock.pass(1_000);
    happens(file(17 + 2.5 * 3600, 'busy'), HOUR);
    expect(only(registry)).toMatchObject({ state: 'busy', prompts: [] });
  });

  it('makes nothing newer than what comes then that comes late from before', () => {
    const { clock, happens, registry } = world();
    happens(seenAlive());
    happens(submitted(0, 'A'));
    clock.pass(10_000);
    clock.jump(-HOUR);
    happens(transcriptSays(9.9, 'interrupted'));
    expect(only(registry).state).toBe('idle');
    clock.pass(2_000);
    happens(submitted(11.9, 'B'), HOUR);
    expect(only(registry).state).toBe('busy');
  });

  it('settles a prompt whose dialog was told of before, and is read of only then', () => {
    const { clock, happens, registry } = world(undefined, at(0) - HOUR);
    happens(seenAlive(0), HOUR);
    happens(file(-5, 'waiting'));
    expect(only(registry)).toMatchObject({ state: 'needs-input', since: at(0) - HOUR });
    clock.pass(2_000);
    happens(file(2, 'idle'), HOUR);
    expect(only(registry)).toMatchObject({ state: 'idle', prompts: [] });
  });

  it('is believed, not what a daemon before had kept', () => {
    const before = world();
    before.happens(seenAlive());
    before.happens(submitted(0, 'A'));
    before.clock.pass(10_000);
    before.happens(stopped(10, 'A'));
    const saved = JSON.parse(JSON.stringify(before.registry.save(before.clock.now())));
    const { clock, happens, registry } = world(saved, at(20) - HOUR);
    happens(seenAlive(20), HOUR);
    expect(only(registry).state).toBe('review');
    clock.pass(1_000);
    happens(submitted(21, 'B'), HOUR);
    expect(only(registry).state).toBe('busy');
  });

  it('is not meant by what NTP corrects', () => {
    const { clock, happens, registry } = world();
    happens(seenAlive());
    happens(file(0, 'idle'));
    clock.jump(-500);
    happens(submitted(0.2, 'A'));
    expect(only(registry).since).toBe(at(0.2));
  });
});

/** A day lived through while the clock is set back `by` ms at true time `jump`; the file is read again each time. */
function lived(facts: readonly Observation[], jump: number, by: number): Session {
  const { clock, happens, registry, read } = world();
  const offset = (time: number) => (time >= jump ? by : 0);
  let jumped = 0;
  for (const fact of [seenAlive(), ...facts]) {
    clock.pass(Math.max(0, fact.at - clock.now() - jumped));
    if (jumped === 0 && fact.at >= jump) {
      jumped = by;
      clock.jump(-by);
    }
    happens(fact, offset(fact.at));
    read();
  }
  // Late enough that no source is to be waited for.
  clock.pass(5_000);
  read();
  const session = only(registry);
  expect(session.since).toBeLessThanOrEqual(clock.now());
  return session;
}

const told = (session: Session) => ({ ...comparable(session), since: 0, startedAt: 0 });

describe.each(Object.entries(days))('%s', (_, { facts }) => {
  it('is told the same, whenever and however far the clock is set back', () => {
    const expected = told(lived(facts, at(1000), 0));
    const moment = fc.integer({ min: 0, max: 25_000 }).map((ms) => at(0) + ms);
    fc.assert(
      fc.property(moment, fc.integer({ min: 1_001, max: 48 * HOUR }), (jump, by) => {
        expect(told(lived(facts, jump, by))).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });
});
