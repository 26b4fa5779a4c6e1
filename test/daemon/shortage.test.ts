import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { WireSnapshot } from '../../src/daemon/wire.ts';
import { aMachine, builtProgram, follow, type Machine } from '../support/program.ts';
import { until } from '../support/until.ts';

const LIMIT = 64;

/** A daemon that can open so few files. */
async function startDaemon(machine: Machine): Promise<number> {
  const few = [
    '-c',
    `ulimit -n ${LIMIT} && exec "$@"`,
    'sh',
    process.execPath,
    await builtProgram(),
    'daemon',
  ];
  const daemon = spawn('sh', few, { env: machine.env, stdio: 'ignore' });
  onTestFinished(() => void daemon.kill('SIGKILL'));
  const answers = () => machine.call('GET', '/v1/health').then(({ status }) => status === 200);
  await until(answers, { why: 'the daemon', limit: 20_000 });
  return daemon.pid ?? 0;
}

/** Callers that say nothing take each descriptor that the daemon could have. */
async function exhaust(machine: Machine): Promise<() => void> {
  const callers = new Set<Socket>();
  let refused = 0;
  const call = () => {
    const caller = connect(machine.socket).on('error', () => {});
    callers.add(caller);
    caller.once('close', () => {
      callers.delete(caller);
      refused += 1;
    });
  };
  const calling = setInterval(call, 5);
  const release = () => {
    clearInterval(calling);
    for (const caller of callers) caller.destroy();
  };
  onTestFinished(release);
  await until(() => refused > 3, { why: 'the last descriptor', saw: () => callers.size });
  return release;
}

it('a daemon without a file descriptor left loses no session and no event, and knows all when it has some again', {
  timeout: 60_000,
}, async () => {
  const machine = await aMachine();
  const claude = machine.claude({ status: 'busy' });
  const other = machine.claude({ status: 'busy' });
  const daemon = await startDaemon(machine);
  const log = () => readFileSync(join(machine.home, '.local/state/tsmux/log'), 'utf8');
  const session = async ({ pid }: { readonly pid: number }) => {
    const { text } = await machine.call('GET', '/v1/sessions');
    return (JSON.parse(text) as WireSnapshot).sessions.find((one) => one.pid === pid);
  };
  const { id } = await until(() => session(claude), { why: 'the session' });
  const watch = await follow(machine.socket, '/v1/watch');
  const release = await exhaust(machine);

  claude.says({ status: 'waiting', waitingFor: 'permission prompt' });
  const uptime = readFileSync('/proc/uptime', 'utf8').split(' ')[0];
  const stop = JSON.stringify({ hook_event_name: 'Stop', last_assistant_message: 'All is done.' });
  writeFileSync(join(machine.runtime, `tsmux/inbox/77.${uptime}`), `${other.pid} ${uptime}\n${stop}`);
  other.says({ status: 'idle' });
  // It looks every five seconds whether sessions that work are still there.
  const looked = () => log().match(/cannot be looked at/g);
  await until(looked, { why: 'it to meet the shortage', limit: 15_000, saw: log });
  release();

  await until(async () => (await session(claude))?.state === 'needs-input', {
    why: 'what the file says',
    limit: 10_000,
    saw: () => session(claude),
  });
  const told = async () => (await session(other))?.lastMessage === 'All is done.';
  await until(told, { why: 'what the hook says', saw: () => session(other) });
  expect((await session(claude))?.id).toBe(id);
  // Root is told of the sessions of other tests as well.
  const gone = watch.lines.flatMap((line) => /^\{"type":"gone","id":"(\w+)"/.exec(line)?.[1] ?? []);
  expect(gone).not.toContain(id);
  expect(gone).not.toContain((await session(other))?.id);
  watch.close();
  expect(machine.daemonPid()).toBe(daemon);
});
