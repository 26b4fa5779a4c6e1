import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasProcess, isAlive, isStopped, readStat, startTimeInside } from '../../src/system/proc.ts';
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

  it('is there as long as it runs', async () => {
    const child = spawn('sleep', ['60']);
    const pid = child.pid ?? 0;
    const startTime = readStat(pid)?.startTime ?? 0;
    expect([hasProcess(pid), isAlive(pid, startTime), isAlive(pid, startTime + 1)]).toEqual([
      true,
      true,
      false,
    ]);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect([hasProcess(pid), isAlive(pid, startTime)]).toEqual([false, false]);
  });

  it('is there although it is of somebody else, whom nobody but root may send a signal', () => {
    const refused = vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' });
    });
    onTestFinished(() => refused.mockRestore());
    expect(hasProcess(1)).toBe(true);
  });

  it('reads the start time that all others read', () => {
    expect(startTimeInside(process.pid)).toBe(readStat(process.pid)?.startTime);
    expect(startTimeInside(2 ** 22 + 1)).toBeNull();
  });
});
