import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withoutQuotes } from '../../src/bars/i3blocks.ts';
import { oneLine } from '../../src/bars/text.ts';
import { cutMiddle } from '../../src/bars/width.ts';
import { until } from '../support/until.ts';
import { hostileTexts, trace } from './hostile-texts.ts';
import { type Lab, startLab } from './lab.ts';
import { hasFocus, texts } from './on-the-bar.ts';
import { builtProject } from './project.ts';
import { type OpenSession, openSession } from './sessions.ts';

/** i3blocks 1.4 keeps what a block showed as it is, and has an empty block for what it never heard of. */
const shown = (lab: Lab) => texts(lab.bar).filter((text) => text !== '' && !/^\d\d:\d\d$/.test(text));

describe('the example for i3blocks', () => {
  let lab: Lab;
  let web: OpenSession;

  beforeAll(async () => {
    lab = await startLab({ bar: { command: `i3blocks -c ${builtProject()}/examples/i3blocks/config` } });
    lab.write('.claude/settings.json', '{}');
    web = await openSession(lab, { name: 'web', workspace: '3: web' });
    await openSession(lab, { name: 'api', workspace: '4: api' });
    await lab.i3.command('workspace 1');
  });
  afterAll(() => lab?.stop());
  const shows = (wanted: (now: readonly string[]) => boolean, why: string) =>
    until(() => wanted(shown(lab)), { why, limit: 12_000, saw: () => [texts(lab.bar), lab.bar.stderr()] });

  it('shows the summary by a client that runs, and a block for each session that is asked every two seconds', async () => {
    await shows((now) => now.join() === '○2,○ web,○ api', 'both sessions');
  });

  it('goes to the session whose block is clicked', async () => {
    await until(
      async () => {
        // What has just appeared is inert.
        await lab.bar.block('tsmux-1').click();
        return (await lab.i3.focused())?.conId === (await web.terminal?.window())?.conId;
      },
      { why: 'a click to go there', every: 700 },
    );
  });

  it('d1, d2: shows any name in one line, and never keeps the one before', async () => {
    const named = (name: string) => web.step({ do: 'session-file', fields: { name, nameSource: 'user' } });
    for (const name of hostileTexts) {
      await named(name);
      const text = withoutQuotes(cutMiddle(oneLine(name), 24));
      await shows((now) => now.includes(`○ ${text}`), `the block of ${JSON.stringify(name)}`);
    }
    expect(existsSync(trace)).toBe(false);
    await named('web');
  }, 60_000);

  it('leaves the clicks of i3bar to i3blocks, which hands its own stdin to what it runs', async () => {
    for (let times = 0; times < 5; times += 1) {
      await lab.i3.command('workspace 1');
      await lab.bar.block('tsmux-1').click();
      await hasFocus(lab.i3, web.terminal);
    }
  });

  it('d9: its clients end with i3blocks', async () => {
    const i3blocks = lab.processes().find(({ command }) => /^i3blocks\b/.test(command));
    process.kill(i3blocks?.pid ?? 0, 'SIGKILL');
    await until(() => !lab.processes().some(({ command }) => /tsmux i3blocks/.test(command)), {
      why: 'the clients to end',
      limit: 30_000,
      saw: lab.processes,
    });
  }, 40_000);
});
