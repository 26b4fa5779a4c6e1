import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readRegularFile, realPath } from '../../src/system/read-file.ts';
import { createTail } from '../../src/system/tail.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tsmux-read-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a path that others write or tell', () => {
  it('is read where it leads to a file, also by a link', () => {
    writeFileSync(join(folder, 'file'), 'ünï');
    symlinkSync('file', join(folder, 'link'));
    expect(readRegularFile(join(folder, 'link'), 100).toString()).toBe('ünï');
    expect(realPath(join(folder, 'link'))).toBe(realPath(join(folder, 'file')));
    expect(realPath(join(folder, 'nothing'))).toBe(join(folder, 'nothing'));
  });

  it('is neither waited for nor read without end where it is something else', () => {
    execFileSync('mkfifo', [join(folder, 'fifo')]);
    mkdirSync(join(folder, 'folder'));
    symlinkSync('/dev/zero', join(folder, 'zero'));
    symlinkSync('/dev/ptmx', join(folder, 'terminal'));
    for (const name of ['fifo', 'folder', 'zero', 'terminal']) {
      expect(() => readRegularFile(join(folder, name), 100)).toThrow('not a regular file');
      expect(createTail(join(folder, name)).read()).toEqual({ lines: [], fresh: false });
    }
    symlinkSync('loop', join(folder, 'loop'));
    expect(() => readRegularFile(join(folder, 'loop'), 100)).toThrow('ELOOP');
  });

  it('is not read where it is larger than it may be', () => {
    writeFileSync(join(folder, 'large'), '');
    truncateSync(join(folder, 'large'), 2 ** 40);
    expect(() => readRegularFile(join(folder, 'large'), 100)).toThrow('too large');
  });
});
