import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findHookClient, type HookClient, hookScripts } from '../src/claude/hook-script.ts';
import { interleaved, ms, type Row } from './row.ts';
import { entry, openWorld } from './world.ts';

const calls = 40;

/** One call of the installed script, measured in batches from sh so that starting it costs what it costs Claude Code. */
export async function hook(): Promise<Row[]> {
  const world = await openWorld(1);
  const pid = world.pids[0] ?? 0;
  const payload = join(world.folder, 'payload.json');
  writeFileSync(
    payload,
    world.hook(0, {
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_use_id: 'toolu_0',
      tool_input: { command: 'x'.repeat(1000) },
    }),
  );
  const script = (name: string, text: string): string => {
    const path = join(world.folder, name);
    writeFileSync(path, text);
    chmodSync(path, 0o700);
    return path;
  };
  const client = findHookClient(process.env.PATH);
  const installed = (by: HookClient, socket: string) =>
    hookScripts({
      client: by,
      socket,
      node: process.execPath,
      tsmux: entry,
      cat: '/bin/cat',
    });
  const curl = spawnSync('sh', ['-c', 'command -v curl'], { encoding: 'utf8' }).stdout.trim();
  const programs = {
    empty: script('empty', '#!/bin/sh\n'),
    up: script('up', installed(client, world.socket).event),
    away: script('away', installed(client, join(world.folder, 'nobody/tsmux.sock')).event),
    asked: script('asked', installed(client, world.socket).hold),
    byCurl: script('by-curl', installed({ kind: 'curl', path: curl }, world.socket).hold),
    bareCurl: script(
      'bare-curl',
      `#!/bin/sh\nexec ${curl} -q -s --unix-socket ${world.socket} -H 'claude-pid: ${pid}' --data-binary @- http://tsmux/v1/hook\n`,
    ),
  };
  const batch = (program: string) => () => {
    const loop = `i=0; while [ $i -lt ${calls} ]; do ${program} <${payload} || exit 9; i=$((i+1)); done`;
    const start = performance.now();
    const { status, stdout } = spawnSync('sh', ['-c', loop], { encoding: 'utf8' });
    if (status !== 0 || stdout.length > (program === programs.bareCurl ? 1000 : 0)) {
      throw new Error(`${program} ended with ${status} and printed ${JSON.stringify(stdout.slice(0, 100))}`);
    }
    return (performance.now() - start) / calls;
  };
  const times = await interleaved(15, {
    empty: batch(programs.empty),
    up: batch(programs.up),
    away: batch(programs.away),
    asked: batch(programs.asked),
    byCurl: batch(programs.byCurl),
    bareCurl: batch(programs.bareCurl),
  });
  await world.end();
  const against = (one: number, other: number) => `${ms(one)} : ${ms(other)}`;
  return [
    {
      what: 'hook call, daemon up : empty sh script',
      measured: against(times.up, times.empty),
      value: times.up / times.empty,
      bar: 4,
      unit: '×',
    },
    {
      what: `hook call that is answered, by ${client.kind} : empty sh script`,
      measured: against(times.asked, times.empty),
      value: times.asked / times.empty,
      bar: null,
      unit: '×',
    },
    {
      what: 'hook call that is answered, by curl : bare curl',
      measured: against(times.byCurl, times.bareCurl),
      value: times.byCurl / times.bareCurl,
      bar: 1.25,
      unit: '×',
    },
    {
      what: 'hook call, daemon away : empty sh script',
      measured: against(times.away, times.empty),
      value: times.away / times.empty,
      bar: 2,
      unit: '×',
    },
  ];
}
