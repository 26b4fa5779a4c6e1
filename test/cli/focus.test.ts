import { describe, expect, it } from 'vitest';
import { aMachine } from '../support/program.ts';

/** Starting Node.js a few times on a busy machine takes a while. */
describe('tsmux focus', { timeout: 60_000 }, () => {
  it('begins quiet time, says how much is left, and ends it', async () => {
    const machine = await aMachine();
    expect((await machine.tsmux('focus')).stdout).toBe('not quiet\n');
    expect((await machine.tsmux('focus', '30')).stdout).toMatch(
      /^quiet for 30 more minutes, until \d\d:\d\d\n$/,
    );
    expect((await machine.tsmux('focus', 'lunch')).stdout).toMatch(/^quiet for 60 more minutes/);
    expect((await machine.tsmux('focus')).stdout).toMatch(/^quiet for (59|60) more minutes/);
    expect(await machine.tsmux('focus', 'off')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await machine.tsmux('focus')).stdout).toBe('not quiet\n');
  });

  it('asks whether switch was meant', async () => {
    const machine = await aMachine();
    expect(await machine.tsmux('focus', 'web')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'tsmux: focus: "web" is no number of minutes: did you mean: tsmux switch web\n',
    });
  });

  it('takes no number that makes no sense', async () => {
    const machine = await aMachine();
    for (const word of ['0', '1441', '1.5', '5h', '-5']) {
      expect(await machine.tsmux('focus', word)).toEqual({
        code: 2,
        stdout: '',
        stderr: `tsmux: focus: "${word}" is no number of minutes from 1 to 1440: say for example: tsmux focus 30\n`,
      });
    }
  });
});
