import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBar } from './bar-client.ts';
import { ms, type Row } from './row.ts';
import { startProgram } from './started.ts';
import { cpuTime, ended, openWorld, pause, runTime } from './world.ts';

/** CPU time of daemon and bar client over `seconds`, beside i3blocks with two commands a second. */
export async function cpu(seconds: number): Promise<Row[]> {
  const world = await openWorld(20);
  const bar = openBar(world);
  const pids = [world.daemon.pid ?? 0, bar.pid];
  /** Exact: ticks of 10 ms would be half of what is allowed at rest. Neither starts a program. */
  const ran = () => pids.reduce((sum, pid) => sum + runTime(pid), 0);
  // What the start has left is collected, and the ports of the new processes are known.
  await pause(75_000);

  const idleFrom = ran();
  await pause(seconds * 1_000);
  const idle = ((ran() - idleFrom) * 60) / seconds;
  const wakeUps = await countWakeUps(world.daemon.pid ?? 0, Math.min(120, seconds * 2));

  for (const n of world.pids.keys()) await world.work(n);
  const update = (count: number) => world.leave(count % world.pids.length, event(count));
  // V8 compiles what is run often; of a daemon that runs for days that is over.
  for (let count = 0; count < warmUp; count++) {
    update(count);
    await pause(20);
  }
  const config = join(world.folder, 'i3blocks.conf');
  writeFileSync(config, '[a]\ncommand=date\ninterval=1\n[b]\ncommand=uptime\ninterval=1\n');
  const blocks = startProgram('i3blocks', ['-c', config], {
    env: world.env,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  await pause(1_000);
  const [ranFrom, blocksFrom] = [ran(), cpuTime(blocks.pid ?? 0)];
  for (let second = 0; second < seconds; second++) {
    update(warmUp + second);
    await pause(1_000);
  }
  const busy = ran() - ranFrom;
  const compared = cpuTime(blocks.pid ?? 0) - blocksFrom;
  blocks.kill();
  await Promise.all([ended(blocks), bar.end(), world.end()]);
  return [
    {
      what: 'CPU time, 20 sessions, one update a second : i3blocks with two one-second commands',
      measured: `${ms(busy)} : ${ms(compared)} in ${seconds} s`,
      value: busy / compared,
      bar: 0.5,
      unit: '×',
    },
    {
      what: 'CPU time a minute, all 20 sessions idle',
      measured: `${ms(idle)}`,
      value: idle,
      bar: 20,
      unit: 'ms',
    },
    ...(wakeUps === null
      ? []
      : [
          {
            what: 'wake-ups of the quiet daemon by timers, a minute (every 20 s is 3)',
            measured: `${wakeUps.toFixed(1)}`,
            value: wakeUps,
            bar: 3.1,
            unit: '/min',
          },
        ]),
  ];
}

const warmUp = 2000;

/** Sessions call tools in turn; with every tenth update a turn ends, or the next one of that session begins. */
function event(count: number): object {
  if (count % 10 !== 3) {
    const call = { tool_name: 'Bash', tool_use_id: `u${count}`, tool_input: { command: `step ${count}` } };
    return { hook_event_name: 'PreToolUse', ...call };
  }
  const begins = Math.floor(count / 20) % 2 === 1;
  return begins
    ? { hook_event_name: 'UserPromptSubmit', prompt: 'go', prompt_id: `turn-${count}` }
    : { hook_event_name: 'Stop', last_assistant_message: 'done', prompt_id: `turn-${count - 20}` };
}

function hasStrace(): boolean {
  return spawnSync('strace', ['-V'], { stdio: 'ignore' }).status === 0;
}

/**
 * Returns of the main thread's epoll_wait with no event are timers that fired; those that waited for nothing
 * (a timeout of 0) are libuv looking once more after a callback. Null without strace.
 */
async function countWakeUps(pid: number, seconds: number): Promise<number | null> {
  if (!hasStrace()) return null;
  const tracer = startProgram(
    'strace',
    ['-qq', '-e', 'trace=epoll_wait,epoll_pwait,epoll_pwait2', '-p', String(pid)],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  let text = '';
  tracer.stderr.setEncoding('utf8');
  tracer.stderr.on('data', (chunk: string) => {
    text += chunk;
  });
  await pause(seconds * 1_000);
  tracer.kill('SIGINT');
  await ended(tracer);
  return ([...text.matchAll(/, [1-9]\d*, NULL, 8\) = 0$/gm)].length * 60) / seconds;
}
