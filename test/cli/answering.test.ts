import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WireHistory, WireOpenPrompt } from '../../src/daemon/wire.ts';
import { readStat } from '../../src/system/proc.ts';
import { hookBody, sendHook } from '../support/hooks.ts';
import { aMachine, builtProgram, ended, type Machine } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Starting Node.js a few times on a busy machine takes a while. */
const PATIENT = { timeout: 60_000 };

/** Other sessions may run on the machine that the tests run on: only this one's prompts are meant. */
async function aMachineThatAsks(name = 'Bash', more: Record<string, unknown> = {}) {
  const machine = await aMachine();
  const claude = machine.claude({ status: 'busy' });
  await machine.tsmux('list');
  const hook = sendHook(
    machine.socket,
    claude.pid,
    hookBody(`PermissionRequest.${name}`, { session_id: claude.sessionId, ...more }),
    Date.now(),
  );
  claude.says({ status: 'waiting', waitingFor: 'permission prompt' });
  const open = async () => {
    const { text } = await machine.call('GET', '/v1/prompts');
    const { prompts } = JSON.parse(text) as { prompts: WireOpenPrompt[] };
    const { id } = JSON.parse((await machine.call('GET', `/v1/sessions/pid:${claude.pid}`)).text);
    return prompts.filter(({ session }) => session.id === id);
  };
  const prompt = await until(async () => (await open()).find(({ answerable }) => answerable === 'hook'), {
    why: 'the prompt',
  });
  await until(() => Date.now() - Date.parse(prompt.since) > 600, { why: 'it to be answerable' });
  return { machine, claude, hook, open, prompt };
}

const run = async (machine: Machine, env: Record<string, string>, ...args: string[]) => {
  const program = await builtProgram();
  return ended(spawn(process.execPath, [program, ...args], { env: { ...machine.env, ...env } }));
};

describe('tsmux answer', PATIENT, () => {
  it('answers a prompt, and says what', async () => {
    const { machine, hook, prompt } = await aMachineThatAsks();
    expect(await machine.tsmux('answer', '--to', prompt.session.id, '1')).toEqual({
      code: 0,
      stdout: `answered ${prompt.id}: Yes\n`,
      stderr: '',
    });
    expect(await hook.ended).toContain('"behavior":"allow"');
    const late = await machine.tsmux('answer', '1', '--to', prompt.id);
    expect(late).toMatchObject({ code: 5, stdout: '' });
    expect(late.stderr).toBe('tsmux: answer: the prompt has been settled already: see: tsmux prompts\n');
    expect((await machine.tsmux('answer', '1', '--to', prompt.session.id)).code).toBe(4);
    const { stdout } = await machine.tsmux('history', '--json');
    const { entries } = JSON.parse(stdout) as WireHistory;
    expect(entries.find((entry) => entry.prompt === prompt.id)).toMatchObject({
      title: 'Bash',
      text: null,
      outcome: { type: 'answered', way: 'hook', means: 'allow' },
    });
    expect((await machine.tsmux('history')).stdout).toMatch(/Bash {2,}Yes \(by the hook\)/);
  });

  it('hands words to Claude with a No, and takes none with a Yes', async () => {
    const { machine, hook, prompt } = await aMachineThatAsks();
    expect((await machine.tsmux('answer', '1', '--to', prompt.id, '--text', 'x')).code).toBe(5);
    expect((await machine.tsmux('answer', '--to', prompt.id, '3', '--text', 'use pnpm')).code).toBe(0);
    expect(await hook.ended).toContain('"message":"use pnpm"');
  });

  it('answers the pinned prompt, one question after the other', async () => {
    const { machine, hook, prompt } = await aMachineThatAsks('AskUserQuestion');
    expect((await machine.tsmux('answer', '--pinned', '1')).code).toBe(5);
    const pin = await machine.tsmux('pin', prompt.id);
    expect(pin).toMatchObject({ code: 0, stdout: expect.stringContaining(`(${prompt.id}, pinned)`) });
    expect(pin.stdout).toMatch(/Which database\?\n {2}1 {2}PostgreSQL: Relational\n/);
    const first = await machine.tsmux('answer', '--pinned', '2');
    expect(first.stdout).toMatch(
      /^noted for p\w+: SQLite\nWhich features\? \(several answers are possible\)\n/,
    );
    await until(async () => (await machine.tsmux('answer', '--pinned', '1')).code === 0, { why: 'the tick' });
    expect((await machine.tsmux('answer', '--pinned', '3')).code).toBe(0);
    expect(await hook.ended).toContain('"answers":{"Which database?":"SQLite","Which features?":"Search"}');
    expect((await machine.tsmux('answer', '--pinned', '1')).code).toBe(5);
    expect((await machine.tsmux('pin', prompt.id)).code).toBe(5);
  });

  it('is wrong usage without a key, or with two targets', async () => {
    const machine = await aMachine();
    expect((await machine.tsmux('answer')).code).toBe(2);
    expect((await machine.tsmux('answer', '1', '--to', 'x', '--pinned')).code).toBe(2);
    expect((await machine.tsmux('answer', '1;2', '--to', 'x')).code).toBe(2);
    expect((await machine.tsmux('pin', 'x', '--off')).code).toBe(2);
    expect((await machine.tsmux('pin', '--off')).code).toBe(0);
  });
});

describe('a session of Claude Code', PATIENT, () => {
  it('may not answer its prompts: what runs inside of it has CLAUDECODE in its environment', async () => {
    const { machine, hook, prompt } = await aMachineThatAsks();
    const inside = { CLAUDECODE: '1' };
    for (const args of [
      ['answer', '1'],
      ['answer', '--to', prompt.id, '1'],
      ['pin'],
      ['click', '--bar', 'i3bar', '--button', '1', '--instance', `${prompt.session.id}/${prompt.id}/1`],
    ]) {
      const ran = await run(machine, inside, ...args);
      expect({ args, ...ran }).toMatchObject({ args, code: 5, stdout: '' });
      expect(ran.stderr).toContain('inside of Claude Code');
    }
    expect(hook.printed()).toBeNull();
    expect((await run(machine, inside, 'prompts')).code).toBe(0);
  });

  it('may not by leaving that out of the environment either, as long as it is their ancestor', async () => {
    const { machine, hook, prompt } = await aMachineThatAsks();
    const program = await builtProgram();
    // A shell that the session files take for Claude Code, and that runs a command when it is told to.
    const script = `read -r go; ${process.execPath} ${program} answer --to ${prompt.id} 1; echo "ended with $?"`;
    const shell = spawn('sh', ['-c', script], { env: machine.env, cwd: machine.home });
    onTestFinished(() => void shell.kill('SIGKILL'));
    const file = {
      pid: shell.pid,
      sessionId: '0b6e0000-c00c-4049-8d85-000000000001',
      cwd: machine.home,
      procStart: String(readStat(shell.pid ?? 0)?.startTime),
      version: '2.1.332',
      kind: 'interactive',
      entrypoint: 'cli',
      status: 'busy',
      statusUpdatedAt: Date.now(),
    };
    writeFileSync(join(machine.home, '.claude/sessions', `${shell.pid}.json`), JSON.stringify(file));
    await until(async () => (await machine.tsmux('list', '--json')).stdout.includes(`"pid":${shell.pid}`), {
      why: 'the session',
      limit: 15_000,
    });
    shell.stdin?.write('go\n');
    const { stdout, stderr } = await ended(shell);
    expect(stdout).toBe('ended with 5\n');
    expect(stderr).toContain('this comes from inside of the session');
    expect(hook.printed()).toBeNull();
  });
});

describe('tsmux prompts and tsmux show', PATIENT, () => {
  it('tell what is asked: the one in a line, the other whole, and both harmless', async () => {
    const command = `echo "\x1b]0;x\x07 \u202e"\n${'x'.repeat(9_000)}\n&& rm -rf /etc`;
    const { machine, prompt } = await aMachineThatAsks('Bash', { tool_input: { command } });
    const list = await machine.tsmux('prompts');
    expect(list.stdout).toMatch(new RegExp(`^ {2}${prompt.id} .*rm -rf /etc.*1 Yes`, 'm'));
    const json = JSON.parse((await machine.tsmux('prompts', '--json')).stdout);
    expect(json.version).toBe(1);
    expect(json.prompts).toContainEqual(expect.objectContaining({ id: prompt.id, truncated: true }));
    for (const args of [
      ['show', prompt.id],
      ['show', prompt.session.id],
    ]) {
      const { stdout, code } = await machine.tsmux(...args);
      expect(code).toBe(0);
      expect(stdout).toContain('x'.repeat(9_000));
      expect(stdout).toContain('\\e]0;x\\x07 \\u202e');
      expect(stdout).not.toMatch(/[\x1b\x07\u202e]/);
      expect(stdout).toContain('  1  Yes\n');
    }
  });
});

it('tsmux hook waits for the answer of a prompt, longer than for any other hook', PATIENT, async () => {
  const { machine, claude, hook: first } = await aMachineThatAsks();
  // The parent of the hook is Claude Code itself.
  const body = hookBody('PermissionRequest.Write', { session_id: claude.sessionId });
  const hook = machine.start(['hook'], { stdio: ['pipe', 'pipe', 'pipe'] });
  hook.stdin?.end(JSON.stringify(body));
  const printed = ended(hook);
  expect(await first.ended).toBe('');
  // This is another dialog.
  claude.says({ status: 'waiting', waitingFor: 'permission prompt' });
  // Any other hook has given up after two seconds.
  const begun = Date.now();
  await until(() => hook.exitCode !== null || Date.now() - begun > 2_500, { why: 'the patience to be over' });
  expect(hook.exitCode).toBeNull();
  expect((await machine.tsmux('answer', '--to', `pid:${claude.pid}`, '1')).code).toBe(0);
  expect(await printed).toMatchObject({ code: 0, stdout: expect.stringContaining('"behavior":"allow"') });
});
