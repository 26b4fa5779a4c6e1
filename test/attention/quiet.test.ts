import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkQuiet, startQuiet } from '../../src/attention/quiet.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const noon = Date.UTC(2026, 10, 30, 12);

/** Minutes that are left after looking at the clock at each of these times. */
function left(minutes: number, ...looks: readonly number[]): number {
  const quiet = looks.reduce(checkQuiet, startQuiet(minutes, noon));
  return quiet === null ? 0 : (quiet.until - (looks.at(-1) ?? noon)) / MINUTE;
}

describe('quiet time', () => {
  it('lasts as long as was asked for', () => {
    expect(left(30, noon + 29 * MINUTE)).toBe(1);
    expect(left(30, noon + 30 * MINUTE)).toBe(0);
  });

  it('g11: of 30 minutes is over for a machine that slept 3 hours', () => {
    expect(left(30, noon + 5 * MINUTE, noon + 3 * HOUR)).toBe(0);
  });

  it('goes on after a short sleep, to the end that was said', () => {
    expect(left(30, noon + 5 * MINUTE, noon + 20 * MINUTE)).toBe(10);
  });

  it('is no longer than it was when the clock is set back', () => {
    expect(left(30, noon + 10 * MINUTE, noon - 5 * HOUR)).toBe(20);
    expect(left(30, noon + 10 * MINUTE, noon - 5 * HOUR, noon - 5 * HOUR + 19 * MINUTE)).toBe(1);
    expect(left(30, noon + 10 * MINUTE, noon - 5 * HOUR, noon - 5 * HOUR + 20 * MINUTE)).toBe(0);
  });

  it('never grows, and never comes back, however the clock moves', () => {
    const moves = fc.array(fc.integer({ min: -2 * HOUR, max: 2 * HOUR }), { maxLength: 20 });
    fc.assert(
      fc.property(moves, (steps) => {
        let now = noon;
        let before = 30 * MINUTE;
        let quiet = checkQuiet(startQuiet(30, now), now);
        for (const step of steps) {
          now += step;
          quiet = checkQuiet(quiet, now);
          const rest = quiet === null ? 0 : quiet.until - now;
          expect(rest).toBeLessThanOrEqual(before);
          before = rest;
        }
      }),
    );
  });
});
