import { openBar } from './bar-client.ts';
import { mib, type Row } from './row.ts';
import { startProgram } from './started.ts';
import { ended, openWorld, post, residentMemory, until } from './world.ts';

const events = 10_000;

export async function memory(): Promise<Row[]> {
  const empty = startProgram(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' });
  const world = await openWorld(20);
  const bar = openBar(world);
  await until(() => bar.line().includes('"tsmux"'), 'the bar');
  const nothing = residentMemory(empty.pid ?? 0);
  const client = residentMemory(bar.pid);
  const atStart = residentMemory(world.daemon.pid ?? 0);
  for (let event = 0; event < events; event++) {
    const n = event % world.pids.length;
    const isStart = Math.floor(event / world.pids.length) % 2 === 0;
    const body = world.hook(n, {
      hook_event_name: isStart ? 'PreToolUse' : 'PostToolUse',
      tool_name: 'Bash',
      tool_use_id: `toolu_${event}`,
      tool_input: { command: `npm run step-${event} ${'x'.repeat(200)}` },
    });
    await post(world.socket, world.pids[n] ?? 0, body);
  }
  const afterEvents = residentMemory(world.daemon.pid ?? 0);
  empty.kill();
  await Promise.all([bar.end(), ended(empty), world.end()]);
  return [
    {
      what: 'daemon at start, 20 sessions : empty Node.js process',
      measured: `${mib(atStart)} : ${mib(nothing)}`,
      value: atStart / nothing,
      bar: 1.5,
      unit: '×',
    },
    {
      what: 'daemon after 10,000 events, more than at start',
      measured: `${mib(afterEvents)} − ${mib(atStart)}`,
      value: afterEvents - atStart,
      bar: 15,
      unit: 'MiB',
    },
    {
      what: 'bar client : empty Node.js process',
      measured: `${mib(client)} : ${mib(nothing)}`,
      value: client / nothing,
      bar: 1.1,
      unit: '×',
    },
  ];
}
