import { readdirSync } from 'node:fs';
import { createProcessScan } from '../src/claude/processes.ts';
import { systemProcesses } from '../src/desktop/processes.ts';
import { ownerOf } from '../src/desktop/pty.ts';
import { listFileDescriptors, listPids, readProcessLink, readStat } from '../src/system/proc.ts';
import { interleaved, ms, type Row, timed } from './row.ts';
import { startProgram } from './started.ts';
import { ended, until } from './world.ts';

/** Enough processes for a desktop, most of them with a few descriptors. */
const crowd = 300;

export async function proc(): Promise<Row[]> {
  const sleepers = Array.from({ length: crowd }, () => startProgram('sleep', ['3600'], { stdio: 'pipe' }));
  // `script` holds the master of the PTY on which its program runs.
  const terminal = startProgram('script', ['-qfc', 'sleep 3600', '/dev/null'], { stdio: 'pipe' });
  const onTerminal = () =>
    listPids().find((pid) => {
      const stat = readStat(pid);
      return stat?.comm === 'sleep' && stat.pts !== null && readStat(stat.parent)?.pid === terminal.pid;
    });
  await until(() => onTerminal() !== undefined, 'a program on a PTY');
  const pid = onTerminal() ?? 0;
  const pts = readStat(pid)?.pts ?? 0;

  const scan = createProcessScan('/nonexistent');
  for (let i = 0; i < 40; i++) scan.scan();
  const sweep = () => {
    for (const other of listPids()) {
      for (const fd of listFileDescriptors(other)) readProcessLink(other, `fd/${fd}`);
    }
  };
  if (ownerOf(systemProcesses, pid, pts, [])?.process.pid !== terminal.pid) throw new Error('wrong owner');
  const times = await interleaved(60, {
    list: () => timed(() => readdirSync('/proc')),
    scan: () => timed(() => scan.scan()),
    owner: () => timed(() => ownerOf(systemProcesses, pid, pts, [])),
    sweep: () => timed(sweep),
  });
  for (const child of [...sleepers, terminal]) child.kill();
  await Promise.all([...sleepers, terminal].map(ended));
  return [
    {
      what: `steady scan for Claude Code, ${crowd}+ processes : readdirSync('/proc')`,
      measured: `${ms(times.scan)} : ${ms(times.list)}`,
      value: times.scan / times.list,
      bar: 2,
      unit: '×',
    },
    {
      what: 'owner of a PTY : sweep of all descriptors',
      measured: `${ms(times.owner)} : ${ms(times.sweep)}`,
      value: times.owner / times.sweep,
      bar: 0.15,
      unit: '×',
    },
  ];
}
