import { expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { startLab } from './lab.ts';
import { ours, texts } from './on-the-bar.ts';
import { openSession } from './sessions.ts';

it('answers nothing where the line has just become too long, and i3bar shows Yes where No was', async () => {
  const lab = await startLab({ bar: { command: 'tsmux i3bar' } });
  try {
    lab.write('.config/tsmux/config.toml', '[bar]\nbudget = 300\nwidths = { name = 40 }\n');
    lab.write('.claude/settings.json', '{}');
    expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
    const older = await openSession(lab, { name: 'api', workspace: '3' });
    const newer = await openSession(lab, { name: 'web-shop-frontend', workspace: '4' });
    await lab.i3.command('workspace 1');
    for (const session of [older, newer]) session.prompt('SCN:bash please');
    await until(() => texts(lab.bar).filter((text) => text.endsWith(' No')).length === 2, {
      why: 'both prompts',
      saw: () => texts(lab.bar),
    });
    await lab.bar.still();
    const [yes, no] = ours(lab.bar)
      .filter(({ full_text }) => / (?:Yes|No) $/.test(full_text))
      .slice(-2);
    const aimed = await lab.bar.block(no?.instance ?? '').rect();

    // Left of them, and after they have stood for long.
    await lab.tsmux(['label', `pid:${older.pid}`, 'a'.repeat(40)]);
    await until(() => texts(lab.bar)[0]?.includes('aaaa'), { why: 'the label' });
    const moved = await lab.bar.block(yes?.instance ?? '').rect();
    // It stands where No stood.
    expect(moved.x + moved.width / 2).toBeGreaterThan(aimed.x);
    const before = lab.bar.clicks().length;
    await lab.bar.block(yes?.instance ?? '').click();
    const click = await until(() => lab.bar.clicks()[before], { why: 'the click' });
    expect(click.instance).toBe(yes?.instance);
    await lab.bar.still();
    expect(JSON.parse((await lab.tsmux(['prompts', '--json'])).stdout).prompts).toHaveLength(2);
    await lab.bar.block(yes?.instance ?? '').click();
    await until(async () => (await lab.tsmux(['history'])).stdout.includes('web-shop-frontend'), {
      why: 'the answer to a click on what has stood for a while',
    });
  } finally {
    await lab.stop();
  }
});
