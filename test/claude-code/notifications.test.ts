import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nextPrompt, ripe, startServer, type Watch, watchBus } from '../lab/notification-servers.ts';
import { until } from '../support/until.ts';
import { type Desk, type OpenClaude, startDesk } from './desk.ts';
import { VERSIONS } from './real-claude.ts';

describe.each(VERSIONS)('a notification of what Claude Code %s asks', (version) => {
  let desk: Desk;
  let at: OpenClaude;
  let watch: Watch;

  beforeAll(async () => {
    desk = await startDesk();
    const { lab } = desk;
    // What dunst starts as its menu gets the actions on stdin, and prints the one that was chosen.
    const menu = lab.write('menu', '#!/bin/sh\ngrep "$(cat $HOME/choice)"\n', 0o755);
    lab.write('.config/dunst/dunstrc', `[global]\ndmenu = ${menu}\n`);
    await startServer(lab, 'dunst');
    watch = await watchBus(lab);
    at = await desk.open({ version, in: 'xterm', workspace: '3: web' });
    await desk.elsewhere();
  });
  afterAll(() => desk?.stop());

  /** Claude asks; the user takes that action out of dunst's menu. */
  async function chosen(action: string): Promise<void> {
    const before = watch.asked().length;
    await at.claude.type('SCN:bash please');
    await nextPrompt(watch, before);
    await ripe(watch);
    desk.lab.write('choice', action);
    await desk.lab.output('dunstctl', ['context']);
  }

  it('answers No by its action: the command is not run, and Claude waits for what comes next', async () => {
    await chosen('No');
    await at.session.is('idle', ({ prompts }) => prompts.length === 0);
    await at.claude.is('idle');
    expect(existsSync(join(desk.world.folders.outside, 'x1'))).toBe(false);
  });

  it('answers Yes by its action: the command is run, and the turn goes on to its end', async () => {
    await chosen('Yes');
    await at.session.is('review');
    expect(existsSync(join(desk.world.folders.outside, 'x1'))).toBe(true);
  });

  it('is closed when the prompt is answered in the terminal', async () => {
    const before = watch.asked().length;
    const closed = watch.closed().length;
    await at.claude.type('SCN:npm please');
    await nextPrompt(watch, before);
    await at.claude.answer('1');
    await until(() => watch.closed().length > closed, { why: 'it to be closed', saw: watch.asked });
  });
});
