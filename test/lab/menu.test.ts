import { expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { startLab } from './lab.ts';
import { hasFocus, shows } from './on-the-bar.ts';
import { openSession } from './sessions.ts';

it('a right click on a block opens rofi on its display, and the first line goes to the session', async () => {
  const lab = await startLab({ bar: { command: 'tsmux i3bar' } });
  try {
    const web = await openSession(lab, { name: 'web', workspace: '3: web' });
    await lab.i3.command('workspace 1');
    await shows(lab.bar, 'web', 'web');
    const rofi = () => lab.processes().filter(({ command }) => /\brofi -dmenu\b/.test(command));
    const opened = async () => {
      // What has just appeared is inert, and so is a bar while rofi holds the pointer.
      await until(
        async () => {
          if (rofi().length > 0) return true;
          await lab.bar.block('web').click(3);
          return false;
        },
        { why: 'rofi', every: 500, limit: 15_000 },
      );
    };

    await opened();
    await until(
      async () => {
        await lab.key('Escape');
        return rofi().length === 0;
      },
      { why: 'rofi to be left', every: 300 },
    );
    expect(await lab.i3.focused()).toBeUndefined();

    await opened();
    await until(
      async () => {
        if (rofi().length > 0) await lab.key('Return');
        return rofi().length === 0;
      },
      { why: 'the first line', every: 300 },
    );
    await hasFocus(lab.i3, web.terminal);
  } finally {
    await lab.stop();
  }
});
