import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { oneLine } from '../../src/bars/text.ts';
import { cutMiddle } from '../../src/bars/width.ts';
import { until } from '../support/until.ts';
import { hostileTexts, trace } from './hostile-texts.ts';
import { type Lab, startLab } from './lab.ts';
import { type OpenSession, openSession } from './sessions.ts';

describe('the example for tmux', () => {
  let lab: Lab;
  let web: OpenSession;

  beforeAll(async () => {
    lab = await startLab();
    lab.write('.claude/settings.json', '{}');
    // Another tmux shows this one, so that its screen can be read as text.
    await lab.output('tmux', [
      ...['-f', join(lab.project, 'examples/tmux/tmux.conf'), 'new-session', '-d', '-s', 'main'],
      ...['-x', '160', '-y', '24', 'cat'],
    ]);
    const attach = ['new-session', '-d', '-x', '160', '-y', '24', 'env', '-u', 'TMUX', 'tmux', 'attach'];
    await lab.output('tmux', ['-L', 'outer', '-f', '/dev/null', ...attach, '-t', 'main']);
    await lab.output('tmux', ['-L', 'outer', 'set', '-g', 'status', 'off']);
    web = await openSession(lab, { name: 'web', tmux: ['new-window', '-d', '-t', 'main:'] });
  });
  afterAll(() => lab?.stop());

  const screen = async () => (await lab.output('tmux', ['-L', 'outer', 'capture-pane', '-p'])).trimEnd();
  const status = async () => (await screen()).split('\n').at(-1) ?? '';
  const shows = (text: string | RegExp, limit = 8000) =>
    until(async () => (await status()).match(text), {
      why: `${text} in the status line`,
      limit,
      saw: screen,
    });

  it('shows the blocks in the status line, and a mark on the window and the pane', async () => {
    await shows(/ ○ web +\d\d:\d\d$/);
    await shows(/ 0:\S+ +1:\S+ ○ /);
    await lab.tmux('select-window', '-t', 'main:1');
    await until(async () => / ○ /.test((await screen()).split('\n')[0] ?? ''), {
      why: 'the border',
      saw: screen,
    });
    web.prompt('SCN:bash please');
    await shows(/ 0:\S+ +1:\S+ ▲ .* ▲ web · permission prompt +1 Yes/);
    await web.step({ do: 'press', key: '1' });
    await shows(/ 0:\S+ +1:\S+ [○●] /);
  });

  it('d1, d2: shows any name in one line, and runs nothing of it', async () => {
    const named = (name: string) => web.step({ do: 'session-file', fields: { name, nameSource: 'user' } });
    for (const name of hostileTexts) {
      await named(name);
      const text = cutMiddle(oneLine(name), 24);
      await until(async () => (await status()).includes(` ${text} `), {
        why: `${text} in the status line`,
        saw: screen,
      });
    }
    expect(existsSync(trace)).toBe(false);
    await named('web');
  });

  it('has no mark any more when the session has ended', async () => {
    process.kill(web.pid, 'SIGKILL');
    await until(async () => (await lab.tmux('list-windows', '-F', '#{@tsmux}')).trim() === '', {
      why: 'no marks',
      limit: 10_000,
      saw: screen,
    });
  });

  it('d9: its client ends with the server', async () => {
    await lab.tmux('kill-server');
    await until(() => !lab.processes().some(({ command }) => /tsmux tmux/.test(command)), {
      why: 'the client to end',
      limit: 30_000,
      saw: lab.processes,
    });
  }, 40_000);
});
