import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type Desk, type OpenClaude, type Session, startDesk } from './desk.ts';
import { VERSIONS } from './real-claude.ts';

const asksNothing = ({ compacting, prompts }: Session) => !compacting && prompts.length === 0;

describe.each(VERSIONS)('a compaction of Claude Code %s', (version) => {
  let desk: Desk;
  let at: OpenClaude;
  beforeAll(async () => {
    desk = await startDesk();
    at = await desk.open({ version, in: 'tmux', workspace: '3' });
  });
  afterAll(() => desk?.stop());

  /** Prompts Claude, waits for the end of the turn, and gives the states on the way. */
  async function turn(scenario: string, said: string): Promise<readonly string[]> {
    const states = at.session.since();
    await at.claude.type(`SCN:${scenario} please`);
    await until(() => states().at(-1) === 'review', {
      why: 'the end of the turn',
      limit: 20_000,
      saw: states,
    });
    await at.session.is('review', ({ lastMessage }) => lastMessage?.includes(said) === true);
    return states();
  }
  const compacted = () =>
    at.claude.transcript().filter(({ subtype }) => subtype === 'compact_boundary').length;

  it('that had nothing to do is over, and not told in the turns behind it', async () => {
    await turn('hello', 'Everything is fine');
    await at.claude.type('/compact');
    const over = () => at.claude.transcript().some((line) => /<local-command-std/.test(JSON.stringify(line)));
    await until(over, { why: 'the end of the command', limit: 10_000, saw: at.claude.screen });
    const { now } = at.session;
    await until(() => now()?.compacting === false, { why: 'it to be over', saw: now });
    await at.claude.type('SCN:bash please');
    await at.session.asks();
    expect(now()).toMatchObject({ compacting: false });
    await at.claude.answer('1');
    await at.session.is('review', asksNothing);
  });

  // 2.1.197 asks the model less and does not come to it in so short a talk.
  if (version === '2.1.332')
    it('that it begins by itself ends no turn, neither before the turn nor in the middle of it', async () => {
      await turn('full', 'Very much was read');
      const before = compacted();
      expect(await turn('hello', 'Everything is fine')).toEqual(['busy', 'review']);
      expect(compacted()).toBe(before + 1);
      expect(await turn('fulltool', 'webshop')).toEqual(['busy', 'review']);
      expect(compacted()).toBe(before + 2);
      await at.session.is('review', asksNothing);
    });
});
