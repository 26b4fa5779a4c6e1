import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { followConfig } from '../../src/config/follow.ts';
import { problemLine } from '../../src/config/load.ts';
import { systemClock } from '../../src/system/clock.ts';
import { until } from '../support/until.ts';

function followed(prepare: (folder: string) => void = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tsmux-follow-'));
  prepare(folder);
  const live = followConfig({ file: join(folder, 'tsmux/config.toml'), clock: systemClock });
  let changes = 0;
  live.subscribe(() => {
    changes += 1;
  });
  onTestFinished(() => {
    live.stop();
    rmSync(folder, { recursive: true });
  });
  return {
    folder,
    budget: (wanted: number) =>
      until(() => live.config().bar.budget === wanted, {
        why: `a budget of ${wanted}`,
        saw: () => [live.config().bar.budget, live.problems()],
      }),
    live,
    changes: () => changes,
  };
}

it('a configuration that is written while the daemon runs is in force at once', async () => {
  const { folder, budget, live } = followed();
  expect(live.config().bar.budget).toBe(160);
  mkdirSync(join(folder, 'tsmux'));
  writeFileSync(join(folder, 'tsmux/config.toml'), '[bar]\nbudget = 80\n');
  await budget(80);
  // As many editors do it.
  writeFileSync(join(folder, 'tsmux/.config.toml.swp'), '[bar]\nbudget = 90\n');
  renameSync(join(folder, 'tsmux/.config.toml.swp'), join(folder, 'tsmux/config.toml'));
  await budget(90);
  rmSync(join(folder, 'tsmux/config.toml'));
  await budget(160);
});

it('a mistake leaves the last good one in force, and is told until it is mended', async () => {
  const { folder, budget, live } = followed((at) => {
    mkdirSync(join(at, 'tsmux'));
    writeFileSync(join(at, 'tsmux/config.toml'), '[bar]\nbudget = 80\n');
  });
  writeFileSync(join(folder, 'tsmux/config.toml'), '[bar]\nbudget = 8\nstyle = "plain"\n');
  const [problem] = await until(() => (live.problems().length > 0 ? live.problems() : null), {
    why: 'the problem',
  });
  expect(problem && problemLine({ ...problem, file: 'config.toml' })).toBe(
    'config.toml:2:1: bar.budget: expected a number of at least 20, found 8',
  );
  expect(live.config().bar).toMatchObject({ budget: 80, style: 'chips' });
  writeFileSync(join(folder, 'tsmux/config.toml'), '[bar]\nbudget = 100\n');
  await budget(100);
  expect(live.problems()).toEqual([]);
});

it('one that is a link into a folder of dotfiles is followed there, also to another file', async () => {
  const { folder, budget } = followed((at) => {
    for (const name of ['tsmux', 'dotfiles']) mkdirSync(join(at, name));
    for (const [name, columns] of [
      ['one', 30],
      ['two', 40],
    ])
      writeFileSync(join(at, `dotfiles/${name}.toml`), `[bar]\nbudget = ${columns}\n`);
    symlinkSync('../dotfiles/one.toml', join(at, 'tsmux/config.toml'));
  });
  await budget(30);
  writeFileSync(join(folder, 'dotfiles/one.toml'), '[bar]\nbudget = 31\n');
  await budget(31);
  symlinkSync('../dotfiles/two.toml', join(folder, 'tsmux/new'));
  renameSync(join(folder, 'tsmux/new'), join(folder, 'tsmux/config.toml'));
  await budget(40);
  writeFileSync(join(folder, 'dotfiles/two.toml'), '[bar]\nbudget = 41\n');
  await budget(41);
});

it('an editor that empties the file before it writes it does not bring the defaults for a moment', async () => {
  const { folder, budget, live, changes } = followed((at) => {
    mkdirSync(join(at, 'tsmux'));
    writeFileSync(join(at, 'tsmux/config.toml'), '[bar]\nbudget = 80\n');
  });
  const file = join(folder, 'tsmux/config.toml');
  writeFileSync(file, '');
  await new Promise((resolve) => setImmediate(resolve));
  writeFileSync(file, '[bar]\nbudget = 81\n');
  await budget(81);
  expect([changes(), live.problems()]).toEqual([1, []]);
});
