import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { followConfig } from '../../src/config/follow.ts';
import { systemClock } from '../../src/system/clock.ts';

const atTheWatch = vi.hoisted(() => ({ happens: () => {} }));
vi.mock('../../src/system/watch.ts', async (original) => {
  const real = await original<typeof import('../../src/system/watch.ts')>();
  const watchDirectory: typeof real.watchDirectory = (...watch) => {
    atTheWatch.happens();
    return real.watchDirectory(...watch);
  };
  return { ...real, watchDirectory };
});

it('a configuration that is written while the daemon starts is in force', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tsmux-follow-'));
  const file = join(folder, 'tsmux/config.toml');
  // In the very moment before changes of the folder are told.
  atTheWatch.happens = () => {
    mkdirSync(dirname(file));
    writeFileSync(file, '[bar]\nbudget = 80\n');
  };
  const live = followConfig({ file, clock: systemClock });
  onTestFinished(() => {
    live.stop();
    rmSync(folder, { recursive: true });
  });
  expect(live.config().bar.budget).toBe(80);
});
