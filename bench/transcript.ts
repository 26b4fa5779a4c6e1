import { closeSync, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createTranscriptReader, showsTurn } from '../src/claude/transcript.ts';
import { createTail } from '../src/system/tail.ts';
import { interleaved, ms, type Row, timed } from './row.ts';
import { temporaryFolder } from './started.ts';

const mebibyte = 1024 * 1024;

export async function transcript(): Promise<Row[]> {
  const folder = temporaryFolder();
  const lines = [
    'user-prompt',
    'assistant-tool_use',
    'user-tool-result',
    'assistant-text',
    'system-turn_duration',
  ]
    .map((name) => readFileSync(`test/fixtures/claude/transcript-lines/${name}.json`, 'utf8').trim())
    .join('\n');
  const block = `${lines}\n`.repeat(Math.ceil(mebibyte / lines.length));
  const file = (size: number): string => {
    const path = join(folder, `${size}.jsonl`);
    const fd = openSync(path, 'w');
    for (let written = 0; written < size * mebibyte; written += block.length) writeSync(fd, block);
    closeSync(fd);
    return path;
  };
  const [small, large] = [file(1), file(500)];
  const tail = (path: string) => () =>
    timed(() => createTranscriptReader().read(createTail(path, showsTurn).read().lines, Date.now()));
  const whole = (path: string) => () =>
    timed(() => {
      const fd = openSync(path, 'r');
      const buffer = Buffer.allocUnsafe(mebibyte);
      while (readSync(fd, buffer) > 0);
      closeSync(fd);
    });
  const parsed = () =>
    timed(() => {
      const reader = createTranscriptReader();
      for (let i = 0; i < 20; i++) reader.read(block.split('\n'), Date.now());
    }) * 25;
  const tails = await interleaved(40, { small: tail(small), large: tail(large) });
  const full = await interleaved(3, { parsed, read: whole(large) });
  rmSync(folder, { recursive: true, force: true });
  return [
    {
      what: 'tail of a transcript of 500 MB : of 1 MB',
      measured: `${ms(tails.large)} : ${ms(tails.small)}`,
      value: tails.large / tails.small,
      bar: 2,
      unit: '×',
    },
    {
      what: 'tail of a transcript of 500 MB : reading and parsing all of it',
      measured: `${ms(tails.large)} : ${ms(full.parsed + full.read)}`,
      value: tails.large / (full.parsed + full.read),
      bar: 0.001,
      unit: '×',
    },
  ];
}
