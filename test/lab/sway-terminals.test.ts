import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { sway } from './desktops.ts';
import { storiesOfTerminals } from './terminal-stories.ts';
import type { Terminal, TerminalKind } from './terminals.ts';

describe('a session in a terminal under sway', () => {
  const { now, open, twoWindows, exactlyAt } = storiesOfTerminals(sway, {
    // urxvtc has one process for all windows, each an X11 window that WINDOWID names; the others have one for each.
    told: ['foot', 'kitty', 'alacritty', 'qterminal', 'xterm', 'urxvt', 'st', 'konsole', 'urxvtc'],
    onlyByTitle: [
      'footclient',
      'kitty -1',
      'alacritty msg',
      'gnome-terminal',
      'xfce4-terminal',
      'mate-terminal',
      'lxterminal',
      'tilix',
    ],
  });

  /** What somebody's shell hands on who has started a terminal from another one. */
  const stale = (xterm: Terminal) => ({
    WINDOWID: `${xterm.windowId}`,
    TMUX: '/tmp/tmux-1001/default,1,0',
    TMUX_PANE: '%0',
    KITTY_WINDOW_ID: '99',
    ALACRITTY_WINDOW_ID: '12345',
    GNOME_TERMINAL_SCREEN: '/stale',
    TILIX_ID: 'stale',
  });

  it.each<TerminalKind>(['foot', 'kitty', 'alacritty', 'xterm'])(
    'c22: is found in %s, though its environment names the window of the xterm that it was started from',
    async (kind) => {
      const xterm = await open('xterm', { workspace: '3: old' });
      const [first, second] = await twoWindows(kind, { env: stale(xterm) });
      expect(await now.locator.locate(xterm.pid)).toMatchObject(exactlyAt(xterm, '3: old'));
      expect(await now.locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
      expect(await now.locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
    },
  );

  it('c22: is ambiguous in two windows of one process that names the window of an xterm, never in that one', async () => {
    const xterm = await open('xterm', { workspace: '3: old' });
    const env = { ...stale(xterm), TILIX_ID: '' };
    const [first, second] = await twoWindows('xfce4-terminal', { env });
    const { place } = await now.locator.locate(first.pid, { titleNonce: false });
    expect(place.candidates.map(({ window }) => window.conId).toSorted()).toEqual(
      [first.conId, second.conId].toSorted(),
    );
    expect(await now.locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
    expect(await now.locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
  });

  it('c7: is found in each of two windows of one kitty by its remote control, where their titles differ', async () => {
    const listen = `unix:${now.lab.runtime}/kitty.sock`;
    const options = (script: string) => [
      '--config',
      'NONE',
      '-o',
      'allow_remote_control=yes',
      '--listen-on',
      listen,
      '-1',
      '--instance-group',
      'remote',
      'sh',
      '-c',
      script,
    ];
    const env = { LIBGL_ALWAYS_SOFTWARE: '1' };
    for (const name of ['left', 'right']) {
      const script = `echo $$ >${now.lab.runtime}/${name}; printf '\\033]0;${name}\\007'; exec cat`;
      now.lab.spawn('kitty', options(script), { env });
      await until(async () => (await now.lab.sway.windows()).some(({ title }) => title === name), {
        why: `the window ${name}`,
        limit: 20_000,
        saw: now.lab.sway.windows,
      });
    }
    for (const name of ['left', 'right']) {
      const pid = Number(readFileSync(join(now.lab.runtime, name), 'utf8'));
      const window = (await now.lab.sway.windows()).find(({ title }) => title === name);
      expect(await now.locator.locate(pid, { titleNonce: false })).toMatchObject({
        place: { certainty: 'exact', window: { conId: window?.conId }, pane: { kind: 'kitty' } },
      });
    }
    for (const name of ['left', 'right'])
      process.kill(Number(readFileSync(join(now.lab.runtime, name), 'utf8')), 'SIGKILL');
    await until(
      async () => !(await now.lab.sway.windows()).some(({ title }) => /^(left|right)$/.test(title)),
      {
        why: 'both to close',
      },
    );
  });

  it('is found in a pane of tmux that one of two windows of footclient shows', async () => {
    const command = ['tmux', 'new-session', '-s', 'main', 'cat'];
    const first = await open('footclient', { workspace: '1: one', command });
    await open('footclient', { workspace: '2: two' });
    const pane = await until(() => now.lab.tmux('list-panes', '-F', '#{pane_pid}'), { why: 'the pane' });
    expect(await now.locator.locate(Number(pane))).toMatchObject({
      place: { ...exactlyAt(first, '1: one').place, pane: { kind: 'tmux', id: '%0' } },
    });
    await now.lab.tmux('kill-server');
  });
});
