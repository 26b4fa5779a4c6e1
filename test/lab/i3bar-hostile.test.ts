import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { styles } from '../../src/bars/theme.ts';
import { until } from '../support/until.ts';
import { hostileTexts, trace, unfit } from './hostile-texts.ts';
import { startLab } from './lab.ts';
import { ours, texts } from './on-the-bar.ts';
import { openSession } from './sessions.ts';

const { background } = styles.chips.faces.review;

it('d1, d2: i3bar shows any name in one line, runs nothing of it, and never keeps the one before', async () => {
  const lab = await startLab({ bar: { command: 'tsmux i3bar' } });
  try {
    lab.write('.claude/settings.json', '{}');
    await lab.tsmux(['setup', '--yes']);
    const web = await openSession(lab, { name: 'web', workspace: '3' });
    await lab.i3.command('workspace 1');
    web.prompt('hello');
    const named = (name: string) => web.step({ do: 'session-file', fields: { name, nameSource: 'user' } });
    const drawn = async () => (await lab.picture()).find(background ?? '', await lab.bar.rect());
    for (const name of hostileTexts) {
      await named('plain');
      const plain = await until(
        async () => {
          const rect = ours(lab.bar).length === 1 ? await lab.bar.block('plain').rect() : null;
          const now = await drawn();
          return rect !== null && now?.x === rect.x && now.width === rect.width ? rect : null;
        },
        { why: 'the plain name on the screen', limit: 8000, saw: () => texts(lab.bar) },
      );
      await named(name);
      const now = await until(
        async () => {
          const rect = await drawn();
          return rect !== null && rect.width !== plain.width ? rect : null;
        },
        { why: `the block of ${JSON.stringify(name)} on the screen`, saw: () => texts(lab.bar) },
      );
      expect(now.height).toBeLessThanOrEqual((await lab.bar.rect()).height);
      for (const text of texts(lab.bar)) expect(text).not.toMatch(unfit);
      await lab.pointer.click(now.x + 20, now.y + 8, 3);
    }
    expect(existsSync(trace)).toBe(false);
    expect(lab.bar.stderr()).toBe('');
  } finally {
    await lab.stop();
  }
}, 90_000);
