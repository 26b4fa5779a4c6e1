import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { createEndings } from '../../src/claude/endings.ts';
import { newlyTracked } from '../../src/claude/transcripts.ts';
import { bootId, readStat } from '../../src/system/proc.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { claudeHome } from './home.ts';

const startTimeOf = (pid: number) => readStat(pid)?.startTime ?? 0;

/** A session that runs, and all that is told of its end. */
function running() {
  const child = spawn('sleep', ['600']);
  onTestFinished(() => void child.kill('SIGKILL'));
  const pid = child.pid ?? 0;
  const session = newlyTracked(
    { bootId: bootId(), pid, startTime: startTimeOf(pid) },
    {
      type: 'process-seen',
      at: 0,
      kind: 'interactive',
      entrypoint: null,
      cwd: '/',
      configDir: null,
      startedAt: 0,
    },
  );
  const clock = manualClock();
  const gone: number[] = [];
  const endings = createEndings({
    clock,
    tracked: new Map([[pid, session]]),
    gone: ({ key }) => gone.push(key.pid),
  });
  const kill = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  };
  return { pid, session, clock, gone, endings, kill };
}

it('a21: a process that was killed is gone at a glance', async () => {
  const { pid, gone, endings, kill } = running();
  endings.glance();
  expect(gone).toEqual([]);
  await kill();
  endings.glance();
  expect(gone).toEqual([pid]);
});

it('a21: a zombie, of which nobody has taken leave, is gone when everything is read', async () => {
  const world = claudeHome();
  onTestFinished(() => world.end());
  // The parent never waits for it.
  const parent = spawn('/bin/sh', ['-c', 'sleep 600 & echo $!; exec sleep 600']);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const pid = Number((await once(parent.stdout, 'data'))[0]);
  const child = { pid, startTime: startTimeOf(pid), kill: async () => {} };
  world.sessionFile(child);
  await world.claude.start();
  process.kill(pid, 'SIGKILL');
  await until(() => readStat(pid)?.status === 'Z', { why: 'the zombie' });
  world.claude.recheck();
  expect(world.of(child, 'process-gone')).toEqual([]);
  world.claude.refresh();
  expect(world.of(child, 'process-gone')).toHaveLength(1);
});

it('whoever was there of late still sends its hooks, and later is looked at again', async () => {
  const { session, clock, endings, kill } = running();
  endings.look();
  await kill();
  clock.pass(5_999);
  expect(endings.goesOn(session)).toBe(true);
  clock.pass(1);
  expect(endings.goesOn(session)).toBe(false);
});

it('after a goodbye it is looked at for two seconds, and not by one who has stopped', async () => {
  const { pid, clock, gone, endings, kill } = running();
  endings.lookSoon();
  clock.pass(500);
  expect(gone).toEqual([]);
  await kill();
  clock.pass(1_499);
  expect(gone).toEqual([]);
  clock.pass(1);
  expect(gone).toEqual([pid]);
  endings.lookSoon();
  endings.stop();
  clock.pass(2_000);
  expect(gone).toEqual([pid]);
});
