import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createMenu } from '../../src/daemon/menu.ts';
import { runNotifyCommand } from '../../src/daemon/notify-command.ts';
import { hasCode } from '../../src/system/error-code.ts';
import { silentLog } from '../../src/system/log.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

/** Runs it in a process that has no file descriptor left. */
function withoutDescriptors(run: () => void): void {
  const limit = (soft: number | string) =>
    execFileSync('prlimit', ['--pid', String(process.pid), `--nofile=${soft}:`]);
  const before = /Max open files\s+(\d+)/.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
  limit(Math.max(...readdirSync('/proc/self/fd').map(Number)) + 20);
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch (error) {
    if (!hasCode(error, 'EMFILE')) throw error;
    run();
  } finally {
    for (const fd of taken) closeSync(fd);
    limit(before);
  }
}

it('a program that cannot be started, as no file descriptor is left, is told in the log, and costs nothing else', async () => {
  const told: string[] = [];
  const log = { ...silentLog, warn: (_: object, message: string) => told.push(message) };
  const menu = createMenu({ log, program: [process.execPath, '/nonexistent'], say: () => {} });
  withoutDescriptors(() => {
    runNotifyCommand({ clock: manualClock(), log }, ['true'], {});
    menu.open(null);
  });
  await until(() => told.length === 2, { why: 'the log', saw: () => told });
  expect(told).toEqual(['the notification command does not start', 'the menu does not start']);
});
