import { spawn } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { refuseSessions } from '../../src/daemon/senders.ts';
import type { SessionId } from '../../src/sessions/session.ts';
import { readStat } from '../../src/system/proc.ts';
import { aSession } from '../support/sessions.ts';

const session = aSession({ id: 'k3f7', name: 'webshop' });
const registryWith = (pid: number, startTime: number) => ({
  all: () => [session],
  keyOf: (id: SessionId) => (id === session.id ? { bootId: 'boot', pid, startTime } : undefined),
});
const line = [
  { pid: 30, startTime: 3 },
  { pid: 20, startTime: 2 },
  { pid: 1, startTime: 0 },
];

it('a process that descends from a session may not answer prompts', () => {
  expect(() => refuseSessions(30, registryWith(20, 2), () => line)).toThrow(
    expect.objectContaining({ code: 'refused', exit: 5, message: expect.stringContaining('webshop') }),
  );
});

it('any other may, also under a pid that a session had once, and where it does not say its own', () => {
  expect(() => refuseSessions(30, registryWith(99, 2), () => line)).not.toThrow();
  expect(() => refuseSessions(30, registryWith(20, 1), () => line)).not.toThrow();
  expect(() => refuseSessions(null, registryWith(20, 2), () => line)).not.toThrow();
});

it('is told by the ancestors that /proc shows', () => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill());
  const me = readStat(process.pid);
  expect(() => refuseSessions(child.pid ?? 0, registryWith(process.pid, me?.startTime ?? 0))).toThrow();
  expect(() => refuseSessions(child.pid ?? 0, registryWith(process.pid, 1))).not.toThrow();
});
