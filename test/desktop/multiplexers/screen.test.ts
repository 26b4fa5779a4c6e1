import { describe, expect, it } from 'vitest';
import { type FakeProcess, machineOf } from '../machine.ts';

const base: readonly FakeProcess[] = [
  { pid: 10, comm: 'xterm', holds: [1] },
  { pid: 11, comm: 'screen', parent: 10, pts: 1 },
];
const windows = [{ pid: 10, id: 201 }];
const claude = (env: Record<string, string>): FakeProcess => ({
  pid: 500,
  comm: 'claude',
  parent: 30,
  pts: 4,
  env,
});
const env = { STY: '30.work', WINDOW: '2' };

describe('a session in screen', () => {
  it('is in the window of the terminal that screen has open, wherever that was attached', async () => {
    const processes = [...base, { pid: 30, comm: 'screen', holds: [4], opens: [1] }, claude(env)];
    expect((await machineOf({ processes, windows }).locate(500)).place).toMatchObject({
      certainty: 'exact',
      window: { id: 201 },
      pane: { kind: 'screen', id: '2', focused: true },
    });
  });

  it('is never taken for what is looked at where screen has several windows, and is selected on the way there', async () => {
    const processes = [...base, { pid: 30, comm: 'screen', holds: [4, 5], opens: [1] }, claude(env)];
    const machine = machineOf({ processes, windows, run: () => '' });
    expect((await machine.locate(500)).place.pane?.focused).toBe(false);
    await machine.locator.showPane({ key: machine.key(500), attachedBy: null });
    expect(machine.ran).toEqual(['screen -S 30.work -X select 2']);
  });

  it('is detached when screen has no terminal open', async () => {
    const processes = [...base, { pid: 30, comm: 'screen', holds: [4], opens: [] }, claude(env)];
    const machine = machineOf({ processes, windows });
    expect(await machine.locator.showPane({ key: machine.key(500), attachedBy: null })).toEqual({
      done: false,
      why: 'screen 30.work is detached',
      hint: 'attach it in a terminal: screen -r 30.work',
    });
  });

  it('does not believe an STY of another screen', async () => {
    const processes = [
      ...base,
      { pid: 30, comm: 'screen', holds: [4, 5], opens: [1] },
      claude({ STY: '29.old', WINDOW: '7' }),
    ];
    const machine = machineOf({ processes, windows });
    expect((await machine.locate(500)).place.pane?.id).toBe('/dev/pts/4');
    await machine.locator.showPane({ key: machine.key(500), attachedBy: null });
    expect(machine.ran).toEqual([]);
  });
});
