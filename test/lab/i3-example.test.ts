import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { styles } from '../../src/bars/theme.ts';
import { until } from '../support/until.ts';
import { startLab } from './lab.ts';
import { hasFocus } from './on-the-bar.ts';
import { builtProject } from './project.ts';
import { openSession } from './sessions.ts';

it('the example for i3 is one that i3 takes, and its bar shows the sessions', async () => {
  const example = join(builtProject(), 'examples/i3/config');
  const lab = await startLab({ config: readFileSync(example, 'utf8') });
  try {
    expect(await lab.run('i3', ['-C', '-c', example])).toMatchObject({ status: 0, stderr: '' });
    const web = await openSession(lab, { name: 'web', workspace: '3: web' });
    await lab.i3.command('workspace 1');
    const { background } = styles.chips.faces.idle;
    const drawn = await until(async () => (await lab.picture()).find(background ?? ''), {
      why: 'the block',
      limit: 10_000,
    });
    // What has just appeared is inert.
    await until(
      async () => {
        await lab.pointer.click(drawn.x + 8, drawn.y + 8);
        return (await lab.i3.focused())?.conId === web.terminal?.conId;
      },
      { why: 'the session', every: 200 },
    );
    await lab.i3.command('workspace 1');
    await lab.key('super+n');
    // Nobody needs the user: the key does nothing.
    expect((await lab.i3.focused())?.conId).toBeUndefined();
    web.prompt('SCN:bash please');
    await until(async () => (await lab.picture()).find(styles.chips.faces['needs-input'].background ?? ''), {
      why: 'the prompt',
    });
    await lab.key('super+n');
    await hasFocus(lab.i3, web.terminal);
  } finally {
    await lab.stop();
  }
});
