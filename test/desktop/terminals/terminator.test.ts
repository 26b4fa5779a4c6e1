import { expect, it } from 'vitest';
import { machineOf } from '../machine.ts';

it.each(['disabled:', 'autolaunch:', 'unix:path=/nonexistent', 'nonsense'])(
  'a session in a Terminator whose bus is at %s is in one of its windows',
  async (address) => {
    const env = {
      DBUS_SESSION_BUS_ADDRESS: address,
      TERMINATOR_DBUS_NAME: 'net.tenshu.Terminator21a9d5db22c73a993ff0b42f64b396873',
      TERMINATOR_DBUS_PATH: '/net/tenshu/Terminator2',
      TERMINATOR_UUID: 'urn:uuid:5d7e1d3a',
    };
    const machine = machineOf({
      processes: [
        { pid: 10, comm: 'terminator', holds: [4, 5] },
        { pid: 500, comm: 'claude', parent: 10, pts: 4, env },
      ],
      windows: [
        { pid: 10, id: 201, title: 'one' },
        { pid: 10, id: 202, title: 'two' },
      ],
      titleNonce: false,
    });
    const { place } = await machine.locate(500);
    expect(place.certainty).toBe('ambiguous');
    expect(place.candidates.map(({ window }) => window.id)).toEqual([201, 202]);
  },
);
