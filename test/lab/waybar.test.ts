import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { styles } from '../../src/bars/theme.ts';
import { until } from '../support/until.ts';
import { hostileTexts, trace } from './hostile-texts.ts';
import { daemons, hasFocus } from './on-the-bar.ts';
import { type OpenSession, openSession } from './sessions.ts';
import { type SwayLab, startSwayLab } from './sway.ts';
import type { Terminal } from './terminals.ts';
import { startWaybar, type Waybar } from './waybar.ts';
import type { Rect } from './window-manager.ts';

const { faces } = styles.chips;
/** What a module in this state is coloured, by contrib/waybar/style.css. */
const colour = (look: keyof typeof faces) => faces[look].background ?? '';
/** Of no module, so that a tooltip shows. */
const tooltip = '#16161e';

const slotClients = (lab: SwayLab) =>
  lab
    .processes()
    .filter(({ command, status }) => /slot-client\.sh|tsmux waybar/.test(command) && status !== 'Z');

async function withModules(lab: SwayLab, ...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await lab.tsmux(['waybar', '--print-config', ...words]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

const middle = ({ x, y, width, height }: Rect) =>
  [x + Math.floor(width / 2), y + Math.floor(height / 2)] as const;

describe('the example for Waybar', () => {
  let lab: SwayLab;
  let waybar: Waybar;
  let web: OpenSession<Terminal>;
  let api: OpenSession<Terminal>;

  const click = async (where: Rect, button = 1) => {
    const [x, y] = middle(where);
    await lab.pointer.click(x, y, button);
  };

  beforeAll(async () => {
    lab = await startSwayLab();
    lab.write('.claude/settings.json', '{}');
    expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
    lab.write('.config/waybar/tsmux.json', await withModules(lab, '--slots', '3'));
    const example = join(lab.project, 'examples/waybar');
    waybar = await startWaybar(lab, {
      config: join(example, 'config'),
      style: join(example, 'style.css'),
      position: 'top',
      outputs: ['HEADLESS-1'],
    });
    web = await openSession(lab, { name: 'web', terminal: 'foot', workspace: '3: web' });
    api = await openSession(lab, { name: 'api', terminal: 'foot', workspace: '4: api' });
    await lab.sway.command('workspace 1');
  });
  afterAll(() => lab?.stop());

  it('d16: shows nothing where there is nothing, and a module for each session, in the colours of contrib', async () => {
    await waybar.shows(colour('idle'));
    expect(await waybar.find(colour('needs-input'))).toBeNull();
    expect(await waybar.find(colour('option'))).toBeNull();
    expect(daemons(lab)).toHaveLength(1);
  });

  it('goes to the window whose module was clicked, though its command line says nothing of it', async () => {
    web.prompt('hello');
    const module = await waybar.shows(colour('review'));
    await click(module);
    await hasFocus(lab.sway, web.terminal);
    // Looked at for a second, it has been seen.
    await waybar.lacks(colour('review'));
    await lab.sway.command('workspace 1');
  });

  it('counts as seen what the middle button was pressed on', async () => {
    api.prompt('hello');
    await click(await waybar.shows(colour('review')), 2);
    await waybar.lacks(colour('review'));
    expect((await lab.sway.focused())?.conId).not.toBe(api.terminal?.conId);
  });

  it('shows the colour of each state', async () => {
    web.prompt('SCN:slow');
    await waybar.shows(colour('busy'));
    await web.finish();
    await waybar.shows(colour('review'));
    await click(await waybar.shows(colour('review')), 2);
    await waybar.lacks(colour('review'));
  });

  it('tells more in a tooltip', async () => {
    web.prompt('hello');
    const [x, y] = middle(await waybar.shows(colour('review')));
    await lab.pointer.move(x, y);
    await lab.pointer.move(x + 1, y);
    const below = { x: 0, y: 0, width: 1280, height: 300 };
    const drawn = await until(async () => (await lab.picture()).find(tooltip, below), { why: 'the tooltip' });
    expect(drawn.height).toBeGreaterThan(20);
    await lab.pointer.move(600, 600);
    await until(async () => (await lab.picture()).find(tooltip, below) === null, { why: 'no tooltip' });
    await lab.pointer.click(x, y, 2);
    await waybar.lacks(colour('review'));
  });

  it('shows a prompt with its options, and answers by a click on one', async () => {
    web.prompt('SCN:bash please');
    await waybar.shows(colour('needs-input'));
    const options = await waybar.shows(colour('option'));
    await until(
      async () => {
        // Inert for half a second.
        await lab.pointer.click(options.x + 10, options.y + 5);
        return (await waybar.find(colour('option'))) === null;
      },
      { why: 'the prompt to be answered', every: 100 },
    );
    await waybar.lacks(colour('needs-input'));
    const { stdout } = await lab.tsmux(['history', '--json']);
    expect(stdout).toMatch(/allow/);
  });

  it('d1, d2: shows hostile names as they are, and none stays stale', async () => {
    const named = (name: string) => web.step({ do: 'session-file', fields: { name, nameSource: 'user' } });
    await named('plain');
    web.prompt('hello');
    await waybar.shows(colour('review'));
    await lab.sway.command('workspace 1');
    for (const name of hostileTexts) {
      await named('plain');
      const { width } = await waybar.shows(colour('review'));
      await named(name);
      await until(async () => (await waybar.find(colour('review')))?.width !== width, {
        why: `the module of ${JSON.stringify(name)} instead of the one before`,
      });
      expect((await waybar.shows(colour('review'))).height).toBeLessThanOrEqual(24);
    }
    await named('web');
    expect(waybar.complaints().filter((line) => /markup|tsmux/i.test(line))).toEqual([]);
    expect(existsSync(trace)).toBe(false);
  }, 90_000);

  it('d12: says when there is no daemon, and comes back with it', async () => {
    await lab.tsmux(['stop']);
    await waybar.lacks(colour('idle'));
    expect((await lab.tsmux(['list'])).status).toBe(0);
    await waybar.shows(colour('idle'));
  });

  it('keeps each session in its slot while it lives', async () => {
    const third = await openSession(lab, { name: 'third', terminal: 'foot', workspace: '5' });
    await lab.sway.command('workspace 1');
    expect((await lab.tsmux(['seen'])).status).toBe(0);
    await waybar.lacks(colour('review'));
    third.prompt('hello');
    const before = await waybar.shows(colour('review'));
    process.kill(api.pid, 'SIGKILL');
    await until(async () => JSON.parse((await lab.tsmux(['list', '--json'])).stdout).sessions.length === 2, {
      why: 'one session less',
    });
    const after = await waybar.shows(colour('review'));
    // Modules stand at the right edge: the one that went stood left of it.
    expect(after).toEqual(before);
    await click(after);
    await hasFocus(lab.sway, third.terminal);
  });

  it('d9: its clients end with it', async () => {
    expect(slotClients(lab).length).toBeGreaterThan(0);
    waybar.running.kill();
    await until(
      () => !lab.processes().some(({ pid, status }) => pid === waybar.running.pid && status !== 'Z'),
      {
        why: 'the end of Waybar',
      },
    );
    await until(() => slotClients(lab).length === 0, {
      why: 'every client to end',
      limit: 30_000,
      saw: () => slotClients(lab),
    });
    expect(daemons(lab)).toHaveLength(1);
  }, 45_000);
});

describe('Waybar on two outputs', () => {
  let lab: SwayLab;
  let waybar: Waybar;

  beforeAll(async () => {
    lab = await startSwayLab({ outputs: 2 });
    lab.write('.claude/settings.json', '{}');
    expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
    const outputs = ['HEADLESS-1', 'HEADLESS-2'];
    const words = outputs.flatMap((output) => ['--output', output]);
    const config = lab.write('.config/waybar/config', await withModules(lab, '--slots', '2', ...words));
    const style = join(lab.project, 'contrib/waybar/style.css');
    waybar = await startWaybar(lab, { config, style, position: 'top', outputs });
  });
  afterAll(() => lab?.stop());

  it('d11: shows on each the sessions that are there, with one client for each output and slot', async () => {
    const left = await openSession(lab, { name: 'left', terminal: 'foot', workspace: '3' });
    const right = await openSession(lab, { name: 'right', terminal: 'foot', workspace: '4' });
    await right.terminal?.focus();
    await lab.sway.command('move workspace to output HEADLESS-2');
    await lab.sway.command('focus output HEADLESS-1');
    await lab.sway.command('workspace 1');
    // What had finished before the daemon was there is not for review.
    await waybar.shows(colour('idle'), 'HEADLESS-2');
    await waybar.shows(colour('idle'), 'HEADLESS-1');
    right.prompt('hello');
    const module = await waybar.shows(colour('review'), 'HEADLESS-2');
    await waybar.lacks(colour('review'), 'HEADLESS-1');
    const [x, y] = middle(module);
    await lab.pointer.click(x, y);
    await hasFocus(lab.sway, right.terminal);

    await left.terminal?.focus();
    await lab.sway.command('move workspace to output HEADLESS-2');
    await waybar.lacks(colour('idle'), 'HEADLESS-1');

    const clients = slotClients(lab).filter(({ command }) => /^\/bin\/sh \S*slot-client\.sh/.test(command));
    const parents = new Set(clients.map(({ pid }) => pid));
    // What a client runs in its pipes is a shell with the same command line.
    const own = clients.filter(({ parent }) => !parents.has(parent));
    // Per output: two sessions, the prompt, four options, the summary, the quiet time.
    expect(own).toHaveLength(2 * 9);
    expect(daemons(lab)).toHaveLength(1);
  });
});
