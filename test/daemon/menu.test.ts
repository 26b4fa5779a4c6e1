import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createMenu } from '../../src/daemon/menu.ts';
import { silentLog } from '../../src/system/log.ts';
import { until } from '../support/until.ts';

/** A daemon whose `tsmux menu` is these lines of sh. */
function menuOf(...lines: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'tsmux-test-'));
  const script = join(folder, 'tsmux');
  writeFileSync(script, `cd '${folder}'\n${lines.join('\n')}\n`);
  const said: string[] = [];
  const say = (words: string) => void said.push(words);
  const read = (name: string) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  };
  return { menu: createMenu({ log: silentLog, program: ['/bin/sh', script], say }), said, read };
}

it('says on the bar why no menu could be opened', async () => {
  const { menu, said } = menuOf('echo "tsmux: menu: no launcher was found: install one" >&2', 'exit 1');
  menu.open(null);
  await until(() => said.length === 1, { why: 'the words' });
  expect(said).toEqual(['no launcher was found: install one']);
});

it('opens again although the launcher has left something behind that never ends', async () => {
  const { menu, read } = menuOf('sleep 600 & echo $! >>left');
  const left = () => read('left').split('\n').filter(Boolean);
  onTestFinished(() => {
    for (const pid of left()) process.kill(Number(pid));
  });
  const opensAgain = () => {
    if (left().length > 1) return true;
    menu.open(null);
    return false;
  };
  await until(opensAgain, { why: 'the second menu' });
});
