import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isStopped, readStat, startTimeInside } from '../../src/system/proc.ts';
import { until } from '../support/until.ts';

/** Starts a program in a time namespace in which the machine runs for ten hours longer. */
const shifted = [
  '--user',
  '--map-current-user',
  '--time',
  '--boottime',
  '36000',
  '--fork',
  '--kill-child',
  '--',
];
const canShift = spawnSync('unshare', [...shifted, 'true']).status === 0;

describe('a process', () => {
  it('is stopped from the signal that stops it to the one that lets it go on', async () => {
    const child = spawn('sleep', ['60']);
    onTestFinished(() => void child.kill('SIGKILL'));
    const pid = child.pid ?? 0;
    const startTime = readStat(pid)?.startTime ?? 0;
    expect(isStopped(pid, startTime)).toBe(false);
    child.kill('SIGSTOP');
    await until(() => isStopped(pid, startTime), { why: 'it to stop' });
    expect(isStopped(pid, startTime + 1)).toBe(false);
    child.kill('SIGCONT');
    await until(() => !isStopped(pid, startTime), { why: 'it to go on' });
  });

  it('reads the start time that all others read', () => {
    expect(startTimeInside(process.pid)).toBe(readStat(process.pid)?.startTime);
    expect(startTimeInside(2 ** 22 + 1)).toBeNull();
  });

  it.skipIf(!canShift)('reads another start time in a time namespace', async () => {
    const child = spawn('unshare', [
      ...shifted,
      'sh',
      '-c',
      'read -r stat </proc/$$/stat; echo "$stat"; sleep 60',
    ]);
    onTestFinished(() => void child.kill('SIGTERM'));
    const [said] = await once(child.stdout, 'data');
    const [pid = '', , ...rest] = String(said).trim().split(' ');
    expect(Number(rest[19])).toBe((readStat(Number(pid))?.startTime ?? 0) + 3_600_000);
    expect(startTimeInside(Number(pid))).toBe(Number(rest[19]));
  });
});
