import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDesktop } from '../../src/desktop/create-desktop.ts';
import type { Desktop } from '../../src/desktop/desktop.ts';
import { systemClock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import { bootId, readStat } from '../../src/system/proc.ts';
import { until } from '../support/until.ts';
import { type Ground, layGround, startBus } from './ground.ts';
import { i3Of } from './i3.ts';
import { startI3, startXvfb } from './lab.ts';
import { type Shell, shellOf } from './shell.ts';
import { startSway } from './sway.ts';
import { type Terminal, terminalsOf } from './terminals.ts';
import { windowManagerOf } from './window-manager.ts';

/** A machine on which somebody has logged in, and no desktop runs yet. */
let ground: Ground;
let shell: Shell;
let desktop: Desktop;
let count = 0;

beforeEach(async () => {
  ground = await layGround();
  const bare = shellOf(ground.account, ground.env);
  shell = shellOf(ground.account, { ...ground.env, DBUS_SESSION_BUS_ADDRESS: await startBus(bare) });
  desktop = createDesktop({
    clock: systemClock,
    log: silentLog,
    environment: {},
    places: {
      runtimeDirs: [ground.runtime],
      temporaryDir: join(ground.folder, 'tmp'),
      uid: ground.account.uid,
    },
    home: ground.home,
    titleNonce: false,
  });
  await desktop.start();
});
afterEach(async () => {
  await desktop?.stop();
  await ground?.stop();
});

async function sway() {
  const { running, env } = await startSway(shell, ground, 'focus_follows_mouse no', 1);
  const inside = shellOf(ground.account, { ...shell.env, ...env });
  const manager = windowManagerOf(inside, 'swaymsg');
  const folder = ground.makeFolder(`terminals-${++count}`);
  return { running, manager, socket: env.SWAYSOCK ?? '', terminal: terminalsOf(inside, manager, folder) };
}

async function i3() {
  const display = await startXvfb(shell, 1280);
  const env = { ...shell.env, DISPLAY: display };
  const config = join(ground.folder, 'i3.conf');
  writeFileSync(config, '# i3 config file (v4)\n');
  const socket = await startI3(shellOf(ground.account, env), config, ground.runtime);
  const inside = shellOf(ground.account, { ...env, I3SOCK: socket });
  const manager = i3Of(inside);
  const folder = ground.makeFolder(`terminals-${++count}`);
  return { manager, socket, run: inside.run, terminal: terminalsOf(inside, manager, folder) };
}

const whereaboutsOf = ({ pid }: Terminal) => ({
  key: { bootId: bootId(), pid, startTime: readStat(pid)?.startTime ?? 0 },
  attachedBy: null,
});

const isIn = (terminal: Terminal, name: 'i3' | 'sway') =>
  until(
    async () => {
      const { place } = await desktop.locate(whereaboutsOf(terminal));
      expect(place).toMatchObject({
        certainty: 'exact',
        desktop: name,
        window: { conId: terminal.conId, id: terminal.windowId },
      });
      return true;
    },
    { why: `a place under ${name}`, limit: 10_000 },
  );

describe('one desktop after the other, and one daemon', () => {
  it('g9, g10: finds a sway that comes later, the next one after its exit, and the next after its death', async () => {
    const ends = [
      async (first: Awaited<ReturnType<typeof sway>>) =>
        void (await first.manager.command('exit').catch(() => {})),
      async (first: Awaited<ReturnType<typeof sway>>) => first.running.kill('SIGKILL'),
      async () => {},
    ];
    for (const end of ends) {
      const now = await sway();
      const terminal = await now.terminal('foot');
      await isIn(terminal, 'sway');
      const other = await now.terminal('foot');
      await other.focus();
      expect(await desktop.go(whereaboutsOf(terminal))).toEqual({ done: true });
      expect((await now.manager.focused())?.conId).toBe(terminal.conId);
      await end(now);
    }
  });

  it('c20: is not led astray by the socket that a dead sway has left', async () => {
    const dead = await sway();
    dead.running.kill('SIGKILL');
    await dead.running.finished;
    expect(existsSync(dead.socket)).toBe(true);
    desktop.learn({ SWAYSOCK: dead.socket, I3SOCK: dead.socket });
    const now = await sway();
    desktop.learn({ SWAYSOCK: dead.socket, I3SOCK: dead.socket });
    await isIn(await now.terminal('foot'), 'sway');
  });

  it('g10: goes on with sway after i3, and with i3 after sway', async () => {
    const first = await i3();
    const inFirst = await first.terminal('xterm');
    await isIn(inFirst, 'i3');
    await first.run('i3-msg', ['exit']);
    const second = await sway();
    await isIn(await second.terminal('foot'), 'sway');
    // Its window is still there, and nobody manages it.
    expect((await desktop.locate(whereaboutsOf(inFirst))).place.certainty).toBe('none');
    await second.manager.command('exit').catch(() => {});
    const third = await i3();
    await isIn(await third.terminal('xterm'), 'i3');
  });
});

describe('two desktops at once', () => {
  it('finds each session under i3 or sway, and goes there without touching the other', async () => {
    const x = await i3();
    const wayland = await sway();
    const web = await x.terminal('xterm', { workspace: '3: web' });
    const api = await wayland.terminal('foot', { workspace: '3: web' });
    const old = await wayland.terminal('xterm', { workspace: '4: old' });
    await isIn(web, 'i3');
    await isIn(api, 'sway');
    await isIn(old, 'sway');
    const [besideX, besideWayland] = [await x.terminal('xterm'), await wayland.terminal('foot')];
    await besideX.focus();
    await besideWayland.focus();

    expect(await desktop.go(whereaboutsOf(web))).toEqual({ done: true });
    expect((await x.manager.focused())?.conId).toBe(web.conId);
    expect((await wayland.manager.focused())?.conId).toBe(besideWayland.conId);
    await besideX.focus();
    for (const terminal of [api, old]) {
      expect(await desktop.go(whereaboutsOf(terminal))).toEqual({ done: true });
      expect((await wayland.manager.focused())?.conId).toBe(terminal.conId);
    }
    expect((await x.manager.focused())?.conId).toBe(besideX.conId);

    await x.run('i3-msg', ['exit']);
    await until(async () => (await desktop.locate(whereaboutsOf(web))).place.certainty === 'none', {
      why: 'no place',
    });
    await isIn(api, 'sway');
  });

  it('keeps two sways apart, whose container ids are the same', async () => {
    const [left, right] = [await sway(), await sway()];
    const inLeft = await left.terminal('foot');
    const inRight = await right.terminal('foot');
    expect(inLeft.conId).toBe(inRight.conId);
    const [besideLeft, besideRight] = [await left.terminal('foot'), await right.terminal('foot')];
    await besideLeft.focus();
    await besideRight.focus();
    await isIn(inRight, 'sway');
    expect(await desktop.go(whereaboutsOf(inRight))).toEqual({ done: true });
    expect((await right.manager.focused())?.conId).toBe(inRight.conId);
    expect((await left.manager.focused())?.conId).toBe(besideLeft.conId);
  });
});
