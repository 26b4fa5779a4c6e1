import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contribKeys, inMode, keysAreDone } from '../lab/i3-mode.ts';
import { shows } from '../lab/on-the-bar.ts';
import { until } from '../support/until.ts';
import { type Desk, type OpenClaude, type Prompt, type Session, startDesk } from './desk.ts';
import { VERSIONS } from './real-claude.ts';
import { type User, userAt } from './user.ts';

const words = ({ options }: Prompt) => options.slice(0, -1).map(({ key, label }) => `${key}. ${label}`);
const nothingOpen = ({ prompts }: Session) => prompts.length === 0;

describe.each(VERSIONS)('Claude Code %s, answered by keys', (version) => {
  let desk: Desk;
  let user: User;
  let at: OpenClaude;
  beforeAll(async () => {
    desk = await startDesk(contribKeys());
    user = userAt(desk.lab);
  });
  afterAll(() => desk?.stop());

  const outside = (name: string) => existsSync(join(desk.world.folders.outside, name));

  /** The options are those on its screen, in its order and words. */
  async function onItsScreen(scenario: string): Promise<Prompt> {
    await at.claude.type(`SCN:${scenario} please`);
    const { id } = await at.session.asks(({ answerable }) => answerable === 'hook');
    // Without the files beside them, and without the steps of a list that stands above.
    const shown = (await at.claude.options()).map((option) => option.replace(/ *│.*$/, ''));
    return at.session.asks((prompt) => {
      const told = words(prompt);
      return prompt.id === id && told.length > 1 && `${told}` === `${shown.slice(-told.length)}`;
    });
  }

  /** Allows for good what only the dialog offers, by the key of the screen, and sees that nothing is asked any more. */
  async function alwaysAllowed(scenario: string, said: string): Promise<void> {
    const prompt = await onItsScreen(scenario);
    const always = prompt.options.find(({ means }) => means === 'allow-always');
    await user.answers('--to', prompt.id, always?.key ?? '');
    await at.session.is('review', nothingOpen);
    await at.claude.shows(said);
    const { entries } = JSON.parse((await user.types('history', '--json')).stdout);
    expect(entries.at(-1)).toMatchObject({
      prompt: prompt.id,
      outcome: { type: 'answered', way: 'keys', means: 'allow-always' },
    });
    const states = at.session.since();
    await at.claude.type(`SCN:${scenario} please`);
    await until(() => states().includes('busy') && states().at(-1) === 'review', {
      why: 'the end of a turn',
      limit: 20_000,
      saw: states,
    });
    expect(states()).not.toContain('needs-input');
  }

  describe('in kitty with remote control', () => {
    beforeAll(async () => {
      at = await desk.open({ version, in: 'kitty', workspace: '3' });
    });
    afterAll(() => at?.claude.kill('SIGTERM'));

    it('has the options of its screen, and takes what only the dialog offers', async () => {
      await alwaysAllowed('webfetch', 'Fetched.');
      expect(at.session.now()?.place.pane?.kind).toBe('kitty');
    });

    it('is sent no key when its dialog is gone', async () => {
      const prompt = await onItsScreen('npm');
      const always = prompt.options.find(({ means }) => means === 'allow-always');
      await at.claude.answer('Escape');
      const late = await user.types('answer', '--to', prompt.id, always?.key ?? '');
      expect(late).toMatchObject({ status: 5 });
      await at.session.is('idle', nothingOpen);
      expect(await at.claude.screen()).not.toMatch(/❯ \d/);
    });
  });

  describe('in a wide pane of tmux, beside the changed files', () => {
    beforeAll(async () => {
      at = await desk.open({ version, in: 'tmux', workspace: '4' });
      const { session = '' } = at.claude.terminal;
      const size = ['-x', '210', '-y', '50'];
      await desk.lab.output('tmux', [
        '-S',
        desk.world.tmuxSocket,
        'resize-window',
        '-t',
        `${session}:`,
        ...size,
      ]);
    });
    afterAll(() => at?.claude.kill('SIGTERM'));

    it('has the options of its screen, and takes what only the dialog offers', async () => {
      const edit = await onItsScreen('edit');
      await user.answers('--to', edit.id, '1');
      await at.claude.shows('Edit done.');
      await at.claude.is('idle');
      // The older version has no such panel.
      if (version === '2.1.332') await at.claude.shows(/│1 file changed .*▾$/m);
      await alwaysAllowed('read', 'Read done.');
    });
  });

  describe('in the mode for answers of i3', () => {
    beforeAll(async () => {
      at = await desk.open({ version, in: 'xterm', workspace: '5' });
    });

    it('answers the pinned prompt by a digit, and by Escape nothing', async () => {
      rmSync(join(desk.world.folders.outside, 'p1'), { force: true });
      await at.claude.type('SCN:two please');
      const first = await at.session.asks(({ answerable }) => answerable === 'hook');
      await desk.lab.key('super+a');
      await inMode(desk.lab, 'answer');
      await at.session.asks(({ id, pinned }) => id === first.id && pinned);
      await shows(desk.lab.bar, at.session.now()?.id ?? '', '◆');
      await desk.lab.key('1');
      const second = await at.session.asks(({ id, answerable }) => id !== first.id && answerable === 'hook');
      expect([outside('p1'), outside('p2'), second.pinned]).toEqual([true, false, false]);
      // The second was not pinned: a digit is not for it.
      await desk.lab.key('1');
      await keysAreDone(desk.lab);
      await desk.lab.key('super+a');
      await at.session.asks(({ id, pinned }) => id === second.id && pinned);
      expect(outside('p2')).toBe(false);
      await desk.lab.key('Escape');
      await inMode(desk.lab, 'default');
      await at.session.asks(({ id, pinned }) => id === second.id && !pinned);
      await user.answers('--to', second.id, '1');
      await at.session.is('review', nothingOpen);
      expect(outside('p2')).toBe(true);
    });
  });
});
