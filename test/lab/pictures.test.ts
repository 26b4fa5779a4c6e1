import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { themeOf } from '../../src/bars/theme.ts';
import { defaultConfig } from '../../src/config/schema.ts';
import { until } from '../support/until.ts';
import { type Lab, startLab } from './lab.ts';
import { ours } from './on-the-bar.ts';
import { openSession } from './sessions.ts';
import type { Rect } from './window-manager.ts';

/** With TSMUX_PICTURES=1 the pictures of the documentation are taken anew; else they only must be there. */
const images = process.env.TSMUX_PICTURES === '1' ? 'docs/images' : null;
const states = ['needs-input', 'review', 'busy', 'idle'] as const;

describe('the pictures of the documentation', () => {
  let lab: Lab;

  beforeAll(async () => {
    lab = await startLab({
      bar: { command: 'tsmux i3bar -- i3status -c $HOME/i3status', config: 'colors { background #101010 }' },
    });
    lab.write(
      'i3status',
      'general { output_format = "i3bar" }\norder += "tztime local"\ntztime local { format = "14:55" }\n',
    );
    lab.write('.claude/settings.json', '{}');
    await lab.tsmux(['setup', '--yes']);
    const at = (name: string, workspace: string) => openSession(lab, { name, workspace });
    const web = await at('web', '3: web');
    const docs = await at('docs', '4: docs');
    const api = await at('api', '5: api');
    await at('blog', '6: blog');
    await lab.i3.command('workspace 1');
    docs.prompt('hello');
    api.prompt('SCN:slow');
    web.prompt('SCN:bash please');
    await until(
      () =>
        ours(lab.bar)
          .map(({ full_text }) => full_text)
          .join()
          .match(/▲ web · Bash.*● docs.*◐ api.*○ blog/),
      {
        why: 'all four states',
        limit: 10_000,
        saw: lab.bar.lines,
      },
    );
  }, 60_000);
  afterAll(() => lab?.stop());

  /** The bar's picture when all faces of the theme stand in it. */
  async function taken(
    name: string,
    where: () => Promise<Rect>,
    theme = defaultConfig.bar.theme,
  ): Promise<void> {
    const { faces } = themeOf({ ...defaultConfig.bar, theme });
    const wanted = states.map((state) => faces[state].background ?? '');
    const { picture, bar } = await until(
      async () => {
        const bar = await where();
        const picture = await lab.picture();
        return wanted.every((colour) => picture.find(colour, bar) !== null) && { picture, bar };
      },
      { why: `the colours of ${theme} in ${name}`, limit: 10_000, saw: () => lab.bar.lines().slice(-1) },
    );
    // The dark colour of what is idle may be that of a pixel elsewhere.
    const xs = wanted.slice(0, 3).map((colour) => picture.find(colour, bar)?.x ?? 0);
    expect(xs).toEqual([...xs].sort((a, b) => a - b));
    if (images !== null) {
      mkdirSync(images, { recursive: true });
      await picture.save(join(images, `${name}.png`), bar);
    }
    expect(existsSync(`docs/images/${name}.png`)).toBe(true);
  }

  it('of i3bar, in each theme', async () => {
    await taken('i3bar', lab.bar.rect);
    for (const theme of ['light', 'colour-blind'] as const) {
      lab.write('.config/tsmux/config.toml', `[bar]\ntheme = "${theme}"\n`);
      await taken(`i3bar-${theme}`, lab.bar.rect, theme);
    }
    lab.write('.config/tsmux/config.toml', '');
  });

  it('of Polybar', async () => {
    lab.spawn('polybar', ['-c', join(lab.project, 'examples/polybar/config.ini'), 'top']);
    const { width, height } = await lab.picture();
    const polybar = 22;
    // Which of the two stands at the very edge is for i3 to say.
    await taken('polybar', async () => {
      const bar = await lab.bar.rect();
      const isBelow = bar.y + bar.height < height;
      return { x: 0, y: isBelow ? height - polybar : bar.y - polybar, width, height: polybar };
    });
  });
});
