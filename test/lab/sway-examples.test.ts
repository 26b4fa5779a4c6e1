import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { styles } from '../../src/bars/theme.ts';
import { until } from '../support/until.ts';
import { hasFocus } from './on-the-bar.ts';
import { builtProject } from './project.ts';
import { openSession } from './sessions.ts';
import { type SwayLab, startSwayLab } from './sway.ts';
import { startWaybar } from './waybar.ts';

const { faces } = styles.chips;
const review = faces.review.background ?? '';
const project = builtProject();

async function withLab(config: string, run: (lab: SwayLab) => Promise<void>): Promise<void> {
  const lab = await startSwayLab({ config });
  try {
    lab.write('.claude/settings.json', '{}');
    expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
    await run(lab);
  } finally {
    await lab.stop();
  }
}

const drawn = (lab: SwayLab, colour: string) =>
  until(async () => (await lab.picture()).find(colour, { x: 0, y: 690, width: 1280, height: 30 }), {
    why: `${colour} in the bar`,
    limit: 10_000,
    saw: () => lab.processes().map(({ command }) => command),
  });

describe('a configuration for sway', () => {
  it.each([
    ['examples/sway/config', ''],
    ['contrib/sway/config', 'set $mod Mod4'],
  ])(
    '%s shows the sessions, goes there by a click and by a key, and calls them seen by another',
    async (path, before) => {
      await withLab(`${before}\ninclude ${join(project, path)}`, async (lab) => {
        const web = await openSession(lab, { name: 'web', terminal: 'foot', workspace: '3' });
        await drawn(lab, faces.idle.background ?? '');
        await lab.sway.command('workspace 1');
        web.prompt('hello');
        const { x, y } = await drawn(lab, review);
        // Inert for half a second after it appeared.
        await until(
          async () => {
            await lab.pointer.click(x + 5, y + 5);
            return (await lab.sway.focused())?.conId === web.terminal?.conId;
          },
          { why: 'a click that goes there', every: 200 },
        );

        await lab.sway.command('workspace 1');
        web.prompt('hello');
        await drawn(lab, review);
        await lab.key('super+n');
        await hasFocus(lab.sway, web.terminal);

        await lab.sway.command('workspace 1');
        web.prompt('hello');
        await drawn(lab, review);
        await lab.key('super+ctrl+n');
        await drawn(lab, faces.idle.background ?? '');
      });
    },
  );
});

describe('contrib/waybar', () => {
  it('includes the modules that tsmux prints, among those of the user', async () => {
    await withLab('', async (lab) => {
      const { stdout } = await lab.tsmux(['waybar', '--print-config', '--slots', '5']);
      lab.write('.config/waybar/tsmux.json', stdout);
      const waybar = await startWaybar(lab, {
        config: join(project, 'contrib/waybar/config'),
        style: join(project, 'contrib/waybar/style.css'),
        position: 'top',
        outputs: ['HEADLESS-1'],
      });
      const web = await openSession(lab, { name: 'web', terminal: 'foot', workspace: '3' });
      await lab.sway.command('workspace 1');
      await waybar.shows(faces.idle.background ?? '');
      web.prompt('hello');
      const { x, y } = await waybar.shows(review);
      await lab.pointer.click(x + 5, y + 5);
      await hasFocus(lab.sway, web.terminal);
    });
  });

  it('has the colours of the theme', () => {
    const css = readFileSync(join(project, 'contrib/waybar/style.css'), 'utf8');
    for (const look of ['needs-input', 'option', 'review', 'busy', 'idle', 'unknown', 'summary'] as const) {
      const rule = new RegExp(`#custom-tsmux\\.${look} \\{([^}]*)\\}`).exec(css)?.[1];
      expect(rule, look).toContain(`color: ${faces[look].color};`);
      expect(rule, look).toContain(`background-color: ${faces[look].background};`);
    }
  });
});
