import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Key } from '../stand-in/terminals.ts';
import { until } from '../support/until.ts';
import { type Desk, type OpenClaude, type Session, startDesk } from './desk.ts';
import { VERSIONS } from './real-claude.ts';
import { type User, userAt } from './user.ts';

const nothingOpen = ({ prompts }: Session) => prompts.length === 0;

/** Dialogs of Claude Code that nobody can answer from outside, and what is told of them. */
describe.each(VERSIONS)('what can only be answered in the terminal of Claude Code %s', (version) => {
  let desk: Desk;
  let user: User;
  let at: OpenClaude;
  beforeAll(async () => {
    desk = await startDesk();
    user = userAt(desk.lab);
  });
  afterAll(() => desk?.stop());

  /** Only the way to the terminal is offered; the bar has nothing but the session's block, which leads there. */
  async function leadsToTheTerminal(id: string): Promise<void> {
    const prompt = at.session.now()?.prompts.find((one) => one.id === id);
    expect(prompt).toMatchObject({ answerable: 'no', options: [{ key: 'g', means: 'go' }] });
    expect(await user.types('answer', '--to', id, '1')).toMatchObject({ status: 5 });
    await desk.lab.bar.still();
    expect(desk.lab.bar.blocks()).toMatchObject([{ instance: at.session.now()?.id }]);
    await user.clicks(at.session.now()?.id ?? '');
    await at.session.is('needs-input', ({ place }) => place.window?.focused === true);
    expect(at.session.now()?.prompts).toMatchObject([{ id }]);
  }

  describe('the form of an MCP server', () => {
    beforeAll(async () => {
      at = await desk.open({ version, in: 'xterm', workspace: '3', shop: true });
    });
    afterAll(() => at?.claude.kill('SIGTERM'));

    /** Claude calls the tool, which may be called, and which asks for a form. */
    async function formIsAsked(): Promise<string> {
      await at.claude.type('SCN:deploy please');
      const { id } = await at.session.asks(({ answerable }) => answerable === 'hook');
      await user.answers('--to', id, '1');
      const form = await at.session.asks(({ kind }) => kind === 'elicitation');
      expect(form).toMatchObject({ title: expect.stringContaining('shop') });
      expect(form.text).toContain('Please give the deploy target');
      return form.id;
    }

    /** The form ignores a key that comes too soon; one too many does nothing in an empty prompt box. */
    async function leaves(key: Key, outcome: string): Promise<void> {
      const isOver = async () => !(await at.claude.screen()).includes('requests your input');
      const pressed = async () => (await isOver()) || void (await at.claude.press(key));
      await until(pressed, { why: 'the form to be left', every: 700, saw: at.claude.screen });
      await until(() => JSON.stringify(at.claude.transcript()).includes(outcome), { why: outcome });
      await at.session.is('idle', nothingOpen);
    }

    it('says what is asked, and is gone when it was filled in', async () => {
      await leadsToTheTerminal(await formIsAsked());
      await at.claude.shows('requests your input');
      await at.claude.ready();
      await at.claude.press('Right');
      await at.claude.shows('◯ staging');
      await at.claude.press('Space');
      await at.claude.shows(/✔ Target: .*staging/);
      await at.claude.press('Down');
      await at.claude.shows('❯ Accept');
      await leaves('Enter', 'deploy: accept staging');
    });

    it('is gone when it was left by Esc', async () => {
      await formIsAsked();
      await at.claude.ready();
      await leaves('Escape', 'deploy: cancel');
    });
  });

  describe('auto mode where its check does not get through', () => {
    beforeAll(async () => {
      at = await desk.open({ version, in: 'xterm', workspace: '4', mode: 'auto' });
    });

    it(
      version === '2.1.332' ? 'asks what to do, and then for the action' : 'asks nothing, and denies',
      async () => {
        const file = join(desk.world.folders.outside, 'x1');
        const states = at.session.since();
        await at.claude.type('SCN:bash please');
        if (version === '2.1.197') {
          await at.session.is('review', nothingOpen);
          expect(states()).not.toContain('needs-input');
          expect(existsSync(file)).toBe(false);
          return;
        }
        const dialog = await at.session.asks(({ kind }) => kind === 'dialog');
        await leadsToTheTerminal(dialog.id);
        await at.claude.shows("Auto mode can't check actions in this session");
        await desk.elsewhere();
        await at.claude.answer('Enter');
        // No hook tells of what it asks now, and its dialog has no digits.
        const prompt = await at.session.asks(({ kind }) => kind === 'permission');
        expect(prompt.id).not.toBe(dialog.id);
        await leadsToTheTerminal(prompt.id);
        await at.claude.press('Down');
        await at.claude.shows(/❯ Yes/);
        await at.claude.answer('Enter');
        await at.session.is('idle', nothingOpen);
        expect(existsSync(file)).toBe(true);
      },
    );
  });
});
