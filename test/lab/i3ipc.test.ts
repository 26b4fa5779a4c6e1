import { appendFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDesktop } from '../../src/desktop/create-desktop.ts';
import type { Desktop, DesktopWindow } from '../../src/desktop/desktop.ts';
import { createWindowManagers, type WindowManagers } from '../../src/desktop/window-managers.ts';
import { openXServer } from '../../src/desktop/x11.ts';
import { systemClock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import { bootId, readStat } from '../../src/system/proc.ts';
import { until } from '../support/until.ts';
import { type Lab, startLab } from './lab.ts';
import type { Terminal } from './terminals.ts';

const surroundings = (lab: Lab) => ({
  clock: systemClock,
  log: silentLog,
  // As for a daemon that systemd started before there was any desktop.
  environment: {},
  places: { runtimeDirs: [lab.runtime], temporaryDir: join(lab.folder, 'tmp'), uid: lab.uid },
  home: lab.home,
});

const whereaboutsOf = ({ pid }: Terminal) => ({
  key: { bootId: bootId(), pid, startTime: readStat(pid)?.startTime ?? 0 },
  attachedBy: null,
});

describe('i3 as it is', () => {
  let lab: Lab;
  let managers: WindowManagers;

  beforeAll(async () => {
    lab = await startLab({ outputs: 2 });
  });
  afterAll(() => lab?.stop());
  beforeEach(async () => {
    managers = createWindowManagers({ ...surroundings(lab), onChange: () => {} });
    await managers.start();
  });
  afterEach(() => managers.stop());

  const windows = () => managers.all().flatMap((manager) => manager.tree()?.windows ?? []);
  const window = ({ windowId }: Terminal) => windows().find(({ id }) => id === windowId);
  const shows = (terminal: Terminal, expected: Partial<DesktopWindow>) =>
    until(
      () => {
        expect(window(terminal)).toMatchObject(expected);
        return true;
      },
      { why: JSON.stringify(expected), saw: windows },
    );

  it('c1, g9: finds it with no environment at all, and whose each window is', async () => {
    const terminal = await lab.terminal('xterm', { workspace: '3: web', title: 'shop' });
    await shows(terminal, {
      title: 'shop',
      pid: terminal.terminalPid,
      appId: 'XTerm',
      focused: false,
      workspace: { name: '3: web', num: 3, output: 'fake-0' },
    });
    await terminal.focus();
    await shows(terminal, { focused: true });
    expect(managers.all()).toMatchObject([{ desktop: 'i3' }]);
    await terminal.close();
    await until(() => window(terminal) === undefined, { why: 'the window to go' });
  });

  it('follows a window from workspace to workspace, c17: and a workspace that gets another name or output', async () => {
    const terminal = await lab.terminal('xterm', { workspace: 'one' });
    await shows(terminal, { workspace: { name: 'one', num: null, output: 'fake-0' } });
    await lab.i3.command(`[con_id=${terminal.conId}] move to workspace two`);
    await shows(terminal, { workspace: { name: 'two', num: null, output: 'fake-0' } });
    await lab.i3.command('rename workspace two to "7: <b>seven</b>"');
    await shows(terminal, { workspace: { name: '7: <b>seven</b>', num: 7, output: 'fake-0' } });
    await lab.i3.command(`[con_id=${terminal.conId}] focus`);
    await lab.i3.command('move workspace to output fake-1');
    await shows(terminal, { workspace: { name: '7: <b>seven</b>', num: 7, output: 'fake-1' } });
    await terminal.close();
  });

  it('sees a window in the scratchpad, and one that is urgent', async () => {
    const terminal = await lab.terminal('xterm', { workspace: 'one' });
    await lab.i3.command('focus output fake-0');
    await lab.i3.command('workspace one');
    const { output } = await terminal.window();
    await lab.i3.command(`[con_id=${terminal.conId}] move scratchpad`);
    await shows(terminal, { workspace: null, focused: false });
    await lab.i3.command(`[con_id=${terminal.conId}] scratchpad show`);
    await shows(terminal, { workspace: { name: 'one', num: null, output }, focused: true });
    await lab.freshWorkspace();
    await shows(terminal, { focused: false, urgent: false });
    await lab.run('xdotool', ['set_window', '--urgency', '1', String(terminal.windowId)]);
    await shows(terminal, { urgent: true });
    await terminal.close();
  });

  it('c9: is there again after i3 restarted in place, with new container ids and the same windows', async () => {
    const terminal = await lab.terminal('xterm', { workspace: 'one', title: 'stays' });
    await shows(terminal, { pid: terminal.terminalPid });
    await lab.i3.restart();
    await until(() => window(terminal) !== undefined && window(terminal)?.conId !== terminal.conId, {
      why: 'a new container id',
      saw: windows,
    });
    await shows(terminal, { title: 'stays', pid: terminal.terminalPid });
    await lab.i3.command('workspace elsewhere');
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
  let lab: Lab;
  let desktop: Desktop;

  beforeAll(async () => {
    lab = await startLab({ outputs: 2 });
    desktop = createDesktop({ ...surroundings(lab), titleNonce: false });
    await desktop.start();
  });
  afterAll(async () => {
    await desktop?.stop();
    await lab?.stop();
  });

  const focused = async () => (await lab.i3.focused())?.windowId;

  it('focuses the window, wherever it is', async () => {
    const web = await lab.terminal('xterm', { workspace: '3: web' });
    const other = await lab.terminal('xterm', { workspace: 'other' });
    expect(await desktop.go(whereaboutsOf(web))).toEqual({ done: true });
    expect(await focused()).toBe(web.windowId);
    const beside = await lab.terminal('xterm', { workspace: 'other' });
    await lab.i3.command(`[con_id=${other.conId}] focus, fullscreen enable`);
    expect(await desktop.go(whereaboutsOf(beside))).toEqual({ done: true });
    expect(await focused()).toBe(beside.windowId);
    for (const terminal of [web, other, beside]) await terminal.close();
  });

  it('c17: goes to the right window after its workspace was renamed and moved', async () => {
    const web = await lab.terminal('xterm', { workspace: 'before' });
    await desktop.locate(whereaboutsOf(web));
    const output = (await web.window()).output === 'fake-0' ? 'fake-1' : 'fake-0';
    await lab.i3.command('rename workspace before to after');
    await lab.i3.command(`[con_id=${web.conId}] focus`);
    await lab.i3.command(`move workspace to output ${output}`);
    await lab.i3.command('workspace before');
    expect(await desktop.go(whereaboutsOf(web))).toEqual({ done: true });
    expect(await lab.i3.focused()).toMatchObject({
      windowId: web.windowId,
      workspace: 'after',
      output,
    });
    await web.close();
  });

  it('c18: stays where it is when it is there already, with workspace_auto_back_and_forth', async () => {
    appendFileSync(join(lab.folder, 'i3.conf'), 'workspace_auto_back_and_forth yes\n');
    await lab.i3.command('reload');
    const web = await lab.terminal('xterm', { workspace: 'here' });
    await lab.i3.command('workspace elsewhere');
    for (const _ of [1, 2, 3]) {
      expect(await desktop.go(whereaboutsOf(web))).toEqual({ done: true });
      expect(await lab.i3.focused()).toMatchObject({ windowId: web.windowId, workspace: 'here' });
    }
    await web.close();
  });

  it('brings a window out of the scratchpad', async () => {
    const web = await lab.terminal('xterm', { workspace: 'here' });
    await lab.i3.command(`[con_id=${web.conId}] move scratchpad`);
    const place = async () => (await desktop.locate(whereaboutsOf(web))).place;
    const isThere = async () => {
      const { certainty, workspace } = await place();
      return certainty === 'exact' && workspace === null;
    };
    await until(isThere, { why: 'the scratchpad', saw: place });
    expect(await desktop.go(whereaboutsOf(web))).toEqual({ done: true });
    expect(await focused()).toBe(web.windowId);
    await web.close();
  });

  it('c9: goes to a window whose container id is not the one from before i3 restarted', async () => {
    const web = await lab.terminal('xterm', { workspace: 'here' });
    await lab.i3.command('workspace elsewhere');
    await lab.i3.restart();
    await until(async () => (await desktop.go(whereaboutsOf(web))).done, { why: 'a click that works again' });
    expect(await focused()).toBe(web.windowId);
    await web.close();
  });

  it('says why it cannot go to a session whose window has been closed', async () => {
    const web = await lab.terminal('xterm', { workspace: 'here' });
    const gone = whereaboutsOf(web);
    await web.close();
    expect(await desktop.go(gone)).toMatchObject({ done: false, why: 'its process is gone' });
  });

  it('c10, g10: waits for the next window manager when i3 has ended, and finds it', async () => {
    let changed = 0;
    const unsubscribe = desktop.subscribe(() => {
      changed += 1;
    });
    const web = await lab.terminal('xterm', { workspace: 'here' });
    const where = whereaboutsOf(web);
    await until(async () => (await desktop.locate(where)).place.certainty === 'exact', { why: 'the place' });
    // The second one takes the path of the first, which is in its environment; the third has a path of its own.
    for (const start of [[], ['-u', 'I3SOCK']]) {
      await lab.run('i3-msg', ['exit']);
      await until(async () => (await desktop.locate(where)).place.certainty === 'none', { why: 'no place' });
      expect(await desktop.go(where)).toMatchObject({ done: false });
      const before = changed;

      const next = lab.spawn('env', [...start, 'i3', '-c', join(lab.folder, 'i3.conf')]);
      await until(async () => (await desktop.locate(where)).place.certainty === 'exact', {
        why: 'the place under the next i3',
        limit: 10_000,
        saw: () => [next.stderr(), readdirSync(join(lab.runtime, 'i3'))],
      });
      expect(changed).toBeGreaterThan(before);
      expect(await desktop.go(where)).toEqual({ done: true });
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
