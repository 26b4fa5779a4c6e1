import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { styles } from '../../src/bars/theme.ts';
import { until } from '../support/until.ts';
import { type Lab, startLab } from './lab.ts';
import { barClients, daemons, hasFocus, only, ours, shows, texts } from './on-the-bar.ts';
import { type OpenSession, openSession } from './sessions.ts';

const { faces } = styles.chips;
const i3status = `general { output_format = "i3bar" interval = 3600 }
order += "tztime local"
tztime local { format = "wrapped" }
`;

describe('tsmux in i3bar, beside i3status', () => {
  let lab: Lab;
  let web: OpenSession;
  let api: OpenSession;

  beforeAll(async () => {
    lab = await startLab({
      outputs: 2,
      bar: { command: 'tsmux i3bar -- i3status -c $HOME/i3status', output: 'fake-0' },
    });
    lab.write('i3status', i3status);
    lab.write('.claude/settings.json', '{}');
    expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
    await until(() => texts(lab.bar).includes('wrapped'), { why: 'i3status', saw: () => texts(lab.bar) });
    web = await openSession(lab, { name: 'web', workspace: '3: web' });
    api = await openSession(lab, { name: 'R&D <x> "q"', terminal: 'urxvt', workspace: '4: api' });
    await until(() => ours(lab.bar).length === 2, { why: 'two blocks', saw: () => texts(lab.bar) });
  });
  afterAll(() => lab?.stop());

  it('shows a block for each session, right of them what i3status says', async () => {
    await until(() => lab.bar.blocks().length === 3, { why: 'i3status', saw: () => texts(lab.bar) });
    expect(texts(lab.bar)).toEqual(['○ web', '○ R&D <x> "q"', 'wrapped']);
    expect(daemons(lab)).toHaveLength(1);
    expect(lab.bar.stderr()).toBe('');
  });

  it('stands on the screen as it was sent, in the colours of the theme, and there the clicks land', async () => {
    web.prompt('SCN:bash please');
    await shows(lab.bar, 'web', /^ ▲ web · Bash touch /);
    await lab.bar.still();
    const picture = await lab.picture();
    const sent = ours(lab.bar);
    for (const { instance = '', background = '' } of sent) {
      const rect = await lab.bar.block(instance).rect();
      const drawn = picture.find(background, rect);
      expect(drawn, instance).toMatchObject({ x: rect.x, width: rect.width });
      // Nothing of it stands left or right of it; the colour of another block may be the same.
      expect(picture.at(rect.x - 1, rect.y + 2)).not.toBe(background);
      expect(picture.at(rect.x + rect.width, rect.y + 2)).not.toBe(background);
    }
    expect(sent.map(({ background }) => background)).toEqual([
      faces['needs-input'].background,
      faces.option.background,
      faces.option.background,
      faces.option.background,
      faces.idle.background,
    ]);

    const blocked = picture.find(faces['needs-input'].background ?? '', await lab.bar.rect());
    if (blocked === null) throw new Error('nothing on the screen needs the user');
    await lab.i3.command('workspace 1');
    await lab.pointer.click(blocked.x + 10, blocked.y + 3);
    await hasFocus(lab.i3, web.terminal);
    await lab.i3.command('workspace 1');
    await lab.bar.block('→').click();
    await hasFocus(lab.i3, web.terminal);

    await lab.i3.command('workspace 1');
    await lab.bar.block('1 Yes').click();
    await shows(lab.bar, 'web', /^ [●○] web/);
  });

  it('goes to the window on another workspace, another output, and in the scratchpad', async () => {
    await lab.bar.still();
    await lab.i3.command('workspace 1');
    await lab.bar.block('R&D').click();
    await hasFocus(lab.i3, api.terminal);

    await lab.i3.command(`[id=${web.terminal?.windowId}] move container to output fake-1`);
    await lab.i3.command('focus output fake-0');
    await lab.bar.block('web').click();
    await hasFocus(lab.i3, web.terminal);
    expect((await lab.i3.focused())?.output).toBe('fake-1');

    await lab.i3.command(`[id=${api.terminal?.windowId}] move scratchpad`);
    await lab.i3.command('workspace 1');
    await lab.bar.block('R&D').click();
    await hasFocus(lab.i3, api.terminal);
    expect((await lab.i3.focused())?.workspace).toBe('1');
    await lab.i3.command('floating disable');
  });

  it('c17: goes to the window when its workspace was renamed after the block was drawn', async () => {
    await lab.i3.command(`[id=${api.terminal?.windowId}] move container to workspace 6`);
    await lab.bar.still();
    await lab.i3.command('rename workspace 6 to "6: <b> & co"');
    await lab.i3.command('workspace 1');
    await lab.bar.block('R&D').click();
    await hasFocus(lab.i3, api.terminal);
  });

  it('selects the pane of tmux that the session runs in', async () => {
    await lab.tmux('new-session', '-d', '-s', 'main', 'cat');
    const shop = await openSession(lab, { name: 'shop', tmux: ['new-window', '-d', '-t', 'main:'] });
    await lab.tmux('split-window', '-d', '-t', 'main:1', 'cat');
    await lab.tmux('select-pane', '-t', 'main:1.1');
    const terminal = await lab.terminal('xterm', {
      workspace: '5: tmux',
      command: ['tmux', 'attach', '-t', 'main'],
    });
    await until(async () => (await lab.tmux('list-clients')) !== '', { why: 'tmux to be attached' });
    await shows(lab.bar, 'shop', 'shop');
    await lab.bar.still();
    await lab.bar.block('shop').click();
    await hasFocus(lab.i3, terminal);
    await until(
      async () => (await lab.tmux('display', '-p', '-t', 'main:', '#{pane_pid}')) === `${shop.pid}`,
      {
        why: 'the pane to be selected',
        saw: () => lab.tmux('list-panes', '-a'),
      },
    );
    await lab.tmux('kill-server');
    await until(() => ours(lab.bar).length === 2, { why: 'the block to go', saw: () => texts(lab.bar) });
  });

  it('counts as seen what the middle button was pressed on', async () => {
    await lab.i3.command('workspace 1');
    api.prompt('hello');
    await shows(lab.bar, 'R&D', '●');
    await lab.bar.still();
    await lab.bar.block('R&D').click(2);
    await shows(lab.bar, 'R&D', '○');
    expect((await lab.i3.focused())?.windowId).not.toBe(api.terminal?.windowId);
  });

  it('is stopped below a fullscreen window, and shows the truth when it comes back', async () => {
    await lab.i3.command('focus output fake-0');
    const name = await lab.freshWorkspace();
    const film = await lab.terminal('xterm', { workspace: name });
    await film.focus();
    await lab.i3.command('fullscreen enable');
    await until(() => barClients(lab).every(({ status }) => status === 'T'), { why: 'a stopped bar' });
    web.prompt('SCN:slow');
    const { stdout } = await lab.tsmux(['list', '--json']);
    expect(JSON.parse(stdout).sessions).toHaveLength(2);
    await lab.i3.command('fullscreen disable');
    await shows(lab.bar, 'web', '◐');
    await lab.bar.still();
    await lab.bar.block('web').click();
    await hasFocus(lab.i3, web.terminal);
    await web.finish();
    await film.close();
  });

  it('survives a reload of i3, and is started anew by a restart, which ends the old one', async () => {
    await lab.i3.command('reload');
    await shows(lab.bar, 'web', '○');
    const [before] = barClients(lab);
    const starts = lab.bar.starts();
    await lab.i3.restart();
    await until(() => barClients(lab).length === 1 && barClients(lab)[0]?.pid !== before?.pid, {
      why: 'the new bar alone',
      limit: 2000,
      saw: () => barClients(lab),
    });
    await until(async () => (await lab.i3.bars()).length === 1, { why: 'the window of the bar' });
    await until(() => lab.bar.starts() > starts && ours(lab.bar).length === 2, {
      why: 'both sessions',
      saw: lab.bar.lines,
    });
    await lab.bar.still();
    await lab.i3.command('workspace 1');
    await lab.bar.block('R&D').click();
    await hasFocus(lab.i3, api.terminal);
  });

  it('d12: says that the daemon has died, and shows the sessions again when the next one is there', async () => {
    const first = only(daemons(lab));
    const lines = lab.bar.lines().length;
    process.kill(first.pid, 'SIGKILL');
    // A bar starts a daemon at once, but not twice within ten seconds.
    await until(() => daemons(lab).some(({ pid }) => pid !== first.pid), {
      why: 'the next daemon',
      limit: 20_000,
      saw: () => [lab.bar.lines().slice(-4), lab.bar.stderr(), lab.processes()],
    });
    await until(() => lab.bar.lines().length > lines && ours(lab.bar).length === 2, {
      why: 'both sessions',
      limit: 10_000,
      saw: () => lab.bar.lines().slice(-4),
    });
  });

  it('d9: ends within a second when the bar was killed, with what it had started', async () => {
    const i3bar = only(lab.processes().filter(({ command }) => /^i3bar\b/.test(command)));
    process.kill(i3bar.pid, 'SIGKILL');
    await until(() => !lab.processes().some(({ command }) => /tsmux i3bar|i3status/.test(command)), {
      why: 'the bar client and i3status to end',
      limit: 1000,
      saw: lab.processes,
    });
    expect(daemons(lab)).toHaveLength(1);
    expect(JSON.parse((await lab.tsmux(['list', '--json'])).stdout).sessions).toHaveLength(2);
  });
});

describe('three bars', () => {
  it('d11: all show the same, and a click in one changes all', async () => {
    const command = 'tsmux i3bar';
    const lab = await startLab({
      outputs: 2,
      bar: [
        { command, output: 'fake-0' },
        { command, output: 'fake-0', position: 'top' },
        { command, output: 'fake-1' },
      ],
    });
    try {
      lab.write('.claude/settings.json', '{}');
      const all = (text: RegExp) =>
        until(() => lab.bars.every((bar) => bar.blocks().length === 1 && texts(bar)[0]?.match(text)), {
          why: `three times ${text}`,
          saw: () => lab.bars.map((bar) => bar.lines().slice(-2)),
        });
      const web = await openSession(lab, { name: 'web', workspace: '2' });
      await all(/^○ web$/);
      await lab.i3.command('workspace 1');
      web.prompt('hello');
      await all(/^● web/);
      await Promise.all(lab.bars.map((bar) => bar.still()));
      await lab.bars[2]?.block('web').click(2);
      await all(/^○ web$/);
      await lab.bars[1]?.block('web').click();
      await hasFocus(lab.i3, web.terminal);
      expect(daemons(lab)).toHaveLength(1);
    } finally {
      await lab.stop();
    }
  });
});
