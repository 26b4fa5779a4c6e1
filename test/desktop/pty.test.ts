import { describe, expect, it } from 'vitest';
import { ownerOf } from '../../src/desktop/pty.ts';
import { machineOf } from './machine.ts';
import { recorded } from './recorded.ts';

function ownerIn(machine: ReturnType<typeof machineOf>, pid: number, pts: number, likely: number[] = []) {
  return ownerOf(machine.outside.processes, pid, pts, likely)?.process.pid ?? null;
}

describe('the owner of a terminal', () => {
  it('is the ancestor that holds its master side', () => {
    const machine = machineOf({
      processes: [
        { pid: 10, comm: 'xterm', holds: [4] },
        { pid: 11, comm: 'bash', parent: 10, pts: 4 },
        { pid: 12, comm: 'claude', parent: 11, pts: 4 },
      ],
    });
    expect(ownerIn(machine, 12, 4)).toBe(10);
  });

  it('is found by looking at the descriptors of one process among three hundred', () => {
    const others = Array.from({ length: 300 }, (_, index) => ({ pid: 1000 + index, comm: 'other' }));
    const machine = machineOf({
      processes: [
        ...others,
        { pid: 10, comm: 'xterm', holds: [4] },
        { pid: 11, comm: 'bash', parent: 10, pts: 4 },
        { pid: 12, comm: 'claude', parent: 11, pts: 4 },
      ],
    });
    ownerIn(machine, 12, 4);
    expect(machine.looked).toEqual([10]);
  });

  it('is the nearest ancestor on another terminal where descriptors may not be read (urxvt is setgid)', () => {
    const machine = machineOf({
      processes: [
        { pid: 9, comm: 'bash', pts: 1, holds: [] },
        { pid: 10, comm: 'urxvt', parent: 9, pts: 1, holds: null },
        { pid: 12, comm: 'claude', parent: 10, pts: 4 },
      ],
    });
    expect(ownerIn(machine, 12, 4)).toBe(10);
  });

  it('c24: of an orphan is the only holder, whoever adopted it', () => {
    for (const adopter of [
      { pid: 2, comm: 'systemd', holds: [] },
      { pid: 2, comm: 'systemd', holds: null },
    ]) {
      const machine = machineOf({
        processes: [
          adopter,
          { pid: 10, comm: 'xterm', holds: [4] },
          { pid: 12, comm: 'claude', parent: 2, pts: 4 },
        ],
      });
      expect(ownerIn(machine, 12, 4)).toBe(10);
    }
  });

  it('c24: of an orphan is looked for among those that have windows first', () => {
    const machine = machineOf({
      processes: [
        { pid: 5, comm: 'other' },
        { pid: 10, comm: 'xterm', holds: [4] },
        { pid: 12, comm: 'claude', pts: 4 },
      ],
    });
    expect(ownerIn(machine, 12, 4, [10])).toBe(10);
    expect(machine.looked).toEqual([10]);
  });

  it('of an orphan is the one from which all other holders inherited it (alacritty leaks masters)', () => {
    const machine = machineOf({
      processes: [
        { pid: 10, comm: 'alacritty', holds: [4, 5] },
        { pid: 20, comm: 'bash', parent: 10, pts: 5, holds: [4] },
        { pid: 12, comm: 'claude', pts: 4 },
      ],
    });
    expect(ownerIn(machine, 12, 4)).toBe(10);
  });

  it('is nobody where two strangers hold the master, or none does', () => {
    const orphan = { pid: 12, comm: 'claude', pts: 4 };
    const two = machineOf({
      processes: [{ pid: 10, comm: 'a', holds: [4] }, { pid: 11, comm: 'b', holds: [4] }, orphan],
    });
    expect(ownerIn(two, 12, 4)).toBeNull();
    expect(ownerIn(machineOf({ processes: [orphan] }), 12, 4)).toBeNull();
  });

  it('c23: of a process in a container is no program outside that has a terminal of the same number', () => {
    const machine = machineOf({
      processes: [
        { pid: 10, comm: 'xterm', holds: [0] },
        { pid: 12, comm: 'claude', pts: 0, inContainer: true },
      ],
    });
    expect(ownerIn(machine, 12, 0, [10])).toBeNull();
  });

  it.each(['map-x11', 'map-sway', 'nested-x11', 'stale-sway', 'map-more'])(
    'is known for every session of the recorded desktop %s',
    (name) => {
      const desktop = recorded(name);
      const machine = machineOf(desktop);
      for (const tag of desktop.tags) {
        const stat = machine.outside.processes.stat(desktop.pid(tag));
        expect(ownerIn(machine, desktop.pid(tag), stat?.pts ?? -1), tag).toEqual(expect.any(Number));
      }
    },
  );
});
