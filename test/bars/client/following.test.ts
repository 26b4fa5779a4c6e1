import { describe, expect, it } from 'vitest';
import { follow } from '../../../src/bars/client/following.ts';
import { manualClock } from '../../support/manual-clock.ts';

/** A daemon that a test starts and ends. */
function world() {
  const clock = manualClock();
  const told: string[] = [];
  let attempts = 0;
  let starts = 0;
  let connection: { line(text: string): void; end(orderly: boolean): void } | null = null;
  const daemon = { up: false };
  const stop = follow(
    '/v1/bar/i3bar',
    { onLine: (line) => told.push(line), onAway: () => told.push('away') },
    {
      clock,
      startDaemon: () => {
        starts += 1;
      },
      source: {
        post() {},
        open(_path, line, end) {
          attempts += 1;
          if (daemon.up) connection = { line, end };
          else clock.after(1, () => end(false));
          return () => told.push('closed');
        },
      },
    },
  );
  return {
    clock,
    told,
    stop,
    daemon,
    connection: () => connection,
    attempts: () => attempts,
    starts: () => starts,
  };
}

describe('a bar that follows the daemon', () => {
  it('d12: starts one where none runs, and says once that it is away', () => {
    const { clock, told, starts, daemon, connection } = world();
    clock.pass(50);
    expect([told, starts()]).toEqual([['away'], 1]);
    clock.pass(5000);
    expect(told).toEqual(['away']);
    daemon.up = true;
    clock.pass(5000);
    connection()?.line('hello');
    expect(told).toEqual(['away', 'hello']);
  });

  it('d12: comes back soon after the daemon died, and is told so each time', () => {
    const { clock, told, daemon, connection, starts } = world();
    daemon.up = true;
    clock.pass(200);
    connection()?.line('one');
    clock.pass(60_000);
    connection()?.end(false);
    expect(starts()).toBe(2);
    clock.pass(100);
    connection()?.line('two');
    expect(told).toEqual(['away', 'one', 'away', 'two']);
  });

  it('d12: waits longer and longer for a daemon that does not come, and does not start it all the time', () => {
    const { clock, attempts, starts } = world();
    clock.pass(60_000);
    expect(attempts()).toBeLessThan(25);
    expect(starts()).toBeLessThanOrEqual(6);
    const before = attempts();
    clock.pass(60_000);
    expect(attempts() - before).toBeLessThanOrEqual(13);
    expect(attempts() - before).toBeGreaterThanOrEqual(11);
  });

  it('does not start again a daemon that the user has stopped, but finds it when it is back', () => {
    const { clock, told, daemon, connection, starts } = world();
    daemon.up = true;
    clock.pass(200);
    connection()?.line('one');
    const before = starts();
    daemon.up = false;
    clock.pass(20_000);
    connection()?.end(true);
    clock.pass(120_000);
    expect(starts()).toBe(before);
    daemon.up = true;
    clock.pass(5000);
    connection()?.line('two');
    expect(told.at(-1)).toBe('two');
  });

  it('leaves nothing behind when it ends', () => {
    const { clock, stop, told, attempts } = world();
    stop();
    clock.pass(60_000);
    expect([told, attempts(), clock.timers()]).toEqual([['closed'], 1, []]);
  });
});
