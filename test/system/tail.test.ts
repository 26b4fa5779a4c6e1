import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTail, type TailLimits } from '../../src/system/tail.ts';

const small: TailLimits = { window: 64, maxWindow: 256, maxLine: 100 };

describe('the tail of a growing file', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tsmux-tail-'));
    file = join(folder, 'a.jsonl');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is nothing while there is no file, and begins when it comes', () => {
    const tail = createTail(file);
    expect(tail.read()).toEqual({ lines: [], fresh: false });
    writeFileSync(file, 'one\n');
    expect(tail.read()).toEqual({ lines: ['one'], fresh: true });
    expect(tail.read()).toEqual({ lines: [], fresh: false });
  });

  it('f3: a last line without its newline is kept back, and read once it is whole', () => {
    writeFileSync(file, 'one\ntw');
    const tail = createTail(file);
    expect(tail.read().lines).toEqual(['one']);
    appendFileSync(file, 'o');
    expect(tail.read().lines).toEqual([]);
    appendFileSync(file, '\nthree\n');
    expect(tail.read()).toEqual({ lines: ['two', 'three'], fresh: false });
    appendFileSync(file, 'four\nfi');
    expect(tail.read().lines).toEqual(['four']);
    appendFileSync(file, 've\n');
    expect(tail.read().lines).toEqual(['five']);
  });

  it('f1: takes the same window of a small and of a large file', () => {
    writeFileSync(file, `${'x'.repeat(30)}\n`.repeat(1000));
    expect(createTail(file, undefined, small).read().lines).toHaveLength(2);
  });

  it('f1: 500 MB cost no more than 1 MB', () => {
    const line = `${'y'.repeat(999)}\n`;
    const large = join(folder, 'large.jsonl');
    writeFileSync(file, line.repeat(1000));
    writeFileSync(large, '');
    // A hole is as large as data to who reads by offset.
    truncateSync(large, 500_000_000);
    appendFileSync(large, `\n${line.repeat(1000)}`);
    expect(createTail(large).read().lines).toHaveLength(createTail(file).read().lines.length);
    const cost = (path: string) => {
      const begin = performance.now();
      for (let count = 0; count < 20; count++) createTail(path).read();
      return performance.now() - begin;
    };
    cost(file);
    const costs = [1, 2, 3, 4, 5].map(() => cost(large) / cost(file)).sort((a, b) => a - b);
    expect(costs[0]).toBeLessThan(2);
  });

  it('widens the window until there is enough in it, but not for ever', () => {
    writeFileSync(file, `start\n${'x'.repeat(9)}\n`.padEnd(150, 'z\n'));
    const found = createTail(file, (lines) => lines.includes('start'), small).read().lines;
    expect(found[0]).toBe('start');
    appendFileSync(file, 'z\n'.repeat(500));
    expect(createTail(file, (lines) => lines.includes('start'), small).read().lines[0]).toBe('z');
  });

  it('f4: a line that is too long is skipped, and the next ones are read', () => {
    writeFileSync(file, 'one\n');
    const tail = createTail(file, undefined, small);
    tail.read();
    appendFileSync(file, 'x'.repeat(150));
    expect(tail.read().lines).toEqual([]);
    appendFileSync(file, `${'x'.repeat(150)}\ntwo\n`);
    expect(tail.read().lines).toEqual(['two']);
    appendFileSync(file, `${'x'.repeat(150)}\nthree\n`);
    expect(tail.read().lines).toEqual(['three']);
  });

  it('f4: a file that ends in one endless line is followed from the next line on', () => {
    writeFileSync(file, 'x'.repeat(1000));
    const tail = createTail(file, undefined, small);
    expect(tail.read().lines).toEqual([]);
    appendFileSync(file, 'x\nnext\n');
    expect(tail.read().lines).toEqual(['next']);
  });

  it('f5: invalid UTF-8, and a character cut by the window, do no harm', () => {
    writeFileSync(file, Buffer.concat([Buffer.from([0xff, 0xfe, 10]), Buffer.from('ok\n')]));
    expect(createTail(file).read().lines).toEqual(['\uFFFD\uFFFD', 'ok']);
    writeFileSync(file, `${'€'.repeat(40)}\nok\n`);
    expect(createTail(file, undefined, small).read().lines).toEqual(['ok']);
  });

  it('f8: a truncated, a replaced and a reappearing file begin afresh', () => {
    writeFileSync(file, 'one\ntwo\n');
    const tail = createTail(file);
    tail.read();
    truncateSync(file, 0);
    appendFileSync(file, 'new\n');
    expect(tail.read()).toEqual({ lines: ['new'], fresh: true });

    writeFileSync(`${file}.next`, 'replaced\nby rename\n');
    renameSync(`${file}.next`, file);
    expect(tail.read()).toEqual({ lines: ['replaced', 'by rename'], fresh: true });

    rmSync(file);
    expect(tail.read()).toEqual({ lines: [], fresh: false });
    writeFileSync(`${file}.other`, '');
    writeFileSync(file, 'back\n');
    expect(tail.read().lines).toEqual(['back']);
  });
});
