import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWindowManagers } from '../../src/desktop/window-managers.ts';
import { openXServer } from '../../src/desktop/x11.ts';
import { systemClock } from '../../src/system/clock.ts';
import { until } from '../support/until.ts';
import { storiesOfGoing, storiesOfWindows } from './desktop-stories.ts';
import { i3, surroundings, whereaboutsOf } from './desktops.ts';
import { type Lab, startLab } from './lab.ts';

describe('i3 as it is', () => {
  const { now, windows, window, shows } = storiesOfWindows(i3);

  it('c9: is there again after i3 restarted in place, with new container ids and the same windows', async () => {
    const terminal = await now.lab.terminal('xterm', { workspace: 'one', title: 'stays' });
    await shows(terminal, { pid: terminal.terminalPid });
    await now.lab.i3.restart();
    await until(() => window(terminal) !== undefined && window(terminal)?.conId !== terminal.conId, {
      why: 'a new container id',
      saw: windows,
    });
    await shows(terminal, { title: 'stays', pid: terminal.terminalPid });
    await now.lab.i3.command('workspace elsewhere');
    await shows(terminal, { focused: false });
    await terminal.close();
  });
});

describe('i3 at a path of its own', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab();
  });
  afterAll(() => lab?.stop());

  it('c20: is found through the display, beside the dead socket of another', async () => {
    const old = lab.env.I3SOCK ?? '';
    await lab.output('python3', ['-c', `import socket; socket.socket(socket.AF_UNIX).bind('${old}-old')`]);
    await lab.run('i3-msg', ['exit']);
    await until(() => !existsSync(old), { why: 'the end of i3' });
    await lab.output('mv', [`${old}-old`, old]);

    const path = join(lab.home, 'my-i3.sock');
    appendFileSync(join(lab.folder, 'i3.conf'), `ipc-socket ${path}\n`);
    lab.spawn('i3', ['-c', join(lab.folder, 'i3.conf')]);
    await until(() => existsSync(path), { why: 'the next i3' });
    const managers = createWindowManagers({ ...surroundings(lab), onChange: () => {} });
    await managers.start();
    expect(managers.all()).toEqual([]);
    managers.learn({ DISPLAY: lab.env.DISPLAY ?? '' });
    await until(() => managers.all().length > 0, { why: 'i3' });
    expect(managers.all()[0]?.path).toBe(path);
    managers.stop();
  });
});

describe('going there', () => {
  const { now, goesTo } = storiesOfGoing(i3);

  it('c9: goes to a window whose container id is not the one from before i3 restarted', async () => {
    const web = await now.lab.terminal('xterm', { workspace: 'here' });
    await now.lab.i3.command('workspace elsewhere');
    await now.lab.i3.restart();
    await until(async () => (await now.desktop.go(whereaboutsOf(web))).done, {
      why: 'a click that works again',
    });
    await goesTo(web);
    await web.close();
  });

  it('c10, g10: waits for the next window manager when i3 has ended, and finds it', async () => {
    let changed = 0;
    const unsubscribe = now.desktop.subscribe(() => {
      changed += 1;
    });
    const web = await now.lab.terminal('xterm', { workspace: 'here' });
    const where = whereaboutsOf(web);
    await until(async () => (await now.desktop.locate(where)).place.certainty === 'exact', {
      why: 'the place',
    });
    // The second one takes the path of the first, which is in its environment; the third has a path of its own.
    for (const start of [[], ['-u', 'I3SOCK']]) {
      await now.lab.run('i3-msg', ['exit']);
      await until(async () => (await now.desktop.locate(where)).place.certainty === 'none', {
        why: 'no place',
      });
      expect(await now.desktop.go(where)).toMatchObject({ done: false });
      const before = changed;

      const next = now.lab.spawn('env', [...start, 'i3', '-c', join(now.lab.folder, 'i3.conf')]);
      await until(async () => (await now.desktop.locate(where)).place.certainty === 'exact', {
        why: 'the place under the next i3',
        limit: 10_000,
        saw: () => [next.stderr(), readdirSync(join(now.lab.runtime, 'i3'))],
      });
      expect(changed).toBeGreaterThan(before);
      expect(await now.desktop.go(where)).toEqual({ done: true });
    }
    unsubscribe();
  });
});

describe('an X server', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab();
  });
  afterAll(() => lab?.stop());

  const server = (display: string) =>
    openXServer({
      display,
      xauthority: join(lab.home, '.Xauthority'),
      hostname: 'here',
      clock: systemClock,
      timeLimit: 2000,
    });

  it('c2, c4: says itself whose a window is, also one without _NET_WM_PID, and leaves one that is gone', async () => {
    const terminal = await lab.terminal('xterm');
    await lab.run('xprop', ['-id', String(terminal.windowId), '-remove', '_NET_WM_PID']);
    const x = await server(lab.env.DISPLAY ?? '');
    const nobody = 0x7fff_fff0;
    expect(await x.windowPids([terminal.windowId, nobody])).toEqual(
      new Map([[terminal.windowId, terminal.terminalPid]]),
    );
    expect(await x.i3SocketPath()).toBe(lab.env.I3SOCK);
    x.close();
    expect(x.isOpen()).toBe(false);
    await terminal.close();
  });

  it('c3: without X-Resource, believes _NET_WM_PID only where WM_CLIENT_MACHINE is this machine', async () => {
    const screen = ['-screen', '0', '300x200x24', '-nolisten', 'tcp', '-noreset', '-extension', 'X-Resource'];
    const bare = lab.spawn('Xvfb', ['-displayfd', '1', ...screen]);
    const [number] = await until(() => (bare.lines().length > 0 ? bare.lines() : null), { why: 'Xvfb' });
    const display = `:${number}`;
    lab.spawn('xterm', ['-title', 'alone'], { env: { DISPLAY: display } });
    const id = await until(
      async () =>
        Number(
          (
            await lab.run('xdotool', ['search', '--name', 'alone'], { env: { DISPLAY: display } })
          ).stdout.trim(),
        ),
      { why: 'a window' },
    );
    const set = (property: string, format: string, value: string) =>
      lab.output('xprop', ['-id', String(id), '-f', property, format, '-set', property, value], {
        env: { DISPLAY: display },
      });
    const x = await server(display);
    await set('_NET_WM_PID', '32c', '4242');
    await set('WM_CLIENT_MACHINE', '8s', 'here');
    expect(await x.windowPids([id])).toEqual(new Map([[id, 4242]]));
    await set('WM_CLIENT_MACHINE', '8s', 'elsewhere');
    expect(await x.windowPids([id])).toEqual(new Map([[id, null]]));

    const pending = expect(x.windowPids([id, id + 1])).rejects.toThrow();
    bare.kill('SIGKILL');
    await pending.catch(() => {});
    await until(() => !x.isOpen(), { why: 'the end of the connection' });
    await expect(x.windowPids([id])).rejects.toThrow('closed the connection');
    await expect(server(display)).rejects.toThrow();
  });

  it('is not looked for on other machines', async () => {
    await expect(server('localhost:10.0')).rejects.toThrow('no display of this machine');
  });
});
