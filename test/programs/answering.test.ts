import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { WirePrompt, WireSession } from '../../src/daemon/wire.ts';
import { type StartOptions, startStandIn } from '../stand-in/index.ts';
import { aMachine } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Processes of all kinds start here, on a machine that may be busy. */
const PATIENT = { timeout: 90_000 };

/** A machine with tsmux's hooks installed, and what behaves as Claude Code does, in a pane of tmux. */
async function aClaudeInTmux(options: Partial<StartOptions> = {}) {
  const machine = await aMachine();
  const cwd = join(machine.home, 'code/webshop');
  const outside = join(machine.home, 'outside');
  for (const folder of [cwd, outside]) mkdirSync(folder, { recursive: true });
  expect(await machine.tsmux('setup', '--yes')).toMatchObject({ code: 0 });
  const claude = await startStandIn({
    home: machine.home,
    cwd,
    outside,
    mode: 'manual',
    env: machine.env,
    tmux: { socket: join(machine.home, 'tmux'), session: 'work' },
    ...options,
  });
  onTestFinished(() => claude.stop());
  await machine.tsmux('list');
  const session = async () =>
    JSON.parse((await machine.call('GET', `/v1/sessions/pid:${claude.pid}`)).text) as WireSession;
  const prompt = (of: (prompt: WirePrompt) => boolean): Promise<WirePrompt> =>
    until(async () => (await session()).prompts.find(of), {
      why: 'the prompt',
      limit: 15_000,
      saw: async () => [(await session()).prompts, await claude.screen()],
    });
  const onScreen = ({ options: listed }: WirePrompt) => listed.some(({ means }) => means === 'mode');
  return { machine, claude, cwd, outside, session, prompt, onScreen };
}

describe('a prompt in a pane of tmux', () => {
  it('has the options of its screen, and is answered with Yes through its hook', PATIENT, async () => {
    const { machine, claude, outside, prompt, onScreen } = await aClaudeInTmux();
    await claude.type('SCN:bash please');
    const { id, options, answerable } = await prompt(onScreen);
    expect(answerable).toBe('hook');
    expect(options.slice(0, -1).map(({ key, label }) => `${key}. ${label}`)).toEqual(await claude.options());
    expect(existsSync(join(outside, 'x1'))).toBe(false);
    expect(await machine.tsmux('answer', '--to', id, '1')).toMatchObject({ code: 0 });
    await claude.is('idle');
    expect(existsSync(join(outside, 'x1'))).toBe(true);
    await claude.shows('Allowed by PermissionRequest hook');
    expect((await machine.tsmux('answer', '--to', id, '1')).code).toBe(5);
  });

  it('is answered with an option that only its screen has by its key, once', PATIENT, async () => {
    const { machine, claude, cwd, prompt, onScreen } = await aClaudeInTmux();
    await claude.type('SCN:npm please');
    const { id, options } = await prompt(onScreen);
    const always = options.find(({ means }) => means === 'allow-always');
    expect(always?.label).toBe('Yes, and don’t ask again for: npm install *');
    const both = await Promise.all([
      machine.tsmux('answer', '--to', id, always?.key ?? ''),
      machine.tsmux('answer', '--to', id, always?.key ?? ''),
    ]);
    expect(both.map(({ code }) => code).toSorted()).toEqual([0, 5]);
    await claude.is('idle');
    const settings = readFileSync(join(cwd, '.claude/settings.local.json'), 'utf8');
    expect(settings).toContain('Bash(npm install *)');
    // Nothing was typed into the prompt box.
    expect(await claude.screen()).not.toMatch(/❯ ?2/);
  });

  it('that is answered in the terminal is gone at once, and a late answer is refused', PATIENT, async () => {
    const { machine, claude, prompt, onScreen, session } = await aClaudeInTmux();
    await claude.type('SCN:sequence please');
    const first = await prompt(onScreen);
    await claude.answer('1');
    const second = await prompt(({ id }) => id !== first.id);
    expect((await machine.tsmux('answer', '--to', first.id, '1')).code).toBe(5);
    expect((await session()).prompts.map(({ id }) => id)).toEqual([second.id]);
    await claude.answer('Escape');
    await until(async () => (await session()).prompts.length === 0, { why: 'no prompt', limit: 5_000 });
  });

  it('stays when the daemon is killed, and is answered by its key after the restart', PATIENT, async () => {
    const { machine, claude, outside, prompt, onScreen } = await aClaudeInTmux();
    await claude.type('SCN:bash please');
    const before = await prompt(onScreen);
    process.kill(machine.daemonPid() ?? 0, 'SIGKILL');
    await until(async () => (await machine.tsmux('list')).code === 0, { why: 'a daemon', limit: 15_000 });
    await claude.shows('❯ 1. Yes');
    expect(await claude.screen()).not.toContain('hook error');
    const after = await prompt(({ answerable }) => answerable === 'keys');
    expect(after.options).toEqual(before.options);
    expect(await machine.tsmux('answer', '--to', after.id, '1')).toMatchObject({ code: 0 });
    await claude.is('idle');
    expect(existsSync(join(outside, 'x1'))).toBe(true);
  });
});

describe('questions and plans', () => {
  it('are answered from outside', PATIENT, async () => {
    const { machine, claude, prompt } = await aClaudeInTmux();
    await claude.type('SCN:asktwo please');
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    expect(await machine.tsmux('answer', '--to', id, '2', '1,3')).toMatchObject({ code: 0 });
    await claude.is('idle');
    const said = JSON.stringify(claude.transcript());
    expect(said).toMatch(/Which database should the webshop use\?[^a-z]*SQLite/);
    expect(said).toContain('Search, Reviews');
  });

  it('a plan is approved by the key of its screen', PATIENT, async () => {
    const { machine, claude, prompt } = await aClaudeInTmux({ mode: 'plan' });
    await claude.step({
      do: 'scenario',
      name: 'approve',
      answers: [
        { tools: [{ tool: 'ExitPlanMode', input: { plan: '# Plan: add search\n\n1. Add index\n' } }] },
        { text: 'Plan step over.' },
      ],
    });
    await claude.type('SCN:approve please');
    const { id, options } = await prompt(({ kind, options: listed }) => kind === 'plan' && listed.length > 2);
    const approve = options.find(({ means }) => means === 'allow');
    expect(await machine.tsmux('answer', '--to', id, approve?.key ?? '')).toMatchObject({ code: 0 });
    await claude.is('idle');
    await claude.shows('Plan step over.');
  });
});
