import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { check } from '../../src/desktop/check.ts';
import { systemClock } from '../../src/system/clock.ts';
import { type FakeWm, fakeWm } from './fake-wm.ts';

let folder: string;
let wm: FakeWm | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tsmux-check-'));
  mkdirSync(join(folder, 'run/i3'), { recursive: true });
});
afterEach(async () => {
  await wm?.close();
  wm = null;
  rmSync(folder, { recursive: true, force: true });
});

const ask = (environment = {}) =>
  check({
    environment,
    places: {
      runtimeDirs: [join(folder, 'run')],
      temporaryDir: join(folder, 'tmp'),
      uid: process.getuid?.() ?? 0,
    },
    home: folder,
    clock: systemClock,
  });

describe('what doctor says of the desktop', () => {
  it('tells which window manager answers', async () => {
    wm = await fakeWm('sway', join(folder, 'run/sway-ipc.1000.4242.sock'));
    wm.windows = [{ id: 5, pid: 9 }];
    expect(await ask()).toEqual([
      { name: 'sway', status: 'ok', detail: `sway 1.9 at ${wm.path}`, hint: null },
    ]);
    await vi.waitFor(() => expect(wm?.connections()).toBe(0));
  });

  it('is not broken where there is none', async () => {
    expect(await ask()).toMatchObject([{ name: 'window manager', status: 'absent' }]);
  });

  it('says that no window of i3 tells its owner when the X server cannot be asked', async () => {
    wm = await fakeWm('i3', join(folder, 'run/i3/ipc-socket.4242'));
    wm.windows = [{ id: 5, window: 77 }];
    expect(await ask({ DISPLAY: 'elsewhere:0' })).toMatchObject([
      { name: 'i3', status: 'ok' },
      { name: 'owners of windows', status: 'broken', detail: '1 of 1 windows do not tell whose they are' },
    ]);
  });

  it('c20: names a variable that leads to a dead socket', async () => {
    wm = await fakeWm('sway', join(folder, 'run/sway-ipc.1000.4242.sock'));
    expect(await ask({ SWAYSOCK: wm.path, I3SOCK: '/nonexistent' })).toMatchObject([
      { name: 'sway', status: 'ok' },
      { name: 'I3SOCK', status: 'warning', detail: '/nonexistent is dead' },
    ]);
  });
});
