import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLog } from '../../src/daemon/log.ts';

const MiB = 1024 * 1024;

it('a log is for the user alone, and never takes more room than two files of 5 MiB', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tsmux-test-')), 'state', 'log');
  const log = openLog(path, 'info');
  const words = 'x'.repeat(MiB / 2);
  for (let line = 1; line <= 50; line++) log.info({ line }, words);
  for (const file of [path, `${path}.1`]) {
    expect(statSync(file).size).toBeLessThan(5 * MiB);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }
  const lines = [`${path}.1`, path].flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
  const numbers = lines.map((line) => (JSON.parse(line) as { line: number }).line);
  expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, at) => 51 - numbers.length + at));

  const next = openLog(path, 'info');
  for (let line = 51; line <= 60; line++) next.info({ line }, words);
  expect(statSync(path).size).toBeLessThan(5 * MiB);
  rmSync(path);
  for (let line = 61; line <= 80; line++) next.info({ line }, words);
  expect(readFileSync(path, 'utf8')).toContain('"line":80');
});
