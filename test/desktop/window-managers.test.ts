import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createWindowManagers, type WindowManagers } from '../../src/desktop/window-managers.ts';
import { type Clock, systemClock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import { clockBy } from '../support/clock-by.ts';
import { type FakeWm, fakeWm } from './fake-wm.ts';

const uid = process.getuid?.() ?? 0;
let folder: string;
let managers: WindowManagers | null = null;
const fakes: FakeWm[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tsmux-wms-'));
  for (const name of ['run/i3', 'tmp']) mkdirSync(join(folder, name), { recursive: true });
});
afterEach(async () => {
  managers?.stop();
  for (const fake of fakes.splice(0)) await fake.close();
  rmSync(folder, { recursive: true, force: true });
});

async function starts(kind: 'i3' | 'sway', name: string): Promise<FakeWm> {
  const fake = await fakeWm(kind, join(folder, name));
  fakes.push(fake);
  return fake;
}

/** As kill -9 does it: the file stays. Node.js would remove it. */
async function kill(fake: FakeWm): Promise<void> {
  renameSync(fake.path, join(folder, 'kept'));
  await fake.quit();
  renameSync(join(folder, 'kept'), fake.path);
}

async function look(environment = {}, clock: Clock = systemClock): Promise<WindowManagers> {
  managers = createWindowManagers({
    clock,
    log: silentLog,
    places: { runtimeDirs: [join(folder, 'run')], temporaryDir: join(folder, 'tmp'), uid },
    home: folder,
    environment,
    onChange: () => {},
  });
  await managers.start();
  return managers;
}

const found = () => managers?.all().map(({ desktop, path }) => `${desktop} ${path.slice(folder.length + 1)}`);

describe('the window managers of a user', () => {
  it('g9: one that starts after the daemon is found at once, with no environment', async () => {
    await look();
    expect(found()).toEqual([]);
    await starts('sway', 'run/sway-ipc.1000.4242.sock');
    await vi.waitFor(() => expect(found()).toEqual(['sway run/sway-ipc.1000.4242.sock']));
  });

  it('g10: the next one, at another path, is found when the first has ended', async () => {
    const first = await starts('i3', 'run/i3/ipc-socket.10');
    await look();
    expect(found()).toEqual(['i3 run/i3/ipc-socket.10']);
    first.event('shutdown', { change: 'exit' });
    await first.quit();
    await vi.waitFor(() => expect(found()).toEqual([]));
    await starts('sway', 'run/sway-ipc.1000.11.sock');
    await vi.waitFor(() => expect(found()).toEqual(['sway run/sway-ipc.1000.11.sock']));
  });

  it('are all found where several run', async () => {
    await starts('i3', 'run/i3/ipc-socket.10');
    await starts('sway', 'tmp/sway-ipc.1000.11.sock');
    await look();
    expect(found()?.sort()).toEqual(['i3 run/i3/ipc-socket.10', 'sway tmp/sway-ipc.1000.11.sock']);
  });

  it('c20: a dead socket in the environment, and one left after kill -9, hide no live one', async () => {
    const killed = await starts('i3', 'run/i3/ipc-socket.9');
    await kill(killed);
    await starts('i3', 'run/i3/ipc-socket.10');
    await look({ I3SOCK: killed.path, SWAYSOCK: join(folder, 'run/sway-ipc.1000.3.sock') });
    expect(found()).toEqual(['i3 run/i3/ipc-socket.10']);
  });

  it('at a path that only the configuration knows is found when a client tells it', async () => {
    const wm = await starts('i3', 'my-i3.sock');
    const { learn } = await look();
    expect(found()).toEqual([]);
    learn({ I3SOCK: wm.path });
    await vi.waitFor(() => expect(found()).toEqual(['i3 my-i3.sock']));

    wm.event('shutdown', { change: 'exit' });
    await wm.quit();
    await vi.waitFor(() => expect(found()).toEqual([]));
    await wm.listen();
    learn({ I3SOCK: wm.path });
    await vi.waitFor(() => expect(found()).toEqual(['i3 my-i3.sock']));
  });

  it('one that two variables name is one', async () => {
    const wm = await starts('sway', 'run/sway-ipc.1000.4242.sock');
    await look({ I3SOCK: wm.path, SWAYSOCK: join(folder, 'run/../run/sway-ipc.1000.4242.sock') });
    expect(found()).toEqual(['sway run/sway-ipc.1000.4242.sock']);
    expect(wm.connections()).toBe(1);
  });

  it('something else that listens there is left alone', async () => {
    const other = await starts('i3', 'run/i3/ipc-socket.10');
    other.deaf = true;
    await starts('sway', 'run/sway-ipc.1000.11.sock');
    const hasty = clockBy((ms, run) => systemClock.after(ms / 20, run));
    await look({}, hasty);
    expect(found()).toEqual(['sway run/sway-ipc.1000.11.sock']);
  });

  it('c10: when the last one was killed, soon nothing is left to do but to look every 40 seconds', async () => {
    const pending = new Set<{ readonly ms: number }>();
    const noting = clockBy((ms, run) => {
      const timer = { ms };
      pending.add(timer);
      const cancel = systemClock.after(ms / 5, () => {
        pending.delete(timer);
        run();
      });
      return () => {
        pending.delete(timer);
        cancel();
      };
    });
    const wm = await starts('i3', 'run/i3/ipc-socket.10');
    await look({}, noting);
    expect(found()).toHaveLength(1);
    await kill(wm);
    await vi.waitFor(() => expect(found()).toEqual([]), 5000);
    await vi.waitFor(() => expect([...pending].map(({ ms }) => ms)).toEqual([40_000]), 5000);
  });
});
