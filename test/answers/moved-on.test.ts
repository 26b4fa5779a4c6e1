import { describe, expect, it } from 'vitest';
import { movedOn } from '../../src/answers/moved-on.ts';
import type { PromptId } from '../../src/sessions/prompt.ts';
import { manualClock } from '../support/manual-clock.ts';
import { passing } from '../support/passing.ts';

const p1 = 'pone' as PromptId;

function setUp() {
  const clock = manualClock();
  const open = new Set([p1]);
  const listeners = new Set<() => void>();
  const prompts = {
    isOpen: (id: PromptId) => open.has(id),
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };
  return { clock, open, prompts, listeners, changed };
}

describe('after an answer', () => {
  it('Claude moved on when the prompt is retired in time, and that is told at once', async () => {
    const { clock, open, prompts, listeners, changed } = setUp();
    const moved = movedOn(p1, prompts, clock, 3000);
    await passing(clock, 200);
    changed();
    open.delete(p1);
    changed();
    expect(await moved).toBe(true);
    expect(listeners.size).toBe(0);
    expect(clock.timers()).toEqual([]);
  });

  it('Claude did not move on when the prompt is still open after that time', async () => {
    const { clock, prompts, listeners, changed } = setUp();
    const moved = movedOn(p1, prompts, clock, 3000);
    changed();
    await passing(clock, 3000);
    expect(await moved).toBe(false);
    expect(listeners.size).toBe(0);
  });

  it('a prompt that is retired already needs no waiting', async () => {
    const { clock, open, prompts, listeners } = setUp();
    open.delete(p1);
    expect(await movedOn(p1, prompts, clock, 3000)).toBe(true);
    expect(listeners.size).toBe(0);
    expect(clock.timers()).toEqual([]);
  });

  it('a change that nobody told of is still seen at the end', async () => {
    const { clock, open, prompts } = setUp();
    const moved = movedOn(p1, prompts, clock, 3000);
    open.delete(p1);
    await passing(clock, 3000);
    expect(await moved).toBe(true);
  });
});
