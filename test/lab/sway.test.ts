import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/desktop/check.ts';
import { until } from '../support/until.ts';
import { storiesOfGoing, storiesOfWindows } from './desktop-stories.ts';
import { surroundings, sway } from './desktops.ts';
import type { Terminal } from './terminals.ts';

describe('sway as it is', () => {
  const { now, windows, window, shows } = storiesOfWindows(sway);

  it('c22: knows of an X11 window its X id, and from sway whose it is', async () => {
    const terminal = await now.lab.terminal('xterm', { workspace: 'one', title: 'old' });
    await shows(terminal, {
      id: terminal.windowId,
      title: 'old',
      pid: terminal.terminalPid,
      appId: 'XTerm',
      workspace: { name: 'one', num: null, output: 'HEADLESS-1' },
    });
    await terminal.close();
  });

  it('follows a window to an output that was plugged in later', async () => {
    const terminal = await now.lab.terminal('foot', { workspace: 'right' });
    await now.lab.sway.command('create_output');
    await now.lab.sway.command(`[con_id=${terminal.conId}] focus`);
    await now.lab.sway.command('move workspace to output HEADLESS-3');
    await shows(terminal, { workspace: { name: 'right', num: null, output: 'HEADLESS-3' } });
    await now.lab.sway.command('focus output HEADLESS-1');
    await terminal.close();
  });

  it('follows a title, also one that is hostile', async () => {
    const terminal = await now.lab.terminal('foot', { workspace: 'one', title: '</span> "%{A1:x:} \u202E' });
    await shows(terminal, { title: '</span> "%{A1:x:} \u202E' });
    await terminal.close();
  });

  it('keeps what it knows over a reload', async () => {
    const terminal = await now.lab.terminal('foot', { workspace: 'one' });
    await shows(terminal, { pid: terminal.terminalPid });
    await now.lab.sway.command('reload');
    await now.lab.sway.command(`[con_id=${terminal.conId}] move to workspace two`);
    await shows(terminal, { workspace: { name: 'two', num: null, output: 'HEADLESS-1' } });
    await terminal.close();
  });

  it('follows ten windows of one process that come and go at once', async () => {
    const open: Terminal[] = [];
    for (let count = 0; count < 10; count++) open.push(await now.lab.terminal('footclient'));
    await until(() => open.every((terminal) => window(terminal) !== undefined), { why: 'all windows' });
    expect(new Set(open.map((terminal) => window(terminal)?.pid)).size).toBe(1);
    for (const { pid } of open) process.kill(pid, 'SIGKILL');
    await until(() => windows().length === 0, { why: 'all windows to go', saw: windows });
  });

  it('c20: says in doctor which SWAYSOCK is dead, and finds the one that is not', async () => {
    const dead = join(now.lab.runtime, `sway-ipc.${now.lab.uid}.999999.sock`);
    await now.lab.output('python3', ['-c', `import socket; socket.socket(socket.AF_UNIX).bind('${dead}')`]);
    const found = await check({ ...surroundings(now.lab), environment: { SWAYSOCK: dead } });
    expect(found).toMatchObject([
      { name: 'sway', status: 'ok' },
      { name: 'SWAYSOCK', status: 'warning', detail: `${dead} is dead` },
    ]);
    now.managers.learn({ SWAYSOCK: dead, I3SOCK: dead });
    const terminal = await now.lab.terminal('foot', { workspace: 'one' });
    await shows(terminal, { pid: terminal.terminalPid });
    expect(now.managers.all()).toHaveLength(1);
    await terminal.close();
  });
});

describe('going there under sway', () => {
  const { now, goesTo } = storiesOfGoing(sway);

  it('goes to a window among tabs', async () => {
    const web = await now.lab.terminal('foot', { workspace: 'tabs' });
    await now.lab.sway.command('workspace_auto_back_and_forth no');
    await now.lab.sway.command('workspace tabs');
    await now.lab.sway.command('layout tabbed');
    const front = await now.lab.terminal('foot');
    await front.focus();
    await goesTo(web);
    await web.close();
    await front.close();
  });
});
