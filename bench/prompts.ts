import type { ChildProcess } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findHookClient, hookScripts } from '../src/claude/hook-script.ts';
import { type BarClient, openBar } from './bar-client.ts';
import { delays, median, ms, type Row } from './row.ts';
import { startProgram } from './started.ts';
import { ended, entry, openWorld, pause, post, runTime, type Stage, until, type World } from './world.ts';

const shownSamples = 200;
/** Each waits until its block may be clicked. */
const clickSamples = 40;
const updates = 100;

/** Longer than a block that has just appeared is inert, and than the limit of ten lines a second; ms. */
const INERT = 600;
const LEADING = 110;

const request = (world: World, n: number, word: string, more: object = {}) =>
  world.hook(n, {
    hook_event_name: 'PermissionRequest',
    permission_mode: 'default',
    tool_name: 'Bash',
    tool_input: { command: `npm ${word}` },
    permission_suggestions: [],
    ...more,
  });
const tool = (world: World, n: number, word: string) =>
  world.hook(n, {
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_use_id: word,
    tool_input: { command: word },
  });

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** What prompts take: to be seen, to be answered, and to stand on the bar while something else goes on. */
export async function prompts(): Promise<Row[]> {
  return [...(await shown()), ...(await answered()), ...(await standing())];
}

/** The block of Yes to what the first session asks: other sessions may run on this machine. */
function yesOn(bar: BarClient): string {
  const blocks: { instance?: string; full_text: string }[] = JSON.parse(bar.line().replace(/^,/, ''));
  const own = blocks.find(({ full_text }) => full_text.includes('project-0'))?.instance;
  const yes = blocks.find(({ instance }) => instance?.startsWith(`${own}/`) && instance.endsWith('/1'));
  if (yes?.instance === undefined) throw new Error(`no Yes on the bar: ${bar.line()}`);
  return yes.instance;
}

/** From the hook's POST to the line that has the options, beside the round trip of a POST that is not held. */
async function shown(): Promise<Row[]> {
  const world = await openWorld(5);
  const bar = openBar(world);
  await until(() => bar.line().includes('project-0'), 'the bar');
  await world.work(0);
  const pid = world.pids[0] ?? 0;
  const times: number[] = [];
  const trips: number[] = [];
  let held = Promise.resolve('');
  for (let sample = 0; sample < shownSamples; sample++) {
    const word = `s${sample}x`;
    const seen = bar.shows(word);
    const start = performance.now();
    const next = post(world.socket, pid, request(world, 0, word));
    await seen;
    times.push(performance.now() - start);
    yesOn(bar);
    // The next prompt of its thread retires the one before: its hook ends, and says nothing.
    if ((await held) !== '') throw new Error('an answer that nobody gave');
    held = next;
    await pause(LEADING);
    trips.push(await timed(() => post(world.socket, pid, tool(world, 0, word))));
  }
  await Promise.all([bar.end(), world.end(), held.catch(() => '')]);
  return delays(
    "PermissionRequest's POST → its options on the bar client, p50 : round trip of a POST",
    times,
    trips,
    4,
  );
}

/** Runs the installed script for each line on its stdin, as Claude Code does: it is the script's parent. */
function asker(children: ChildProcess[]) {
  return async (_: number, env: NodeJS.ProcessEnv, folder: string): Promise<Stage> => {
    const loop = 'while read -r go; do "$0" <"$1"; echo " ended"; done';
    const child = startProgram('sh', ['-c', loop, join(folder, 'hold'), join(folder, 'payload')], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    children.push(child);
    return {
      env,
      pids: [child.pid ?? 0],
      async end() {
        child.stdin.end();
        child.kill();
        await ended(child);
      },
    };
  };
}

/** From a click on Yes to the end of the hook's script, which has printed it, beside the same round trip. */
async function answered(): Promise<Row[]> {
  const children: ChildProcess[] = [];
  const world = await openWorld(1, asker(children));
  const [claude] = children;
  if (claude?.stdout == null || claude.stdin === null) throw new Error('nobody asks');
  const { stdin } = claude;
  const hold = join(world.folder, 'hold');
  const client = findHookClient(process.env.PATH);
  const script = { client, socket: world.socket, node: process.execPath, tsmux: entry, cat: '/bin/cat' };
  writeFileSync(hold, hookScripts(script).hold);
  chmodSync(hold, 0o700);
  let printed = '';
  let over = () => {};
  createInterface({ input: claude.stdout }).on('line', (line) => {
    printed += line;
    if (line.endsWith(' ended')) over();
  });

  const bar = openBar(world);
  await until(() => bar.line().includes('project-0'), 'the bar');
  await world.work(0);
  // The script tells its time in hundredths of a second: it must not seem to have asked before the turn began.
  await pause(LEADING);
  const times: number[] = [];
  const trips: number[] = [];
  for (let sample = 0; sample < clickSamples; sample++) {
    const word = `c${sample}x`;
    const seen = bar.shows(word);
    writeFileSync(join(world.folder, 'payload'), request(world, 0, word));
    printed = '';
    const ends = new Promise<void>((done) => {
      over = done;
    });
    stdin.write('go\n');
    await seen;
    world.status(0, 'waiting');
    const yes = yesOn(bar);
    const ended = () => ends.then(() => true);
    const clicked = async () => {
      const start = performance.now();
      bar.click(yes);
      return (await Promise.race([ended(), pause(INERT).then(() => false)]))
        ? performance.now() - start
        : null;
    };
    // Whatever moves the block makes it inert again.
    for (let took: number | null = null; took === null; ) {
      await pause(INERT);
      took = await clicked();
      if (took !== null) times.push(took);
    }
    world.status(0, 'busy');
    if (!printed.includes('"behavior":"allow"')) throw new Error(`not allowed: ${printed}`);
    trips.push(await timed(() => post(world.socket, world.pids[0] ?? 0, tool(world, 0, word))));
  }
  await Promise.all([bar.end(), world.end()]);
  return delays(
    `click → the decision at the end of the hook (${client.kind}), p50 : round trip of a POST`,
    times,
    trips,
    6,
  );
}

const sessions = 20;
const agents = 30;

/** Each session has a prompt of its own, and some have those of sub-agents too. */
async function ask(world: World): Promise<void> {
  for (let n = 1; n <= sessions; n++) {
    await world.work(n);
    world.status(n, 'waiting');
    post(world.socket, world.pids[n] ?? 0, request(world, n, `main-${n}`)).catch(() => '');
  }
  for (let agent = 0; agent < agents; agent++) {
    const n = 1 + (agent % (sessions - 5));
    const by = { agent_id: `agent-${agent}`, agent_type: 'general-purpose' };
    post(world.socket, world.pids[n] ?? 0, request(world, n, `sub-${agent}`, by)).catch(() => '');
  }
  const count = () => JSON.parse(world.tsmux('prompts', '--json')).prompts.length;
  await until(() => count() === sessions + agents, `${sessions + agents} prompts`);
}

const idsOn = (line: string) => new Set(line.match(/\/p[a-z0-9]+\/g"/g));

/** What the daemon runs when one of the prompts gives way to the next, beside the same where it is the only one. */
async function standing(): Promise<Row[]> {
  const worlds = { open: await openWorld(sessions + 1), only: await openWorld(sessions + 1) };
  await ask(worlds.open);
  await worlds.only.work(sessions);
  worlds.only.status(sessions, 'waiting');
  const stages = [worlds.open, worlds.only].map((world) => ({
    world,
    bar: openBar(world),
    ran: [] as number[],
    times: [] as number[],
  }));
  const next = async ({ world, bar, ran, times }: (typeof stages)[number], word: string) => {
    const before = runTime(world.daemon.pid ?? 0);
    const ids = idsOn(bar.line());
    const start = performance.now();
    post(world.socket, world.pids[sessions] ?? 0, request(world, sessions, word)).catch(() => '');
    await bar.shows((line) => [...idsOn(line)].some((id) => !ids.has(id)));
    times.push(performance.now() - start);
    ran.push(runTime(world.daemon.pid ?? 0) - before);
    await pause(LEADING);
  };
  for (const { bar } of stages) await until(() => bar.line().includes('"tsmux"'), 'the bar');
  for (let update = 0; update < updates; update++) {
    for (const stage of stages) await next(stage, `u${update}x`);
  }
  const [open, only] = stages.map(({ ran, times }) => ({ ran: median(ran), time: median(times) }));
  await Promise.all(stages.flatMap(({ world, bar }) => [world.end(), bar.end()]));
  if (open === undefined || only === undefined) throw new Error('nothing was measured');
  const all = `${sessions + agents} prompts of ${sessions} sessions are open`;
  return [
    {
      what: `a prompt gives way to the next while ${all} : while it is the only one, processor time of the daemon`,
      measured: `${ms(open.ran)} : ${ms(only.ran)}`,
      value: open.ran / only.ran,
      bar: 4,
      unit: '×',
    },
    {
      what: 'the same, until it is on the bar client',
      measured: `${ms(open.time)} : ${ms(only.time)}`,
      value: open.time / only.time,
      bar: 3,
      unit: '×',
    },
  ];
}
