import { spawn } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isStopped, readStat, startTimeInside } from '../../src/system/proc.ts';
import { until } from '../support/until.ts';

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
});
