import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { environmentOf, findSockets, socketPlaces, watchSockets } from '../../src/desktop/sockets.ts';
import { systemClock } from '../../src/system/clock.ts';
import { clockBy } from '../support/clock-by.ts';

const uid = process.getuid?.() ?? 0;
let folder: string;
const servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tsmux-sockets-'));
});
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  rmSync(folder, { recursive: true, force: true });
});

const places = () => ({ runtimeDirs: [join(folder, 'run')], temporaryDir: join(folder, 'tmp'), uid });

async function socket(...path: string[]): Promise<string> {
  const whole = join(folder, ...path);
  mkdirSync(join(whole, '..'), { recursive: true });
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(whole, resolve));
  return whole;
}

describe('sockets of window managers', () => {
  it('c20: are found where i3 and sway put them, with and without XDG_RUNTIME_DIR, several at once', async () => {
    const found = [
      await socket('run', 'i3', 'ipc-socket.4242'),
      await socket('run', 'sway-ipc.1000.4243.sock'),
      await socket('tmp', 'i3-ada.Xy12Zz', 'ipc-socket.4244'),
      await socket('tmp', 'sway-ipc.1000.4245.sock'),
    ];
    expect(findSockets(places()).sort()).toEqual(found.sort());
  });

  it('are sockets, and this user owns them', async () => {
    await socket('run', 'i3', 'ipc-socket.1');
    expect(findSockets({ ...places(), uid: uid + 1 })).toEqual([]);
    mkdirSync(join(folder, 'tmp/i3-eve.abc'), { recursive: true });
    writeFileSync(join(folder, 'tmp/i3-eve.abc/ipc-socket.2'), '');
    symlinkSync(join(folder, 'run/i3/ipc-socket.1'), join(folder, 'tmp/i3-eve.abc/ipc-socket.3'));
    await socket('run', 'bus');
    expect(findSockets(places())).toEqual([join(folder, 'run/i3/ipc-socket.1')]);
  });

  it('are none where there is no folder', () => {
    expect(findSockets(places())).toEqual([]);
  });

  it('are looked for where systemd makes the folder, whatever the environment says', () => {
    expect(socketPlaces(undefined, 1000).runtimeDirs).toEqual(['/run/user/1000']);
    expect(socketPlaces('not/absolute', 1000).runtimeDirs).toEqual(['/run/user/1000']);
    expect(socketPlaces('/run/user/1000', 1000).runtimeDirs).toEqual(['/run/user/1000']);
    expect(socketPlaces('/tmp/mine', 1000).runtimeDirs).toEqual(['/tmp/mine', '/run/user/1000']);
  });

  it('tell no environment when the process of that pid is another program by now', () => {
    expect(environmentOf(`/run/user/1000/i3/ipc-socket.${process.pid}`)).toBeNull();
  });

  for (const [where, path] of [
    ['of i3', ['run', 'i3', 'ipc-socket.4242']],
    ['of sway', ['run', 'sway-ipc.1000.4242.sock']],
    ['of i3 in /tmp', ['tmp', 'i3-ada.Xy12Zz', 'ipc-socket.4242']],
  ] as const) {
    it(`c10: the one ${where} is noticed when it appears, with no timer`, async () => {
      for (const name of ['run', 'tmp']) mkdirSync(join(folder, name));
      const ticking = vi.fn(systemClock.after);
      const watch = watchSockets(places(), clockBy(ticking), () => {
        watch.refresh({ waiting: true });
        noticed();
      });
      const noticed = vi.fn();
      watch.refresh({ waiting: true });
      noticed.mockClear();
      const whole = await socket(...path);
      await vi.waitFor(() => {
        expect(noticed).toHaveBeenCalled();
        expect(findSockets(places())).toEqual([whole]);
      });
      expect(ticking).not.toHaveBeenCalled();
      watch.close();
    });
  }

  it('are not looked for at every file that somebody writes to /tmp', async () => {
    for (const name of ['run', 'tmp']) mkdirSync(join(folder, name));
    const noticed: string[] = [];
    const watch = watchSockets(places(), systemClock, () => noticed.push('something'));
    watch.refresh({ waiting: true });
    const before = noticed.length;
    writeFileSync(join(folder, 'tmp', 'build-output.o'), '');
    await socket('tmp', 'sway-ipc.1.2.sock');
    await vi.waitFor(() => expect(noticed.length).toBe(before + 1));
    watch.refresh({ waiting: false });
    await socket('tmp', 'sway-ipc.1.3.sock');
    await socket('run', 'sway-ipc.1.4.sock');
    await vi.waitFor(() => expect(noticed.length).toBe(before + 2));
    watch.close();
  });
});
