import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/system/clock.ts';

describe('what can wait', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is done together, with one timer that fires every 20 s', () => {
    const done: string[] = [];
    const again = (name: string, ms: number): void => {
      systemClock.around(ms, () => {
        done.push(name);
        again(name, ms);
      });
    };
    again('look', 20_000);
    vi.advanceTimersByTime(7_000);
    again('sweep', 40_000);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(13_000);
    expect(done).toEqual(['look']);
    vi.advanceTimersByTime(20_000);
    expect(done).toEqual(['look', 'sweep', 'look']);
    expect(vi.getTimerCount()).toBe(1);
    vi.clearAllTimers();
  });

  it('needs no timer when nothing waits, and waits no longer once it is cancelled', async () => {
    vi.resetModules();
    const { systemClock: fresh } = await import('../../src/system/clock.ts');
    const run = vi.fn();
    fresh.around(20_000, run)();
    vi.advanceTimersByTime(20_000);
    expect(run).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});
