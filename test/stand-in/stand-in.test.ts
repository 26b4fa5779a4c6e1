import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type StandIn, type StartOptions, startStandIn } from './index.ts';
import { holder, recorder, watchStatus } from './recorder.ts';

let root: string;
let running: StandIn[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'stand-in-test-'));
  mkdirSync(join(root, 'home/.claude'), { recursive: true });
  mkdirSync(join(root, 'home/code/webshop'), { recursive: true });
  mkdirSync(join(root, 'outside'));
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((claude) => claude.stop()));
  rmSync(root, { recursive: true, force: true });
});

async function start(options: Partial<StartOptions> = {}): Promise<StandIn> {
  const home = join(root, 'home');
  const claude = await startStandIn({
    home,
    cwd: join(home, 'code/webshop'),
    outside: join(root, 'outside'),
    ...options,
  });
  running.push(claude);
  return claude;
}

function hooks(value: object): void {
  writeFileSync(join(root, 'home/.claude/settings.json'), JSON.stringify({ hooks: value }));
}

describe('the stand-in', () => {
  it('looks like Claude Code in /proc', async () => {
    const { pid } = await start({ mode: 'manual' });
    expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('claude\n');
    expect(readlinkSync(`/proc/${pid}/exe`)).toMatch(/\/claude$/);
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(1)).toEqual([
      '--permission-mode',
      'manual',
      '',
    ]);
  });

  it('can bear the name of its version, as the native installation does', async () => {
    const { pid } = await start({ as: '2.1.37' });
    expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toBe('2.1.37\n');
    expect(readlinkSync(`/proc/${pid}/exe`)).toMatch(/\/share\/claude\/versions\/2\.1\.37$/);
  });

  it('asks in its terminal and in its session file, and goes on after a Yes', async () => {
    const record = recorder(join(root, 'rec'));
    hooks(record.hooks);
    const claude = await start();
    const status = watchStatus(claude);
    await claude.type('SCN:bash please');
    await claude.is('waiting', 'permission prompt');
    await claude.shows('❯ 1. Yes');
    await claude.answer('1');
    await claude.is('idle');
    status.stop();
    expect(status.seen).toEqual(['idle', 'busy', 'waiting: permission prompt', 'busy', 'idle']);
    await until(() => record.names().includes('Stop'), { why: 'Stop' });
    expect(record.names()).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PermissionRequest',
      'PostToolUse',
      'PostToolBatch',
      'Stop',
    ]);
    expect(
      record.calls().every(({ parent, claudePid }) => parent === claude.pid && claudePid === `${claude.pid}`),
    ).toBe(true);
  });

  it('takes the answer of a hook while its dialog stands', async () => {
    const hold = holder(join(root, 'hold'));
    hooks(hold.hooks);
    const claude = await start();
    await claude.type('SCN:bash please');
    await claude.is('waiting');
    await until(() => hold.held().length === 1, { why: 'the hook' });
    hold.answer({
      hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } },
    });
    await claude.is('idle');
    await claude.shows('Allowed by PermissionRequest hook');
  });

  it('gives a held hook no signal after a Yes, and SIGTERM after a No', async () => {
    const hold = holder(join(root, 'hold'));
    hooks(hold.hooks);
    const claude = await start();
    await claude.type('SCN:bash please');
    await claude.is('waiting');
    await until(() => hold.held().length === 1, { why: 'the hook' });
    await claude.answer('1');
    await claude.is('idle');
    await claude.type('SCN:npm please');
    await claude.is('waiting');
    await until(() => hold.held().length === 2, { why: 'the second hook' });
    await claude.answer('Escape');
    await claude.is('idle');
    await until(() => hold.signals() === 1, { why: 'SIGTERM' });
    // The file says idle while the transcript is still being written.
    const interrupted = () => JSON.stringify(claude.transcript().at(-2));
    await until(() => interrupted().includes('"text":"[Request interrupted by user for tool use]"'), {
      why: 'the interrupt in the transcript',
      saw: interrupted,
    });
    hold.answer('');
  });

  it('hides the prompt of a sub-agent behind its hook', async () => {
    const hold = holder(join(root, 'hold'));
    hooks(hold.hooks);
    const claude = await start();
    await claude.type('SCN:agent please');
    await until(() => hold.held().length === 1, { why: 'the hook' });
    await claude.shows('The sub-agent runs in background.');
    expect(claude.sessionFile()?.status).toBe('busy');
    hold.answer('');
    await claude.is('waiting');
    await claude.shows('from the general-purpose agent');
    await claude.answer('1');
    await claude.shows('finished');
    await claude.is('idle');
  });

  it('is interrupted by Esc without a word to any hook', async () => {
    const record = recorder(join(root, 'rec'));
    hooks(record.hooks);
    const claude = await start();
    await claude.type('SCN:slow please');
    await claude.is('busy');
    await claude.shows('word word');
    await claude.press('Escape');
    await claude.is('idle');
    expect(record.names()).toEqual(['SessionStart', 'UserPromptSubmit']);
  });

  it('has a new session id and a new transcript after /clear', async () => {
    const claude = await start();
    const before = claude.sessionFile()?.sessionId;
    await claude.type('/clear');
    await until(() => claude.sessionFile()?.sessionId !== before, { why: 'a new session id' });
  });

  it('takes its session file with it, unless it is killed', async () => {
    const first = await start();
    await first.kill('SIGTERM');
    expect(first.sessionFile()).toBeNull();
    const second = await start();
    await second.kill();
    expect(second.sessionFile()).not.toBeNull();
  });

  it('says nothing of the parent in 2.1.197, and has no session file before that', async () => {
    const record = recorder(join(root, 'rec'));
    hooks(record.hooks);
    await start({ version: '2.1.197' });
    await until(() => record.calls().length === 1, { why: 'SessionStart' });
    expect(record.calls()[0]?.claudePid).toBe('');
    const old = await start({ sessionFiles: false });
    expect(old.sessionFile()).toBeNull();
  });

  it('greets with a warning when a hook is for an event that it does not know', async () => {
    const record = recorder(join(root, 'rec'), ['SessionStart', 'PreModelSwitch']);
    hooks(record.hooks);
    const claude = await start({ version: '2.1.197', early: true });
    await claude.shows('Unknown hook event "PreModelSwitch" was ignored.');
    await claude.answer('1');
    await claude.is('idle');
    // The hook writes down that it ran, and the file does not wait for that.
    await until(() => record.names().length > 0, { why: 'SessionStart' });
    expect(record.names()).toEqual(['SessionStart']);
  });
});
