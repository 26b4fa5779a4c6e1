import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { contribKeys, inMode, keysAreDone } from './i3-mode.ts';
import { type Lab, startLab } from './lab.ts';
import { hasFocus, shows, texts } from './on-the-bar.ts';
import { type OpenSession, openSession } from './sessions.ts';

/** The mode of contrib/i3/config, entered and left by real keys. */
describe('the mode for answers under i3', () => {
  let lab: Lab;
  let web: OpenSession;
  let api: OpenSession;

  beforeAll(async () => {
    lab = await startLab({ bar: { command: 'tsmux i3bar' }, config: contribKeys() });
    expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
    web = await openSession(lab, { name: 'web', workspace: '3' });
    api = await openSession(lab, { name: 'api', workspace: '4' });
    await lab.i3.command('workspace 1');
  });
  afterAll(() => lab?.stop());

  /** Sessions that ask, oldest first, with what tells the pinned one. */
  async function open(): Promise<readonly [string, boolean][]> {
    const { prompts } = JSON.parse((await lab.tsmux(['prompts', '--json'])).stdout);
    return prompts.map(({ session, pinned }: { session: { name: string }; pinned: boolean }) => [
      session.name,
      pinned,
    ]);
  }
  async function isOpen(...expected: readonly (readonly [string, boolean])[]): Promise<void> {
    await until(async () => JSON.stringify(await open()) === JSON.stringify(expected), {
      why: `open: ${JSON.stringify(expected)}`,
      limit: 15_000,
      saw: async () => [await open(), texts(lab.bar)],
    });
  }
  async function bothAsk(): Promise<void> {
    web.prompt('SCN:bash please');
    await isOpen(['web', false]);
    api.prompt('SCN:npm please');
    await isOpen(['web', false], ['api', false]);
  }
  const lastAnswers = async (count: number) => {
    const { entries } = JSON.parse((await lab.tsmux(['history', '--json'])).stdout);
    return entries
      .slice(-count)
      .map(({ name, outcome }: { name: string; outcome: { means?: string } }) => [name, outcome.means]);
  };

  it('pins the oldest prompt and marks it; digits answer it, and after it nothing until the next is pinned', async () => {
    await bothAsk();
    await lab.key('super+a');
    await inMode(lab, 'answer');
    await isOpen(['web', true], ['api', false]);
    await shows(lab.bar, 'web', '◆');
    expect(lab.bar.block('api').sent.full_text).not.toContain('◆');

    await lab.key('1');
    await isOpen(['api', false]);
    await inMode(lab, 'answer');
    await lab.key('1', '1', '3');
    await keysAreDone(lab);
    expect(await open()).toEqual([['api', false]]);

    await lab.key('super+a');
    await isOpen(['api', true]);
    await lab.key('3');
    await isOpen();
    expect(await lastAnswers(2)).toEqual([
      ['web', 'allow'],
      ['api', 'deny'],
    ]);
    await lab.key('Return');
    await inMode(lab, 'default');
  });

  it('is left by Escape, which takes the pin away and answers nothing', async () => {
    await bothAsk();
    await lab.key('super+a');
    await isOpen(['web', true], ['api', false]);
    await lab.key('Escape');
    await inMode(lab, 'default');
    await isOpen(['web', false], ['api', false]);
    expect(texts(lab.bar).join()).not.toContain('◆');
  });

  it('leads to the terminal of the pinned prompt by g, and is left', async () => {
    await lab.key('super+a');
    await isOpen(['web', true], ['api', false]);
    await lab.key('g');
    await inMode(lab, 'default');
    await hasFocus(lab.i3, web.terminal);
    expect((await open()).map(([name]) => name)).toEqual(['web', 'api']);
  });
});
