import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { aMachine, ended, type Machine } from '../support/program.ts';
import { until } from '../support/until.ts';

/** Whoever runs the tests may have sessions of his own, which stand on the bar as well. */
const nameOf = (machine: Machine) => basename(machine.home);

describe('tsmux waybar --print-config', () => {
  it('writes the modules of one bar, or of a bar for each output, with absolute paths', async () => {
    const machine = await aMachine();
    writeFileSync(join(machine.home, 'nc'), '#!/bin/sh\necho OpenBSD netcat\n', { mode: 0o755 });
    const env = { ...machine.env, PATH: `${machine.home}:${machine.env.PATH}` };
    const printed = async (...args: string[]) => {
      const started = machine.start(['waybar', '--print-config', ...args], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env,
      });
      return JSON.parse((await ended(started)).stdout);
    };
    const one = await printed('--slots', '2');
    expect(one['modules-right']).toEqual(
      'prompt option1 option2 option3 option4 1 2 summary quiet'
        .split(' ')
        .map((slot) => `custom/tsmux#${slot}`),
    );
    for (const name of one['modules-right']) {
      const { exec, 'on-click': click, 'return-type': type } = one[name];
      expect(type).toBe('json');
      expect(exec).toMatch(/^exec \/bin\/sh \/\S+\/slot-client\.sh nc \/\S+ \/\S+tsmux\.sock waybar /);
      expect(click).toMatch(/^exec \/\S+ \/\S+tsmux\.js click --bar waybar --slot \S+ --button 1$/);
    }
    const bars = await printed('--output', 'DP-1', '--output', "it's");
    expect(bars.map(({ output }: { output: string }) => output)).toEqual(['DP-1', "it's"]);
    expect(bars[1]['custom/tsmux#1'].exec).toContain("'slot=1&output=it'\\''s'");
    expect(bars[1]['custom/tsmux#1']['on-click-right']).toContain("--slot 1 --output 'it'\\''s' --button 3");
  });
});

describe('tsmux --once', () => {
  it('prints one line for each bar', async () => {
    const machine = await aMachine();
    machine.claude({ status: 'busy' });
    await until(async () => (await machine.tsmux('json', '--once')).stdout.includes(nameOf(machine)), {
      why: 'a session',
    });
    for (const bar of ['waybar', 'polybar', 'i3blocks', 'i3status-rs', 'tmux', 'json', 'i3bar']) {
      const { code, stdout } = await machine.tsmux(bar, '--once');
      expect([bar, code, stdout.split('\n').length]).toEqual([bar, 0, 2]);
      expect(stdout).toContain('◐');
    }
    expect(await machine.tsmux('polybar', '--slot', 'nine')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a slot is 1 to 99, summary'),
    });
  });

  it('sends the click of i3blocks first', async () => {
    const machine = await aMachine();
    const claude = machine.claude({ status: 'busy' });
    const block = (slot: number, more = {}) =>
      ended(
        machine.start(['i3blocks', '--slot', `${slot}`, '--once'], {
          stdio: ['ignore', 'pipe', 'pipe'],
          env: { ...machine.env, ...more },
        }),
      );
    const slot = await until(
      async () => {
        for (let each = 1; each < 12; each += 1) {
          if ((await block(each)).stdout.includes(nameOf(machine))) return each;
        }
        return null;
      },
      { why: 'the slot of the session' },
    );
    for (const name of ['UserPromptSubmit', 'Stop']) {
      const hook = { hook_event_name: name, session_id: claude.sessionId, prompt: 'x' };
      await machine.call('POST', '/v1/hook', JSON.stringify(hook), { 'claude-pid': claude.pid });
    }
    claude.says({ status: 'idle' });
    await until(async () => (await block(slot)).stdout.includes('●'), { why: 'a session to look at' });
    await until(async () => (await block(slot, { BLOCK_BUTTON: '2' })).stdout.includes('○'), {
      why: 'it to be seen',
    });
  });
});
