import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { readStat, startTimeInside } from '../../src/system/proc.ts';

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

it('a process reads another start time in a time namespace', async () => {
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
