import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WireOpenPrompt } from '../../src/daemon/wire.ts';
import { hookBody, sendHook } from '../support/hooks.ts';
import { aMachine, builtProgram, ended, type Machine } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Starting Node.js a few times on a busy machine takes a while. */
const PATIENT = { timeout: 60_000 };

/** A launcher in which the user picks the line that the pattern of grep(1) fits; it keeps what it was shown. */
function picks(machine: Machine, pattern: string, exit = 0): () => string {
  const folder = join(machine.home, '.config/tsmux');
  const shown = join(machine.home, 'shown');
  const display = join(machine.home, 'display');
  const script = join(machine.home, 'launcher');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    script,
    `#!/bin/sh\necho "$DISPLAY" > '${display}'\ncat > '${shown}.new'; mv '${shown}.new' '${shown}'; grep -m1 -- "$1" '${shown}'; exit ${exit}\n`,
    { mode: 0o755 },
  );
  writeFileSync(join(folder, 'config.toml'), `[menu]\ncommand = ${JSON.stringify([script, pattern])}\n`);
  return () => (existsSync(shown) ? readFileSync(shown, 'utf8') : '');
}

async function aMachineThatAsks() {
  const machine = await aMachine();
  const claude = machine.claude({ status: 'busy' });
  await machine.tsmux('list');
  const body = hookBody('PermissionRequest.Bash', { session_id: claude.sessionId });
  const hook = sendHook(machine.socket, claude.pid, body, Date.now());
  claude.says({ status: 'waiting', waitingFor: 'permission prompt' });
  const prompt = await until(
    async () => {
      const { prompts } = JSON.parse((await machine.call('GET', '/v1/prompts')).text) as {
        prompts: WireOpenPrompt[];
      };
      const { id } = JSON.parse((await machine.call('GET', `/v1/sessions/pid:${claude.pid}`)).text);
      return prompts.find(({ session, answerable }) => session.id === id && answerable === 'hook');
    },
    { why: 'the prompt' },
  );
  await until(() => Date.now() - Date.parse(prompt.since) > 600, { why: 'it to be answerable' });
  return { machine, hook, prompt };
}

describe('tsmux menu', PATIENT, () => {
  it('answers with the line that was chosen', async () => {
    const { machine, hook, prompt } = await aMachineThatAsks();
    const shown = picks(machine, `^1 Yes .* ${prompt.id}$`);
    expect(await machine.tsmux('menu', 'answer')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await hook.ended).toContain('"behavior":"allow"');
    expect(shown()).toContain(`· ${prompt.id}\n`);
  });

  it('does nothing when it is left, even where the launcher prints a line', async () => {
    const { machine, hook, prompt } = await aMachineThatAsks();
    picks(machine, 'no such line');
    expect(await machine.tsmux('menu', prompt.session.id)).toEqual({ code: 0, stdout: '', stderr: '' });
    const shown = picks(machine, `^1 Yes .* ${prompt.id}$`, 1);
    expect(await machine.tsmux('menu')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(shown()).toMatch(new RegExp(`^1 Yes .* ${prompt.id}$`, 'm'));
    expect(hook.printed()).toBeNull();
  });

  it('refuses inside of Claude Code, before it shows anything', async () => {
    const machine = await aMachine();
    const shown = picks(machine, '.');
    const program = await builtProgram();
    const env = { ...machine.env, CLAUDECODE: '1' };
    const ran = await ended(spawn(process.execPath, [program, 'menu'], { env }));
    expect(ran).toMatchObject({ code: 5, stdout: '' });
    expect(shown()).toBe('');
  });

  it('says which launchers there could be, and what is wrong with the one that is configured', async () => {
    const machine = await aMachine({ WAYLAND_DISPLAY: 'none', PATH: '/nowhere' });
    machine.claude();
    await machine.tsmux('list');
    const { code, stderr } = await machine.tsmux('menu', 'switch');
    expect(code).toBe(1);
    expect(stderr).toBe(
      'tsmux: menu: no launcher was found (fuzzel, wofi, bemenu): install one, or set command of [menu] in config.toml\n',
    );
    mkdirSync(join(machine.home, '.config/tsmux'), { recursive: true });
    writeFileSync(join(machine.home, '.config/tsmux/config.toml'), '[menu]\ncommand = ["no-such-menu"]\n');
    expect((await machine.tsmux('switch')).stderr).toMatch(
      /^tsmux: switch: no-such-menu does not start: .*\n$/,
    );
  });
});

describe('an option whose key has come to mean something else', PATIENT, () => {
  it('is not answered', async () => {
    const { machine, hook, prompt } = await aMachineThatAsks();
    const shown = { key: '1', label: 'Yes, for good', means: 'allow' };
    const answer = JSON.stringify({ keys: ['1'], step: true, shown });
    const reply = await machine.call('POST', `/v1/prompts/${prompt.id}/answer`, answer);
    expect(reply.status).toBe(409);
    expect(reply.text).toContain('is not any more');
    expect(hook.printed()).toBeNull();
  });
});

describe('a right click on a block', PATIENT, () => {
  it('opens the menu of its session, on the display that the bar is on', async () => {
    const { machine, hook, prompt } = await aMachineThatAsks();
    const shown = picks(machine, `^3 No .* ${prompt.id}$`);
    const click = { bar: 'i3bar', instance: prompt.session.id, button: 3 };
    const { status } = await machine.call('POST', '/v1/click', JSON.stringify(click), {
      'env-display': '%3A7',
    });
    expect(status).toBe(200);
    expect(await hook.ended).toContain('"behavior":"deny"');
    expect(shown()).toMatch(/^Go to /);
    expect(readFileSync(join(machine.home, 'display'), 'utf8')).toBe(':7\n');
  });
});
