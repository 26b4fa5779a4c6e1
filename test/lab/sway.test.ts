import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { check } from '../../src/desktop/check.ts';
import { createDesktop } from '../../src/desktop/create-desktop.ts';
import type { Desktop, DesktopWindow } from '../../src/desktop/desktop.ts';
import { createWindowManagers, type WindowManagers } from '../../src/desktop/window-managers.ts';
import { systemClock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import { bootId, readStat } from '../../src/system/proc.ts';
import { until } from '../support/until.ts';
import { type SwayLab, startSwayLab } from './sway.ts';
import type { Terminal } from './terminals.ts';

const surroundings = (lab: SwayLab) => ({
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

describe('sway as it is', () => {
  let lab: SwayLab;
  let managers: WindowManagers;

  beforeAll(async () => {
    lab = await startSwayLab({ outputs: 2 });
  });
  afterAll(() => lab?.stop());
  beforeEach(async () => {
    managers = createWindowManagers({ ...surroundings(lab), onChange: () => {} });
    await managers.start();
  });
  afterEach(() => managers.stop());

  const windows = () => managers.all().flatMap((manager) => manager.tree()?.windows ?? []);
  const window = ({ conId }: Terminal) => windows().find((one) => one.conId === conId);
  const shows = (terminal: Terminal, expected: Partial<DesktopWindow>) =>
    until(
      () => {
        expect(window(terminal)).toMatchObject(expected);
        return true;
      },
      { why: JSON.stringify(expected), saw: windows },
    );

  it('g9: finds it with no environment at all, and whose each window is', async () => {
    const terminal = await lab.terminal('foot', { workspace: '3: web', title: 'shop' });
    await shows(terminal, {
      id: null,
      title: 'shop',
      pid: terminal.terminalPid,
      appId: 'foot',
      focused: false,
      workspace: { name: '3: web', num: 3, output: 'HEADLESS-1' },
    });
    await terminal.focus();
    await shows(terminal, { focused: true });
    expect(managers.all()).toMatchObject([{ desktop: 'sway', version: expect.stringMatching(/^\d/) }]);
    await terminal.close();
    await until(() => window(terminal) === undefined, { why: 'the window to go' });
  });

  it('c22: knows of an X11 window its X id, and from sway whose it is', async () => {
    const terminal = await lab.terminal('xterm', { workspace: 'one', title: 'old' });
    await shows(terminal, {
      id: terminal.windowId,
      title: 'old',
      pid: terminal.terminalPid,
      appId: 'XTerm',
      workspace: { name: 'one', num: null, output: 'HEADLESS-1' },
    });
    await terminal.close();
  });

  it('follows a window from workspace to workspace, c17: and a workspace that gets another name or output', async () => {
    const terminal = await lab.terminal('foot', { workspace: 'one' });
    await shows(terminal, { workspace: { name: 'one', num: null, output: 'HEADLESS-1' } });
    await lab.sway.command(`[con_id=${terminal.conId}] move to workspace two`);
    await shows(terminal, { workspace: { name: 'two', num: null, output: 'HEADLESS-1' } });
    await lab.sway.command('rename workspace two to "7: <b>seven</b>"');
    await shows(terminal, { workspace: { name: '7: <b>seven</b>', num: 7, output: 'HEADLESS-1' } });
    await lab.sway.command(`[con_id=${terminal.conId}] focus`);
    await lab.sway.command('move workspace to output HEADLESS-2');
    await shows(terminal, { workspace: { name: '7: <b>seven</b>', num: 7, output: 'HEADLESS-2' } });
    await terminal.close();
  });

  it('follows a window to an output that was plugged in later', async () => {
    const terminal = await lab.terminal('foot', { workspace: 'right' });
    await lab.sway.command('create_output');
    await lab.sway.command(`[con_id=${terminal.conId}] focus`);
    await lab.sway.command('move workspace to output HEADLESS-3');
    await shows(terminal, { workspace: { name: 'right', num: null, output: 'HEADLESS-3' } });
    await lab.sway.command('focus output HEADLESS-1');
    await terminal.close();
  });

  it('follows a title, also one that is hostile', async () => {
    const terminal = await lab.terminal('foot', { workspace: 'one', title: '</span> "%{A1:x:} \u202E' });
    await shows(terminal, { title: '</span> "%{A1:x:} \u202E' });
    await terminal.close();
  });

  it('sees a window in the scratchpad, and one that is urgent', async () => {
    const terminal = await lab.terminal('foot', { workspace: 'one' });
    await lab.sway.command('focus output HEADLESS-1');
    await lab.sway.command('workspace one');
    await lab.sway.command(`[con_id=${terminal.conId}] move scratchpad`);
    await shows(terminal, { workspace: null, focused: false });
    await lab.sway.command(`[con_id=${terminal.conId}] scratchpad show`);
    await shows(terminal, { workspace: { name: 'one', num: null, output: 'HEADLESS-1' }, focused: true });
    await lab.freshWorkspace();
    await shows(terminal, { focused: false, urgent: false });
    await lab.sway.command(`[con_id=${terminal.conId}] urgent enable`);
    await shows(terminal, { urgent: true });
    await terminal.close();
  });

  it('keeps what it knows over a reload', async () => {
    const terminal = await lab.terminal('foot', { workspace: 'one' });
    await shows(terminal, { pid: terminal.terminalPid });
    await lab.sway.command('reload');
    await lab.sway.command(`[con_id=${terminal.conId}] move to workspace two`);
    await shows(terminal, { workspace: { name: 'two', num: null, output: 'HEADLESS-1' } });
    await terminal.close();
  });

  it('follows ten windows of one process that come and go at once', async () => {
    const open: Terminal[] = [];
    for (let count = 0; count < 10; count++) open.push(await lab.terminal('footclient'));
    await until(() => open.every((terminal) => window(terminal) !== undefined), { why: 'all windows' });
    expect(new Set(open.map((terminal) => window(terminal)?.pid)).size).toBe(1);
    for (const { pid } of open) process.kill(pid, 'SIGKILL');
    await until(() => windows().length === 0, { why: 'all windows to go', saw: windows });
  });

  it('c20: says in doctor which SWAYSOCK is dead, and finds the one that is not', async () => {
    const dead = join(lab.runtime, `sway-ipc.${lab.uid}.999999.sock`);
    await lab.output('python3', ['-c', `import socket; socket.socket(socket.AF_UNIX).bind('${dead}')`]);
    const found = await check({ ...surroundings(lab), environment: { SWAYSOCK: dead } });
    expect(found).toMatchObject([
      { name: 'sway', status: 'ok' },
      { name: 'SWAYSOCK', status: 'warning', detail: `${dead} is dead` },
    ]);
    managers.learn({ SWAYSOCK: dead, I3SOCK: dead });
    const terminal = await lab.terminal('foot', { workspace: 'one' });
    await shows(terminal, { pid: terminal.terminalPid });
    expect(managers.all()).toHaveLength(1);
    await terminal.close();
  });
});

describe('going there under sway', () => {
  let lab: SwayLab;
  let desktop: Desktop;

  beforeAll(async () => {
    lab = await startSwayLab({ outputs: 2 });
    desktop = createDesktop({ ...surroundings(lab), titleNonce: false });
    await desktop.start();
  });
  afterAll(async () => {
    await desktop?.stop();
    await lab?.stop();
  });

  const focused = async () => (await lab.sway.focused())?.conId;

  it('focuses the window, wherever it is', async () => {
    const web = await lab.terminal('foot', { workspace: '3: web' });
    const old = await lab.terminal('xterm', { workspace: 'other' });
    expect(await desktop.go(whereaboutsOf(web))).toEqual({ done: true });
    expect(await focused()).toBe(web.conId);
    const beside = await lab.terminal('foot', { workspace: 'other' });
    await lab.sway.command(`[con_id=${old.conId}] focus, fullscreen enable`);
    expect(await desktop.go(whereaboutsOf(beside))).toEqual({ done: true });
    expect(await focused()).toBe(beside.conId);
    expect(await desktop.go(whereaboutsOf(old))).toEqual({ done: true });
    expect(await focused()).toBe(old.conId);
    for (const terminal of [web, old, beside]) await terminal.close();
  });

  it('c17: goes to the right window after its workspace was renamed and moved', async () => {
    const web = await lab.terminal('foot', { workspace: 'before' });
    await desktop.locate(whereaboutsOf(web));
    await lab.sway.command('rename workspace before to after');
    await lab.sway.command(`[con_id=${web.conId}] focus`);
    await lab.sway.command('move workspace to output HEADLESS-2');
    await lab.sway.command('workspace before');
    expect(await desktop.go(whereaboutsOf(web))).toEqual({ done: true });
    expect(await lab.sway.focused()).toMatchObject({
      conId: web.conId,
      workspace: 'after',
      output: 'HEADLESS-2',
    });
    await lab.sway.command('focus output HEADLESS-1');
    await web.close();
  });

  it('c18: stays where it is when it is there already, with workspace_auto_back_and_forth', async () => {
    await lab.sway.command('workspace_auto_back_and_forth yes');
    const web = await lab.terminal('foot', { workspace: 'here' });
    await lab.sway.command('workspace elsewhere');
    for (const _ of [1, 2, 3]) {
      expect(await desktop.go(whereaboutsOf(web))).toEqual({ done: true });
      expect(await lab.sway.focused()).toMatchObject({ conId: web.conId, workspace: 'here' });
    }
    await lab.sway.command('workspace_auto_back_and_forth no');
    await web.close();
  });

  it('brings a window out of the scratchpad', async () => {
    const web = await lab.terminal('foot', { workspace: 'here' });
    await lab.sway.command(`[con_id=${web.conId}] move scratchpad`);
    await until(async () => (await desktop.locate(whereaboutsOf(web))).place.workspace === null, {
      why: 'no workspace',
    });
    expect(await desktop.go(whereaboutsOf(web))).toEqual({ done: true });
    expect(await focused()).toBe(web.conId);
    await web.close();
  });

  it('goes to a window among tabs', async () => {
    const web = await lab.terminal('foot', { workspace: 'tabs' });
    await lab.sway.command('workspace tabs');
    await lab.sway.command('layout tabbed');
    const front = await lab.terminal('foot');
    await front.focus();
    expect(await desktop.go(whereaboutsOf(web))).toEqual({ done: true });
    expect(await focused()).toBe(web.conId);
    await web.close();
    await front.close();
  });

  it('says why it cannot go to a session whose window has been closed', async () => {
    const web = await lab.terminal('foot', { workspace: 'here' });
    const gone = whereaboutsOf(web);
    await web.close();
    expect(await desktop.go(gone)).toMatchObject({ done: false, why: 'its process is gone' });
  });
});
