import { describe, expect, it } from 'vitest';
import { openScreen } from '../../../src/bars/client/screen.ts';
import { manualClock } from '../../support/manual-clock.ts';

/** A bar that takes what is written when told, or at once. */
function bar({ slow = false } = {}) {
  const clock = manualClock();
  const written: string[] = [];
  const taken: (() => void)[] = [];
  const screen = openScreen((text, done) => {
    written.push(text);
    if (slow) taken.push(done);
    else done();
  }, clock);
  return {
    clock,
    written,
    screen,
    take: () => taken.shift()?.(),
    soon: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

describe('what a bar is sent', () => {
  it('begins with the header and the bracket in one write, then lines of one array', async () => {
    const { written, screen, soon, clock } = bar();
    screen.show('[1]', 1);
    await soon();
    screen.show('[2]', 2);
    clock.pass(100);
    expect(written).toEqual(['{"version":1,"click_events":true}\n[\n', '[1]\n', ',[2]\n']);
    expect(() => JSON.parse(`${written.join('').split('\n').slice(1).join('')}]`)).not.toThrow();
  });

  it('d14: is at most ten lines a second, the last of them the newest', async () => {
    const { written, screen, soon, clock } = bar();
    for (let update = 0; update < 1000; update += 1) {
      screen.show(`[${update}]`, update);
      await soon();
      clock.pass(1);
    }
    clock.pass(1000);
    expect(written.length).toBeGreaterThan(9);
    expect(written.length).toBeLessThanOrEqual(12);
    expect(written.at(-1)).toBe(',[999]\n');
  });

  it('d14: is not told the same twice, but the line that stands there has the newest number', async () => {
    const { written, screen, soon, clock } = bar();
    screen.show('[1]', 1);
    await soon();
    clock.pass(200);
    screen.show('[1]', 2);
    await soon();
    expect(written.length).toBe(2);
    clock.pass(50);
    expect(screen.shown()).toEqual({ line: 2, age: 250 });
  });

  it('is, for a bar that does not read, never more than one line and then the newest', async () => {
    const { written, screen, soon, clock, take } = bar({ slow: true });
    take();
    screen.show('[1]', 1);
    await soon();
    for (let line = 2; line < 500; line += 1) {
      screen.show(`[${line}]`, line);
      clock.pass(1000);
      await soon();
    }
    expect(written.slice(1)).toEqual(['[1]\n']);
    take();
    expect(screen.shown()).toEqual({ line: 1, age: 0 });
    await soon();
    expect(written.slice(1)).toEqual(['[1]\n', ',[499]\n']);
  });

  it('is only the newest of what came in one go, as after a stop', async () => {
    const { written, screen, soon } = bar();
    screen.show('[1]', 1);
    screen.show('[2]', 2);
    screen.show('[3]', 3);
    await soon();
    expect(written.slice(1)).toEqual(['[3]\n']);
  });
});
