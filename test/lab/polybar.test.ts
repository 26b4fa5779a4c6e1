import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { styles } from '../../src/bars/theme.ts';
import { until } from '../support/until.ts';
import { hostileTexts, trace } from './hostile-texts.ts';
import { type Lab, startLab } from './lab.ts';
import { type OpenSession, openSession } from './sessions.ts';
import type { Running } from './shell.ts';
import type { Rect } from './window-manager.ts';

const { faces } = styles.chips;
const injection = '%{A1:touch /tmp/tsmux-polybar:}click me%{A}';

describe('the example for Polybar', () => {
  let lab: Lab;
  let polybar: Running;
  let web: OpenSession;
  let api: OpenSession;
  let bar: Rect;

  beforeAll(async () => {
    lab = await startLab();
    lab.write('.claude/settings.json', '{}');
    expect(await lab.tsmux(['setup', '--yes'])).toMatchObject({ status: 0 });
    web = await openSession(lab, { name: 'web', workspace: '3: web' });
    api = await openSession(lab, { name: injection, workspace: '4: api' });
    await lab.i3.command('workspace 1');
    polybar = lab.spawn('polybar', ['-c', join(lab.project, 'examples/polybar/config.ini'), 'top']);
    const { height, width } = await lab.picture();
    bar = { x: 0, y: height - 22, width, height: 22 };
    await shows(faces.idle.background);
  });
  afterAll(() => lab?.stop());

  /** Where the colour stands, once it has stood there for longer than what moved is inert. */
  async function shows(colour: string | null): Promise<Rect> {
    let drawn = { at: 0, text: '' };
    return until(
      async () => {
        const now = (await lab.picture()).find(colour ?? '', bar);
        const text = JSON.stringify(now);
        if (text !== drawn.text) drawn = { at: Date.now(), text };
        return now !== null && Date.now() - drawn.at > 700 ? now : null;
      },
      { why: `${colour} in Polybar`, limit: 12_000, every: 50, saw: () => polybar.stderr() },
    );
  }
  const click = (at: Rect, from = 12, button = 1) => lab.pointer.click(at.x + from, at.y + 10, button);
  const hasFocus = (session: OpenSession) =>
    until(async () => (await lab.i3.focused())?.windowId === session.terminal?.windowId, {
      why: 'the focus',
      saw: () => [polybar.stderr(), lab.processes().map(({ command }) => command)],
    });

  it('shows the blocks in the colours of the theme, and goes to the session whose block is clicked', async () => {
    web.prompt('hello');
    const review = await shows(faces.review.background);
    await click(review);
    await hasFocus(web);
    const idle = await shows(faces.idle.background);
    await lab.i3.command('workspace 1');
    await click(idle, idle.width - 20);
    await hasFocus(api);
  });

  it('d1: runs nothing that a name says, on whatever part of it the click lands', async () => {
    await lab.i3.command('workspace 1');
    const idle = await shows(faces.idle.background);
    for (let from = 10; from < idle.width; from += 14) await click(idle, from);
    await until(async () => (await lab.i3.focused())?.windowId !== undefined, { why: 'a session' });
    expect(existsSync('/tmp/tsmux-polybar')).toBe(false);
    expect(polybar.stderr()).not.toMatch(/tags?:|unclosed|invalid tag/i);
  });

  it('offers the options of a prompt, and marks as seen with the middle button', async () => {
    await lab.i3.command('workspace 1');
    // Whether the first session was looked at for a second before is of no interest here.
    await lab.tsmux(['seen']);
    api.prompt('hello');
    const review = await shows(faces.review.background);
    await click(review, 12, 2);
    await until(async () => (await lab.picture()).find(faces.review.background ?? '', bar) === null, {
      why: 'it to be seen',
      limit: 8000,
    });
    web.prompt('SCN:bash please');
    await shows(faces['needs-input'].background);
    await shows(faces.option.background);
    await lab.screenshot(join(lab.folder, 'polybar.png'));
    await web.step({ do: 'press', key: '1' });
    await until(async () => (await lab.picture()).find(faces.option.background ?? '', bar) === null, {
      why: 'no options',
      limit: 8000,
    });
  });

  it('d1, d2: shows any name in one line, runs nothing of it, and never keeps the one before', async () => {
    const named = (name: string) => api.step({ do: 'session-file', fields: { name, nameSource: 'user' } });
    await named('plain');
    api.prompt('hello');
    await shows(faces.review.background);
    await lab.i3.command('workspace 1');
    for (const name of hostileTexts) {
      await named('plain');
      const { width } = await shows(faces.review.background);
      await named(name);
      const drawn = await until(
        async () => {
          const now = (await lab.picture()).find(faces.review.background ?? '', bar);
          return now !== null && now.width !== width ? now : null;
        },
        {
          why: `the block of ${JSON.stringify(name)} instead of the one before`,
          saw: () => polybar.stderr(),
        },
      );
      // Polybar hands the button to an action of the text below the pointer, if there is one.
      for (const from of [20, drawn.width - 20]) await click(drawn, from, 3);
    }
    expect(existsSync(trace)).toBe(false);
  });

  it('d9: its client ends when it was killed', async () => {
    polybar.kill('SIGKILL');
    await until(() => !lab.processes().some(({ command }) => /tsmux polybar/.test(command)), {
      why: 'the client to end',
      limit: 2000,
      saw: () => lab.processes(),
    });
  });
});
