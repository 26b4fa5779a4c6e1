import { describe, expect, it } from 'vitest';
import { keepQuiet } from '../../src/daemon/quiet.ts';
import { manualClock } from '../support/manual-clock.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function aKeeper(saved: unknown = null, clock = manualClock(Date.UTC(2026, 10, 30, 14))) {
  const ends: (number | null)[] = [];
  const keeper = keepQuiet({ clock, saved, changed: () => ends.push(keeper.current().until) });
  const left = () => {
    const { until } = keeper.current();
    return until === null ? null : (until - clock.now()) / MINUTE;
  };
  return { ...keeper, clock, left, ends };
}

describe('quiet time in the daemon', () => {
  it('begins, and ends by itself', () => {
    const quiet = aKeeper();
    quiet.start(30);
    expect(quiet.left()).toBe(30);
    quiet.clock.pass(30 * MINUTE);
    expect(quiet.left()).toBeNull();
    expect(quiet.ends).toHaveLength(2);
    expect(quiet.clock.timers()).toEqual([]);
  });

  it('is ended, or given another end, at any time', () => {
    const quiet = aKeeper();
    quiet.start(30);
    quiet.start(10);
    expect(quiet.left()).toBe(10);
    quiet.end();
    expect(quiet.left()).toBeNull();
    quiet.clock.pass(HOUR);
    expect(quiet.ends).toHaveLength(3);
  });

  it('g11: of 30 minutes is over when the machine wakes up after 3 hours, and that is noticed soon', () => {
    const quiet = aKeeper();
    quiet.start(30);
    quiet.clock.pass(5 * MINUTE);
    // While the machine sleeps no timer counts, but the time goes on.
    quiet.clock.jump(3 * HOUR);
    expect(quiet.left()).toBeNull();
    quiet.clock.pass(30_000);
    expect(quiet.ends.at(-1)).toBeNull();
  });

  it('g11: is noticed to be over at once where somebody tells of the waking', () => {
    const quiet = aKeeper();
    quiet.start(30);
    quiet.clock.jump(3 * HOUR);
    quiet.check();
    expect(quiet.ends.at(-1)).toBeNull();
  });

  it('does not last longer when the clock is set back', () => {
    const quiet = aKeeper();
    quiet.start(30);
    quiet.clock.pass(10 * MINUTE);
    quiet.clock.jump(-2 * HOUR);
    quiet.clock.pass(MINUTE);
    expect(quiet.left()).toBeLessThanOrEqual(20);
    expect(quiet.left()).toBeGreaterThan(18);
    quiet.clock.pass(20 * MINUTE);
    expect(quiet.left()).toBeNull();
  });

  it('goes on in the next daemon, by the same clock', () => {
    const first = aKeeper();
    first.start(30);
    first.clock.pass(10 * MINUTE);
    const saved = JSON.parse(JSON.stringify(first.save()));
    first.clock.pass(5 * MINUTE);
    expect(aKeeper(saved, first.clock).left()).toBe(15);
    first.clock.jump(-HOUR);
    expect(aKeeper(saved, first.clock).left()).toBe(20);
    first.clock.jump(2 * HOUR);
    expect(aKeeper(saved, first.clock).left()).toBeNull();
  });

  it.each([null, undefined, {}, { until: 'soon' }, 7])('is none where %j was saved', (saved) => {
    expect(aKeeper(saved).left()).toBeNull();
  });

  it('looks at the clock no more often than every 20 seconds, and not at all when it is not quiet', () => {
    const quiet = aKeeper();
    expect(quiet.clock.timers()).toEqual([]);
    quiet.start(30);
    expect(quiet.clock.timers()).toEqual([30_000]);
  });
});
