import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { parseArgs } from 'node:util';
import { cli } from './cli.ts';
import { cpu } from './cpu.ts';
import { hook } from './hook.ts';
import { latency } from './latency.ts';
import { memory } from './memory.ts';
import { proc } from './proc.ts';
import { prompts } from './prompts.ts';
import { holds, type Row } from './row.ts';
import { transcript } from './transcript.ts';
import { waybar } from './waybar.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false }, seconds: { type: 'string', default: '60' } },
});

const parts: Record<string, () => Promise<Row[]>> = {
  hook,
  cli,
  memory,
  proc,
  latency,
  prompts,
  cpu: () => cpu(Number(values.seconds)),
  waybar: () => waybar(Number(values.seconds)),
  // The disk is busy with its 500 MB for a while, at the cost of what would be measured behind it.
  transcript,
};

const unknown = positionals.find((name) => !(name in parts));
if (unknown !== undefined) {
  console.error(`bench: there is no part ${unknown}: known are ${Object.keys(parts).join(', ')}`);
  process.exit(2);
}

const rows: Row[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(parts)) {
  console.error(`measuring ${name}…`);
  rows.push(...(await (parts[name]?.() ?? [])));
}

const number = (value: number) => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
const bar = (row: Row) => (row.bar === null ? '' : `${row.atLeast ? '≥' : '≤'} ${row.bar} ${row.unit}`);
const mark = (row: Row) => (row.bar === null ? '' : holds(row) ? '✓' : '✗');
const table = [
  '| what | measured | result | bar | |',
  '|---|---|---|---|---|',
  ...rows.map(
    (row) =>
      `| ${row.what} | ${row.measured} | ${number(row.value)} ${row.unit} | ${bar(row)} | ${mark(row)} |`,
  ),
].join('\n');
console.log(table);

if (values.write) {
  const path = 'docs/performance.md';
  const text = readFileSync(path, 'utf8');
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1] ?? 'Linux';
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const machine = `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${memory}, ${system}, Node.js ${process.version}.`;
  const marked = /(<!-- bench -->\n)[\s\S]*(<!-- \/bench -->)/;
  writeFileSync(
    path,
    text.replace(marked, (_, open: string, close: string) => `${open}\n${machine}\n\n${table}\n\n${close}`),
  );
}
process.exitCode = rows.every(holds) ? 0 : 1;
