import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { styles } from '../../src/bars/theme.ts';
import { until } from '../support/until.ts';
import { openSession } from './sessions.ts';
import { type SwayLab, startSwayLab } from './sway.ts';
import { startWaybar, type Waybar } from './waybar.ts';
import type { Rect } from './window-manager.ts';

/** With TSMUX_PICTURES=1 the pictures of the documentation are taken anew; else they only must be there. */
const images = process.env.TSMUX_PICTURES === '1' ? 'docs/images' : null;
const { faces } = styles.chips;
const wanted = (['needs-input', 'option', 'review', 'busy', 'idle'] as const).map(
  (look) => faces[look].background ?? '',
);

describe('the pictures of the documentation, under sway', () => {
  let lab: SwayLab;
  let waybar: Waybar;

  beforeAll(async () => {
    lab = await startSwayLab({
      bar: { command: 'tsmux i3bar', config: 'colors { background #101010 }' },
    });
    lab.write('.claude/settings.json', '{}');
    await lab.tsmux(['setup', '--yes']);
    const { stdout } = await lab.tsmux(['waybar', '--print-config', '--slots', '4']);
    const bar = { position: 'top', height: 24, 'modules-left': ['sway/workspaces'], ...JSON.parse(stdout) };
    waybar = await startWaybar(lab, {
      config: lab.write('.config/waybar/config', JSON.stringify(bar)),
      style: join(lab.project, 'examples/waybar/style.css'),
      position: 'top',
      outputs: ['HEADLESS-1'],
    });
    const at = (name: string, workspace: string) =>
      openSession(lab, { name, workspace, terminal: 'foot' as const });
    const web = await at('web', '3: web');
    const docs = await at('docs', '4: docs');
    const api = await at('api', '5: api');
    await at('blog', '6: blog');
    await lab.sway.command('workspace 1');
    docs.prompt('hello');
    api.prompt('SCN:slow');
    web.prompt('SCN:npm please');
  }, 60_000);
  afterAll(() => lab?.stop());

  it.each([
    ['waybar', () => waybar.rect()],
    ['swaybar', () => lab.bar.rect()],
  ] as const)('of %s', async (name, where: () => Promise<Rect>) => {
    const { picture, bar } = await until(
      async () => {
        const bar = await where();
        const picture = await lab.picture();
        return wanted.every((colour) => picture.find(colour, bar) !== null) && { picture, bar };
      },
      { why: `all colours in ${name}`, limit: 15_000, saw: () => lab.bar.lines().slice(-1) },
    );
    if (images !== null) await picture.save(join(images, `${name}.png`), bar);
    expect(existsSync(`docs/images/${name}.png`)).toBe(true);
  });
});
