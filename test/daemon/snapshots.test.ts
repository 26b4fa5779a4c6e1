import { expect, it } from 'vitest';
import { createSnapshots } from '../../src/daemon/snapshots.ts';
import { createRegistry } from '../../src/sessions/registry.ts';
import type { Snapshot } from '../../src/sessions/session.ts';
import { manualClock } from '../support/manual-clock.ts';

const key = { bootId: 'boot', pid: 1, startTime: 1 };
const ticks = () => new Promise<void>((resolve) => queueMicrotask(resolve));

function watched() {
  const clock = manualClock();
  const registry = createRegistry();
  const snapshots = createSnapshots({
    clock,
    registry,
    quiet: () => ({ until: null }),
    notice: () => null,
    marked: (session) => session,
  });
  const told: Snapshot[] = [];
  snapshots.subscribe((snapshot) => told.push(snapshot));
  const prompts = (count: number) => {
    for (let n = 0; n < count; n++) {
      clock.pass(1);
      const at = clock.now();
      registry.observe(key, { type: 'ports', at, ports: [at] });
    }
  };
  registry.observe(key, {
    type: 'process-seen',
    at: clock.now(),
    kind: 'interactive',
    entrypoint: 'cli',
    cwd: '/home/ada',
    configDir: null,
    startedAt: 1,
  });
  return { clock, snapshots, told, prompts };
}

it('tells the first change at the end of its own tick, and all the facts of that tick together', async () => {
  const { told, prompts } = watched();
  prompts(3);
  expect(told).toHaveLength(0);
  await ticks();
  expect(told).toHaveLength(1);
});

it('d14: tells a thousand changes of a second at most ten times, the last state among them', async () => {
  const { clock, told, prompts } = watched();
  await ticks();
  clock.pass(100);
  told.length = 0;
  for (let n = 0; n < 100; n++) {
    prompts(10);
    await ticks();
  }
  clock.pass(100);
  await ticks();
  expect(told.length).toBeGreaterThanOrEqual(9);
  expect(told.length).toBeLessThanOrEqual(11);
  expect(told.at(-1)?.sessions[0]?.ports).toEqual([clock.now() - 100]);
});

it('knows how things are also between two tellings', async () => {
  const { clock, snapshots, prompts } = watched();
  await ticks();
  prompts(1);
  expect(snapshots.current().sessions[0]?.ports).toEqual([clock.now()]);
});

it('sets no timer when nothing happens', async () => {
  const { clock } = watched();
  await ticks();
  clock.pass(100);
  expect(clock.timers()).toEqual([]);
});
