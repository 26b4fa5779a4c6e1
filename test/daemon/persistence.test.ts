import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPersistence, readSaved } from '../../src/daemon/persistence.ts';
import { writeAtomically } from '../../src/system/atomic-write.ts';
import { type Log, silentLog } from '../../src/system/log.ts';
import { manualClock } from '../support/manual-clock.ts';

const aPath = () => join(mkdtempSync(join(tmpdir(), 'tsmux-test-')), 'state/state.json');

function aLog() {
  const words: string[] = [];
  const note = (_: object, message: string) => void words.push(message);
  return { words, log: { ...silentLog, warn: note, info: note } satisfies Log };
}

it('gathers changes for a second, and writes them once, for the user alone', () => {
  const clock = manualClock();
  const path = aPath();
  let writes = 0;
  const write = (to: string, text: string) => {
    writes += 1;
    writeAtomically(to, text);
  };
  const persistence = createPersistence({
    path,
    clock,
    log: silentLog,
    save: () => ({ registry: { n: 1 } }),
    write,
  });
  persistence.touch();
  persistence.touch();
  clock.pass(999);
  expect(writes).toBe(0);
  clock.pass(1);
  persistence.touch();
  clock.pass(1_000);
  expect(writes).toBe(1);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readSaved(path, silentLog)).toEqual({ registry: { n: 1 } });
});

it('writes a state within 20 s, a detail within a minute, and both with a wish that comes meanwhile', () => {
  const clock = manualClock();
  let writes = 0;
  let n = 0;
  const persistence = createPersistence({
    path: aPath(),
    clock,
    log: silentLog,
    save: () => ({ registry: n++ }),
    write: () => {
      writes += 1;
    },
  });
  persistence.touch('detail');
  clock.pass(30_000);
  expect(writes).toBe(0);
  persistence.touch('state');
  clock.pass(19_999);
  expect(writes).toBe(0);
  clock.pass(1);
  expect(writes).toBe(1);
  persistence.touch('detail');
  persistence.touch('wish');
  clock.pass(1_000);
  expect(writes).toBe(2);
  clock.pass(60_000);
  expect(writes).toBe(2);
});

it('g15: on a full disk goes on in memory, says so once, and saves again when there is room', () => {
  const clock = manualClock();
  const path = aPath();
  const { words, log } = aLog();
  let full = true;
  let n = 0;
  const persistence = createPersistence({
    path,
    clock,
    log,
    save: () => ({ registry: n++ }),
    write: (to, text) => {
      if (full) throw new Error('ENOSPC: no space left on device, write');
      writeFileSync(to, text);
    },
  });
  for (let change = 0; change < 5; change++) {
    persistence.touch();
    clock.pass(1_000);
  }
  expect(words).toEqual(['cannot save the state; kept in memory']);
  expect(persistence.trouble()).toContain('ENOSPC');
  full = false;
  persistence.touch();
  clock.pass(1_000);
  expect(persistence.trouble()).toBeNull();
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 1, registry: 5 });
});

it('starts afresh where nothing was saved, or something that it does not understand', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'tsmux-test-')), 'state.json');
  const { words, log } = aLog();
  expect(readSaved(path, log)).toBeNull();
  expect(words).toEqual([]);
  for (const text of ['', '{"version":1,', '[]', '{"version":2,"registry":{}}', '\0\0\0']) {
    writeFileSync(path, text);
    expect(readSaved(path, log)).toBeNull();
  }
  expect(words).toHaveLength(5);
  rmSync(path);
  execFileSync('mkfifo', [path]);
  expect(readSaved(path, log)).toBeNull();
  expect(words.at(-1)).toBe('cannot read what was saved');
});
