import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { check } from '../../src/claude/check.ts';
import { apply, planInstall } from '../../src/claude/settings.ts';
import { fixture } from './home.ts';

describe('doctor about Claude Code', () => {
  let home: string;
  let configDir: string;
  let hook: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'tsmux-check-'));
    configDir = join(home, '.claude');
    hook = join(home, 'tsmux', 'hook');
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const lines = () =>
    check({
      home,
      scan: { scan: () => [] },
      configDirs: [configDir],
      hooks: { event: hook, hold: hook },
      scripts: { event: '#!/bin/sh\n', hold: '#!/bin/sh\n' },
      path: home,
      managedDir: join(home, 'etc'),
    });
  const line = (name: string) => lines().find((found) => found.name.startsWith(name));

  function install(): void {
    mkdirSync(configDir);
    mkdirSync(join(home, 'tsmux'));
    writeFileSync(hook, '#!/bin/sh\n', { mode: 0o700 });
    const planned = planInstall({
      configDir,
      hooks: { event: hook, hold: hook },
      stateDir: join(home, 'state'),
    });
    if (!planned.ok || !apply(planned.value).ok) throw new Error('not installed');
  }

  it('says that Claude Code is not there', () => {
    expect(line('Claude Code')).toMatchObject({ status: 'absent' });
  });

  it('says that all is well', () => {
    install();
    mkdirSync(join(configDir, 'sessions'));
    writeFileSync(join(configDir, 'sessions', '5.json'), fixture('sessions/interactive-cli-idle.json'));
    expect(line('Claude Code')).toMatchObject({ status: 'ok', detail: `2.1.332; ${configDir}` });
    for (const name of ['hooks in', 'changes in', 'hook script']) {
      expect(line(name)).toMatchObject({ name: expect.stringContaining(name), status: 'ok' });
    }
  });

  it('says what is wrong with the hooks', () => {
    install();
    rmSync(hook);
    expect(line('hooks in')).toMatchObject({ status: 'broken', hint: 'run: tsmux setup' });
    expect(line('hook script')).toMatchObject({ status: 'absent' });
    writeFileSync(join(configDir, 'settings.json'), '{\n"a" 1}');
    expect(line('hooks in')).toMatchObject({
      status: 'broken',
      detail: expect.stringContaining('line 2, column 5'),
    });
    writeFileSync(join(configDir, 'settings.json'), '{}');
    expect(line('hooks in')).toMatchObject({ status: 'absent' });
  });

  it('names the folder to set up where it is not the usual one', () => {
    const other = join(home, 'other');
    mkdirSync(other);
    const found = check({
      home,
      scan: { scan: () => [] },
      configDirs: [configDir, other],
      hooks: { event: hook, hold: hook },
      scripts: { event: '', hold: '' },
      path: home,
      managedDir: home,
    });
    expect(found.find(({ name }) => name === `hooks in ${other}`)?.hint).toBe(
      `run: tsmux setup --config-dir ${other}`,
    );
  });

  it('h13: says that the user or the administrator has switched hooks off', () => {
    install();
    const file = join(configDir, 'settings.json');
    const planned = planInstall({
      configDir,
      hooks: { event: hook, hold: hook },
      stateDir: join(home, 'state'),
    });
    const text = planned.ok ? (planned.value.after ?? '') : '';
    writeFileSync(file, text.replace('{', '{"disableAllHooks": true,'));
    expect(line('hooks in')).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining('disableAllHooks'),
    });
    mkdirSync(join(home, 'etc'));
    writeFileSync(join(home, 'etc', 'managed-settings.json'), '{"allowManagedHooksOnly": true}');
    expect(line('managed settings')).toMatchObject({ status: 'warning' });
  });

  it('names what its ancestors left behind', () => {
    mkdirSync(configDir);
    const command = (name: string) => ({ hooks: [{ type: 'command', command: name }] });
    const hooks = { Stop: [command('vmux hook stop'), command('/home/ada/.purplemux/hook.sh')] };
    writeFileSync(join(configDir, 'settings.json'), JSON.stringify({ hooks }));
    expect(line('other tools')).toMatchObject({ detail: expect.stringContaining('vmux and purplemux') });
  });
});
