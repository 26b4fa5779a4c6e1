import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { slotClient, waybarConfig } from '../../src/cli/waybar-config.ts';
import { readStat } from '../../src/system/proc.ts';
import { aMachine, builtProgram, type Machine } from '../support/program.ts';
import { until } from '../support/until.ts';

const clients = ['node', 'nc', 'curl'] as const;
type Client = (typeof clients)[number];

interface Bar {
  readonly process: ChildProcess;
  readonly lines: string[];
  shows(text: string | RegExp, limit?: number): Promise<unknown>;
}

/** A module of Waybar, with the line that `--print-config` has for it, run as Waybar does it. */
async function openBar(
  machine: Machine,
  client: Client,
  slot: string,
  node = process.execPath,
): Promise<Bar> {
  const entry = await builtProgram();
  const found = slotClient(entry.replace(/\/tsmux\.js$/, ''), machine.socket, process.env.PATH);
  const [sh = '', script = ''] = found ?? [];
  const words = {
    node: null,
    nc: found,
    curl: [sh, script, 'curl', '/usr/bin/curl', machine.socket],
  }[client];
  const parts = { program: [node, entry], client: words, slots: 99, outputs: [] };
  const modules = waybarConfig(parts) as Record<string, { exec: string }>;
  const child = spawn('sh', ['-c', modules[`custom/tsmux#${slot}`]?.exec ?? ''], {
    env: machine.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL');
    } catch {
      // It has gone.
    }
  });
  const lines: string[] = [];
  let rest = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  return {
    process: child,
    lines,
    shows: (text, limit = 8000) =>
      until(() => lines.at(-1)?.match(text), { why: `${client} to show ${text}`, limit, saw: () => lines }),
  };
}

/** What its process group has in memory, kB. */
function memoryOf(group: number): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && readStat(Number(name))?.processGroup === group)
    .map((name) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1] ?? 0))
    .reduce((sum, size) => sum + size, 0);
}

/** Whoever runs the tests may have sessions of his own, which stand on the bar as well. */
const nameOf = (machine: Machine) => basename(machine.home);
const anything = /"class":\["(?!away)/;

describe.each(clients)('a module of Waybar, run with %s', (client) => {
  it('d12: starts the daemon, says when it is away, and comes back', async () => {
    const machine = await aMachine();
    const bar = await openBar(machine, client, 'summary');
    await bar.shows(anything);
    const claude = machine.claude({ status: 'busy' });
    const busy = new RegExp(`◐ ${nameOf(machine)}: busy`);
    await bar.shows(busy);
    process.kill(machine.daemonPid() ?? 0, 'SIGKILL');
    await bar.shows('tsmux off');
    // A crashed one is started again, but not twice within ten seconds.
    await bar.shows(busy, 20_000);
    claude.says({ status: 'idle' });
    await bar.shows(new RegExp(`[○●] ${nameOf(machine)}: `));
    expect((await machine.tsmux('stop')).code).toBe(0);
    await bar.shows('tsmux off');
    expect(machine.daemonPid()).toBeNull();
    await machine.tsmux('list');
    await bar.shows(nameOf(machine));
    for (const line of bar.lines) JSON.parse(line);
  }, 60_000);

  it('d9, d10: ends within 30 seconds of a bar that is gone, although nothing happens', async () => {
    const machine = await aMachine();
    const bar = await openBar(machine, client, '99');
    await bar.shows(anything);
    const pid = bar.process.pid ?? 0;
    if (client !== 'node') expect(memoryOf(pid)).toBeLessThanOrEqual(12 * 1024);
    bar.process.stdout?.destroy();
    await until(() => memoryOf(pid) === 0, { why: `${client} to end`, limit: 30_000, every: 100 });
  }, 60_000);

  it('d9: ends also while there is no daemon', async () => {
    const machine = await aMachine();
    const bar = await openBar(machine, client, '99');
    await bar.shows(anything);
    await machine.tsmux('stop');
    await bar.shows('tsmux off');
    bar.process.stdout?.destroy();
    await until(() => memoryOf(bar.process.pid ?? 0) === 0, {
      why: `${client} to end`,
      limit: 30_000,
      every: 100,
    });
  }, 60_000);
});

it.each(['nc', 'curl'] as const)(
  'twenty modules, run with %s, start one Node.js between them',
  async (client) => {
    const machine = await aMachine();
    const starts = join(machine.home, 'starts');
    const node = join(machine.home, 'node');
    writeFileSync(node, `#!/bin/sh\necho "$2" >>${starts}\nexec ${process.execPath} "$@"\n`, { mode: 0o755 });
    const bars = await Promise.all(
      Array.from({ length: 20 }, (_, slot) => openBar(machine, client, `${slot + 1}`, node)),
    );
    for (const bar of bars) await bar.shows(anything, 20_000);
    expect(readFileSync(starts, 'utf8')).toBe('list\n');
  },
  60_000,
);
