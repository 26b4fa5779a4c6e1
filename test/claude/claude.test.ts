import { appendFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ClaudeProcess } from '../../src/claude/processes.ts';
import { systemClock } from '../../src/system/clock.ts';
import { bootId } from '../../src/system/proc.ts';
import { until } from '../support/until.ts';
import { type ClaudeHome, claudeHome, fixture, fixtureJson } from './home.ts';

const first = '8deb825d-54e0-494e-b10b-8f7b7288cac8';
const second = '11111111-2222-4333-8444-555555555555';

function line(name: string, fields: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...fixtureJson(`transcript-lines/${name}.json`), ...fields });
}

function hook(name: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...fixtureJson(`hooks/${name}.json`), ...fields });
}

const now = () => new Date().toISOString();

describe('sessions that have a file', () => {
  let world: ClaudeHome;
  beforeEach(() => {
    world = claudeHome();
  });
  afterEach(() => world.end());

  it('are known when start() is done', async () => {
    const process = world.process();
    world.sessionFile(process, { status: 'busy' });
    await world.claude.start();
    expect(world.of(process, 'process-seen')).toMatchObject([
      { kind: 'interactive', cwd: '/home/ada/code/webshop' },
    ]);
    expect(world.of(process, 'session-file').at(-1)).toMatchObject({ status: 'busy', sessionId: first });
  });

  it('are seen at once when they come, in folders that are not there yet', async () => {
    await world.claude.start();
    expect(world.claude.notice()).toContain('not installed');
    const process = world.process();
    world.sessionFile(process);
    await world.sees(process, 'process-seen');
    expect(world.claude.notice()).toBeNull();
  });

  it.each(['is there', 'is not there yet'])(
    'are seen before they have one, by their key, where the folder %s',
    async (how) => {
      const running: ClaudeProcess[] = [];
      const asking = claudeHome({ scan: () => running });
      onTestFinished(() => asking.end());
      const sessions = join(asking.configDir, 'sessions');
      if (how === 'is there') mkdirSync(sessions, { recursive: true });
      await asking.claude.start();
      // It waits at its trust dialog, and writes no file until that is answered.
      const { pid, startTime } = asking.process();
      running.push({
        pid,
        startTime,
        comm: 'claude',
        role: 'session',
        arguments: [],
        hasTerminal: true,
        parent: 1,
        cwd: '/home/ada/code/strange',
        configDir: asking.configDir,
        kind: 'interactive',
        entrypoint: null,
      });
      mkdirSync(sessions, { recursive: true });
      writeFileSync(join(sessions, `${pid}.01e8e430be7cae10.key`), 'secret');
      await asking.sees({ pid }, 'process-seen');
    },
  );

  it('f10: are seen through links', async () => {
    mkdirSync(join(world.home, 'dotfiles'));
    symlinkSync(join(world.home, 'dotfiles'), world.configDir);
    await world.claude.start();
    const process = world.process();
    world.sessionFile(process);
    await world.sees(process, 'process-seen');
  });

  it('f8: are seen again after their folder was removed and made again', async () => {
    const process = world.process();
    world.sessionFile(process);
    await world.claude.start();
    rmSync(world.configDir, { recursive: true });
    await world.sees(process, 'process-gone');
    const other = world.process();
    world.sessionFile(other);
    await world.sees(other, 'process-seen');
  });

  it('a5: keep their last state while the file is half-written, and tell the new one when it is whole', async () => {
    const process = world.process();
    const file = world.sessionFile(process, { status: 'busy' });
    await world.claude.start();
    const before = world.of(process, 'session-file').length;
    writeFileSync(file, '{"pid":');
    world.claude.refresh();
    expect(world.of(process, 'session-file')).toHaveLength(before);
    expect(world.of(process, 'process-gone')).toEqual([]);
    world.sessionFile(process, { status: 'idle' });
    await until(() => world.of(process, 'session-file').at(-1)?.status === 'idle', { why: 'idle' });
  });

  it('tell the state that was read last, also of two within one millisecond', async () => {
    vi.spyOn(systemClock, 'now').mockReturnValue(Date.now());
    onTestFinished(() => void vi.restoreAllMocks());
    const process = world.process();
    world.sessionFile(process, { status: 'idle' });
    await world.claude.start();
    world.sessionFile(process, { status: 'busy' });
    world.claude.refresh();
    const [last, before] = world.of(process, 'session-file').toReversed();
    expect(last?.status).toBe('busy');
    expect(last?.at).toBeGreaterThan(before?.at ?? 0);
  });

  it('a4: are one session, whatever an older version left beside the file', async () => {
    const process = world.process();
    world.sessionFile(process);
    const folder = join(world.configDir, 'sessions');
    writeFileSync(join(folder, `pid-${process.pid}.json`), '{"session_id":"old"}');
    writeFileSync(join(folder, `${process.pid}.abcdef.key`), 'secret');
    await world.claude.start();
    expect(world.of(process, 'process-seen')).toHaveLength(1);
    expect(world.of(process, 'session-file').every(({ sessionId }) => sessionId === first)).toBe(true);
  });

  it('a3: are not made from the file of a process before', async () => {
    const process = world.process();
    const file = world.sessionFile(process, { procStart: '1' });
    await world.claude.start();
    expect(world.observed).toEqual([]);
    expect(existsSync(file)).toBe(true);
  });

  it('a6: are not made from spares, and appear when a spare is put to use', async () => {
    const process = world.process();
    const bg = { kind: 'bg', jobId: 'e905a0db' };
    world.sessionFile(process, { ...bg, spare: true });
    mkdirSync(join(world.configDir, 'jobs', 'e905a0db'), { recursive: true });
    await world.claude.start();
    expect(world.observed).toEqual([]);
    world.sessionFile(process, bg);
    await world.sees(process, 'process-seen');
    expect(world.of(process, 'process-seen')).toMatchObject([{ kind: 'background' }]);
    const key = { bootId: bootId(), pid: process.pid, startTime: process.startTime };
    expect([world.claude.attachedBy(key), world.claude.attachId(key)]).toEqual([[], 'e905a0db']);
  });

  it('a21: are gone at the next look when their process was killed', async () => {
    const process = world.process();
    world.sessionFile(process);
    await world.claude.start();
    await process.kill();
    world.claude.recheck();
    expect(world.of(process, 'process-gone')).toHaveLength(1);
  });

  it('a18: stay one session when the id changes, with another transcript', async () => {
    const process = world.process();
    world.sessionFile(process);
    const text = fixture('transcript-lines/user-prompt.json');
    world.transcript(first, [text]);
    world.transcript(second, [line('assistant-text', { sessionId: second, timestamp: now() })]);
    await world.claude.start();
    world.sessionFile(process, { sessionId: second, updatedAt: Date.now() });
    await until(() => world.of(process, 'transcript').some((read) => read.sessionId === second), {
      why: 'the new transcript',
    });
    expect(world.of(process, 'process-seen')).toHaveLength(1);
    expect(world.of(process, 'session-renewed').at(-1)).toMatchObject({ sessionId: second, how: 'other' });
  });

  it('f15: may have no transcript yet; it is found when it comes', async () => {
    const process = world.process();
    world.sessionFile(process);
    await world.claude.start();
    expect(world.of(process, 'transcript')).toEqual([]);
    world.transcript(first, [line('user-prompt', { timestamp: now() })]);
    await world.sees(process, 'turn-started');
  });

  it('a10: tell an interrupt, which fires no hook, from the transcript', async () => {
    const process = world.process();
    world.sessionFile(process);
    const file = world.transcript(first, [line('user-prompt', { timestamp: now() })]);
    await world.claude.start();
    appendFileSync(file, `${line('user-interrupted', { timestamp: now() })}\n`);
    await world.sees(process, 'turn-ended');
    expect(world.of(process, 'turn-ended')).toMatchObject([{ how: 'interrupted', source: 'transcript' }]);
  });

  it('f7: are not kept busy by what an older process left unfinished', async () => {
    const process = world.process();
    world.sessionFile(process);
    const old = '2026-01-01T00:00:00.000Z';
    world.transcript(first, [
      line('user-prompt', { timestamp: old }),
      line('assistant-tool_use', { timestamp: old }),
    ]);
    await world.claude.start();
    expect(world.of(process, 'transcript')).not.toEqual([]);
    expect([...world.of(process, 'turn-started'), ...world.of(process, 'tool-started')]).toEqual([]);
  });

  it('a19: two processes of one session id do not mix', async () => {
    const [one, two] = [world.process(), world.process()];
    world.sessionFile(one);
    world.sessionFile(two);
    const file = world.transcript(first, []);
    await world.claude.start();
    appendFileSync(file, `${line('user-prompt', { timestamp: now() })}\n`);
    await world.sees(one, 'transcript');
    await world.sees(two, 'transcript');
    expect([...world.of(one, 'turn-started'), ...world.of(two, 'turn-started')]).toEqual([]);

    const body = hook('Stop', { session_id: first });
    expect(world.claude.hook(body, { pid: two.pid, start: null })).toMatchObject({ event: 'Stop' });
    expect(world.of(two, 'turn-ended')).toHaveLength(1);
    expect(world.of(one, 'turn-ended')).toEqual([]);
    expect(world.claude.hook(body, { pid: null, start: null })).toHaveProperty('error');
  });

  it('a31: may have a folder that was deleted', async () => {
    const process = world.process();
    world.sessionFile(process, { cwd: '/nowhere/x (deleted)' });
    await world.claude.start();
    expect(world.of(process, 'process-seen')).toMatchObject([{ cwd: '/nowhere/x (deleted)' }]);
  });
});

describe('a hook', () => {
  let world: ClaudeHome;
  beforeEach(() => {
    world = claudeHome();
  });
  afterEach(() => world.end());

  it('reaches the session of its pid, at the time at which its script began', async () => {
    const process = world.process();
    world.sessionFile(process);
    await world.claude.start();
    const heard = world.claude.hook(hook('PermissionRequest.Bash.in-subagent', { session_id: first }), {
      pid: process.pid,
      start: 1234,
    });
    expect(heard).toMatchObject({
      event: 'PermissionRequest',
      agent: 'af7c7d4bb697917a1',
      key: { pid: process.pid },
    });
    expect(world.of(process, 'prompt-asked')).toMatchObject([{ at: 1234 }]);
  });

  it('makes the session known even when it comes before the news of its file', async () => {
    await world.claude.start();
    const process = world.process();
    world.sessionFile(process);
    world.claude.hook(hook('UserPromptSubmit', { session_id: first }), { pid: process.pid, start: null });
    expect(world.of(process, 'turn-started')).toHaveLength(1);
  });

  it('that does not say when it began is newer than those that came before it, also within one millisecond', async () => {
    vi.spyOn(systemClock, 'now').mockReturnValue(Date.now());
    onTestFinished(() => void vi.restoreAllMocks());
    const process = world.process();
    world.sessionFile(process);
    await world.claude.start();
    for (const command of ['9', '1', '5']) {
      const started = hook('PreToolUse.Bash', { session_id: first, tool_input: { command } });
      world.claude.hook(started, { pid: process.pid, start: null });
    }
    const times = world.of(process, 'tool-started').map(({ at }) => at);
    expect(new Set(times).size).toBe(3);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(times.map(Math.floor)).toEqual(times.map(() => systemClock.now()));
  });

  it('without a pid of Claude Code is told by its session id', async () => {
    const process = world.process();
    world.sessionFile(process);
    await world.claude.start();
    const stop = hook('Stop', { session_id: first });
    expect(world.claude.hook(stop, { pid: 1, start: null })).toMatchObject({ key: { pid: process.pid } });
    expect(world.claude.hook(stop, { pid: null, start: null })).toMatchObject({ key: { pid: process.pid } });
  });

  it('a18: of /clear renews the session; a late one of the old id changes nothing', async () => {
    const process = world.process();
    world.sessionFile(process, { updatedAt: 1000 });
    await world.claude.start();
    const sender = (start: number) => ({ pid: process.pid, start });
    world.claude.hook(hook('UserPromptSubmit', { session_id: second }), sender(5000));
    expect(world.of(process, 'session-renewed').at(-1)).toMatchObject({ sessionId: second, at: 4999 });
    const renewals = world.of(process, 'session-renewed').length;
    world.claude.hook(hook('PostToolUse.Bash', { session_id: first }), sender(4000));
    world.claude.hook(hook('SessionEnd.clear', { session_id: first }), sender(6000));
    expect(world.of(process, 'session-renewed')).toHaveLength(renewals);
  });

  it('a18: of /clear renews the session also when the clock was set back since it was renewed last', async () => {
    const process = world.process();
    const HOUR = 3_600_000;
    world.sessionFile(process, { updatedAt: Date.now() + HOUR });
    await world.claude.start();
    const before = Date.now() + HOUR;
    world.claude.hook(hook('UserPromptSubmit', { session_id: second }), { pid: process.pid, start: before });
    world.claude.hook(hook('UserPromptSubmit', { session_id: first }), { pid: process.pid, start: null });
    expect(world.of(process, 'session-renewed').at(-1)).toMatchObject({ sessionId: first });
  });

  it('leads to the transcript, whatever its folder is called', async () => {
    const process = world.process();
    world.sessionFile(process);
    await world.claude.start();
    const path = world.transcript(
      first,
      [line('assistant-text', { timestamp: now() })],
      'a-long-name-jnwut6',
    );
    world.claude.hook(hook('Stop', { session_id: first, transcript_path: path }), {
      pid: process.pid,
      start: null,
    });
    expect(world.of(process, 'transcript')).not.toEqual([]);
  });

  it('leads to no file but a transcript of its own config dir', async () => {
    const process = world.process();
    world.sessionFile(process);
    await world.claude.start();
    const text = `${line('assistant-text', { timestamp: now() })}\n`;
    const folder = join(world.configDir, 'projects/x');
    mkdirSync(join(world.home, 'projects/x'), { recursive: true });
    mkdirSync(folder, { recursive: true });
    const paths = [
      join(world.home, `${first}.jsonl`),
      join(world.home, 'projects/x', `${first}.jsonl`),
      join(world.configDir, `${first}.jsonl`),
      `${folder}/../../../projects/x/${first}.jsonl`,
      join(folder, 'other.jsonl'),
    ];
    for (const path of paths) writeFileSync(path, text);
    for (const path of [
      ...paths,
      `/proc/self/${first}.jsonl`,
      `projects/x/${first}.jsonl`,
      `/a\0/projects/x/${first}.jsonl`,
    ]) {
      world.claude.hook(hook('Stop', { session_id: first, transcript_path: path }), {
        pid: process.pid,
        start: null,
      });
    }
    expect(world.of(process, 'transcript')).toEqual([]);
  });

  it('f10: leads to the transcript through a config dir and a folder that are links', async () => {
    const process = world.process();
    world.sessionFile(process);
    await world.claude.start();
    mkdirSync(join(world.home, 'elsewhere'));
    mkdirSync(join(world.configDir, 'projects'), { recursive: true });
    symlinkSync(join(world.home, 'elsewhere'), join(world.configDir, 'projects/x'));
    symlinkSync(world.configDir, join(world.home, 'config'));
    const text = `${line('assistant-text', { timestamp: now() })}\n`;
    writeFileSync(join(world.home, 'elsewhere', `${first}.jsonl`), text);
    const path = join(world.home, 'config/projects/x', `${first}.jsonl`);
    world.claude.hook(hook('Stop', { session_id: first, transcript_path: path }), {
      pid: process.pid,
      start: null,
    });
    expect(world.of(process, 'transcript')).not.toEqual([]);
  });

  it('that makes no sense is refused with a reason, and does no harm', async () => {
    await world.claude.start();
    const from = { pid: null, start: null };
    for (const body of ['', '{', '[]', '{"hook_event_name":5}', 'x'.repeat(9 * 1024 * 1024)]) {
      expect(world.claude.hook(body, from)).toEqual({ error: expect.stringMatching(/body/) });
    }
    expect(world.claude.hook(hook('Stop'), from)).toEqual({ error: 'no running session has sent this hook' });
    expect(world.observed).toEqual([]);
  });
});
