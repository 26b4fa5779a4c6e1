import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linkTarget, writeAtomically } from '../../src/system/atomic-write.ts';

describe('an atomic write', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tsmux-write-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('makes a new file private, and keeps the mode of one that is replaced', () => {
    const file = join(folder, 'a');
    writeAtomically(file, 'one');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o664);
    writeAtomically(file, 'two');
    expect(statSync(file).mode & 0o777).toBe(0o664);
    expect(readFileSync(file, 'utf8')).toBe('two');
  });

  it('h10: leaves the old file whole, and nothing else, when it fails in the middle', () => {
    const file = join(folder, 'a');
    writeFileSync(file, 'old');
    const full = () => {
      throw new Error('ENOSPC');
    };
    expect(() => writeAtomically(file, 'new', 0o600, full)).toThrow('ENOSPC');
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('finds where a chain of links ends, even where nothing is yet', () => {
    mkdirSync(join(folder, 'real'));
    symlinkSync('real/b', join(folder, 'middle'));
    symlinkSync(join(folder, 'middle'), join(folder, 'a'));
    expect(linkTarget(join(folder, 'a'))).toBe(join(folder, 'real/b'));
    expect(existsSync(join(folder, 'real/b'))).toBe(false);
  });
});
