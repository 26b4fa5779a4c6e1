import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPids, readStat } from '../src/system/proc.ts';
import { median, mib, ms, type Row } from './row.ts';
import { missingPrograms, type Sway, startSway } from './sway.ts';
import { cpuTime, openWorld, pause, post, residentMemory, runTime, until, type World } from './world.ts';

const outputs = ['HEADLESS-1', 'HEADLESS-2', 'HEADLESS-3'];
const sessions = 20;
const slots = 8;
const updates = 100;
/** No more than ten updates a second are shown: each of these is shown. */
const betweenUpdates = 120;

/** Waybar on three outputs with eight slots each, beside a Waybar with two one-second commands on each. */
export async function waybar(seconds: number): Promise<Row[]> {
  const missing = missingPrograms('sway', 'swaymsg', 'waybar', 'foot', 'nc');
  if (missing !== null) {
    console.error(`bench: waybar is not measured: this machine lacks ${missing}`);
    return [];
  }
  let desktop: Sway | undefined;
  const world = await openWorld(sessions, async (count, bare, folder) => {
    const sway = await startSway(folder, bare, outputs);
    desktop = sway;
    const pids: number[] = [];
    for (let n = 0; n < count; n++) pids.push(await sway.open(outputs[n % outputs.length] ?? ''));
    return { env: sway.env, pids, end: sway.end };
  });
  try {
    if (desktop === undefined) throw new Error('no sway');
    return await measure(world, desktop, seconds);
  } finally {
    await world.end();
  }
}

async function measure(world: World, sway: Sway, seconds: number): Promise<Row[]> {
  const daemon = world.daemon.pid ?? 0;
  await until(() => placed(world) === sessions, 'every place');
  for (const n of world.pids.keys()) await world.work(n);
  const alone = await costOfUpdates(world, daemon);

  const modules = outputs.flatMap((output) => ['--output', output]);
  const config = world.tsmux('waybar', '--print-config', '--slots', `${slots}`, ...modules);
  const ours = startBar(world, sway, 'tsmux', JSON.parse(config));
  const commands = { 'custom/a': { exec: 'date', interval: 1 }, 'custom/b': { exec: 'uptime', interval: 1 } };
  const plain = outputs.map((output) => ({ output, 'modules-right': Object.keys(commands), ...commands }));
  const theirs = startBar(world, sway, 'plain', plain);
  const perOutput = JSON.parse(config)[0]['modules-right'].length;
  const count = outputs.length * perOutput;
  await until(() => clientsOf(ours).length === 2 * count, `${count} slot clients`);
  await pause(3_000);
  const together = await costOfUpdates(world, daemon);

  // A session of whoever runs this, which is on no output, may have a slot as well.
  const shown = Array.from({ length: slots }, (_, slot) =>
    world.tsmux('waybar', '--once', '--slot', `${slot + 1}`, '--output', outputs[0] ?? ''),
  );
  if (!shown.some((line) => /step \d+/.test(line))) throw new Error('the updates show nowhere');
  const clients = clientsOf(ours);
  const resident = clients.reduce((sum, pid) => sum + residentMemory(pid), 0);
  const nothing = residentMemory(process.pid);

  const own = () => cpuTime(ours) + cpuTime(daemon) + clients.reduce((sum, pid) => sum + cpuTime(pid), 0);
  const [ownFrom, theirsFrom, daemonFrom, waybarFrom] = [
    own(),
    cpuTime(theirs),
    cpuTime(daemon),
    cpuTime(ours),
  ];
  for (let second = 0; second < seconds; second++) {
    await update(world, second);
    await pause(1_000);
  }
  const [all, plainly] = [own() - ownFrom, cpuTime(theirs) - theirsFrom];
  const [byDaemon, byWaybar] = [cpuTime(daemon) - daemonFrom, cpuTime(ours) - waybarFrom];
  const shape = `${sessions} sessions, ${outputs.length} outputs with ${slots} slots each`;
  return [
    {
      what: `one update, CPU time of the daemon, ${shape} (${count} modules) : with no bar`,
      measured: `${ms(together)} : ${ms(alone)}`,
      value: together / alone,
      bar: 4,
      unit: '×',
    },
    {
      what: `all ${count} slot clients : as many empty Node.js processes of ${mib(nothing)}`,
      measured: `${mib(resident)} : ${mib(count * nothing)}`,
      value: resident / (count * nothing),
      bar: 0.3,
      unit: '×',
    },
    {
      what: `CPU time of Waybar, slot clients and daemon, one update a second : Waybar with two one-second commands on each output`,
      measured: `${ms(all)} (Waybar ${ms(byWaybar)}, daemon ${ms(byDaemon)}) : ${ms(plainly)} in ${seconds} s`,
      value: all / plainly,
      bar: 1.5,
      unit: '×',
    },
  ];
}

function placed(world: World): number {
  const { sessions: all } = JSON.parse(world.tsmux('list', '--json'));
  // Whoever runs this may have sessions of his own.
  return all.filter(
    ({ pid, place }: { pid: number; place: { workspace: { output: string } | null } }) =>
      world.pids.includes(pid) && outputs.includes(place.workspace?.output ?? ''),
  ).length;
}

function startBar(world: World, sway: Sway, name: string, config: object): number {
  const path = join(world.folder, `${name}.waybar`);
  writeFileSync(path, JSON.stringify(config));
  return sway.spawn('waybar', '-c', path).pid ?? 0;
}

/** A slot client is a shell and the program that asks for it. */
function clientsOf(bar: number): number[] {
  const parents = new Map(listPids().map((pid) => [pid, readStat(pid)?.parent]));
  const below = (parent: number): number[] =>
    [...parents].flatMap(([pid, its]) => (its === parent ? [pid, ...below(pid)] : []));
  return below(bar).filter((pid) => /slot-client|nc/.test(commandOf(pid)));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

let told = 0;

async function update(world: World, n: number): Promise<void> {
  const which = n % world.pids.length;
  const tool = { tool_name: 'Bash', tool_use_id: `u${++told}`, tool_input: { command: `step ${told}` } };
  const body = world.hook(which, { hook_event_name: 'PreToolUse', ...tool });
  await post(world.socket, world.pids[which] ?? 0, body);
}

/** ms of the daemon, the median of the updates: a scan in between is none. */
async function costOfUpdates(world: World, daemon: number): Promise<number> {
  const costs: number[] = [];
  for (let n = 0; n < updates; n++) {
    const from = runTime(daemon);
    await update(world, n);
    await pause(betweenUpdates);
    costs.push(runTime(daemon) - from);
  }
  return median(costs);
}
