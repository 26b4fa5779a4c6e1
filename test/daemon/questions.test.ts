import { describe, expect, it } from 'vitest';
import { aSessionThatAsks } from '../support/asking.ts';
import { hookBody } from '../support/hooks.ts';

describe('questions', () => {
  const { tool_input } = hookBody('PermissionRequest.AskUserQuestion');

  it('b11: are answered all at once, under their texts, with what was asked given back', async () => {
    const { asks, prompt, replies } = await aSessionThatAsks('AskUserQuestion');
    const hook = asks();
    const { id, kind, questions } = await prompt(({ answerable }) => answerable === 'hook');
    expect({ kind, asked: questions.map(({ text, multiSelect }) => [text, multiSelect]) }).toEqual({
      kind: 'question',
      asked: [
        ['Which database?', false],
        ['Which features?', true],
      ],
    });
    expect(await replies(id, { keys: ['2', '1,2'] })).toMatchObject({ status: 200, way: 'hook' });
    expect(JSON.parse(await hook.ended).hookSpecificOutput.decision).toEqual({
      behavior: 'allow',
      updatedInput: {
        ...(tool_input as object),
        answers: { 'Which database?': 'SQLite', 'Which features?': 'Search, Cart' },
      },
    });
  });

  it('take words of the user, for one of them and beside choices', async () => {
    const { asks, prompt, replies } = await aSessionThatAsks('AskUserQuestion');
    const hook = asks();
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    await replies(id, { keys: ['t', '1'], text: 'CockroachDB, for its replication' });
    expect(JSON.parse(await hook.ended).hookSpecificOutput.decision.updatedInput.answers).toEqual({
      'Which database?': 'CockroachDB, for its replication',
      'Which features?': 'Search',
    });
  });

  it.each([
    [['1'], 'one key for each'],
    [['3', '1'], 'has no choice 3'],
    [['1,2', '1'], 'takes one answer'],
    [['1', '1', '1'], 'one key for each'],
  ])('refuse %j and say why', async (keys, why) => {
    const { asks, prompt, replies } = await aSessionThatAsks('AskUserQuestion');
    const hook = asks();
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    expect(await replies(id, { keys })).toMatchObject({
      status: 409,
      error: { code: 'refused', message: expect.stringContaining(why) },
    });
    expect(hook.printed()).toBeNull();
  });

  it('are asked one after the other on the bar, and answered by clicks', async () => {
    const { asks, prompt, ask, clock } = await aSessionThatAsks('AskUserQuestion');
    const hook = asks();
    await prompt(({ answerable }) => answerable === 'hook');
    const blocks = async (): Promise<{ instance: string; full_text: string }[]> =>
      JSON.parse((await ask('GET', '/v1/bar/i3bar?once=1')).text).blocks;
    const texts = async () => (await blocks()).map(({ full_text }) => full_text.trim());
    const click = async (label: string) => {
      clock.pass(600);
      const block = (await blocks()).find(({ full_text }) => full_text.includes(label));
      return ask('POST', '/v1/click', { bar: 'i3bar', instance: block?.instance, button: 1 });
    };
    expect(await texts()).toEqual([
      expect.stringContaining('1/2 Which database?'),
      '1 PostgreSQL',
      '2 SQLite',
      '3 No',
      '→',
    ]);
    const [, first] = await blocks();
    expect((await click('SQLite')).status).toBe(200);
    expect(await texts()).toEqual([
      expect.stringContaining('2/2 Which features?'),
      '1 Search',
      '2 Cart',
      '3 Done',
      '4 No',
      '→',
    ]);
    // The second click of a double click was meant for the first question.
    const again = await ask('POST', '/v1/click', { bar: 'i3bar', instance: first?.instance, button: 1 });
    expect(again.status).toBe(409);
    await click('Search');
    expect(await texts()).toContain('1 ✓ Search');
    await click('Cart');
    await click('Search');
    await click('Done');
    expect(JSON.parse(await hook.ended).hookSpecificOutput.decision.updatedInput.answers).toEqual({
      'Which database?': 'SQLite',
      'Which features?': 'Cart',
    });
  });

  it('answered one by one with keys do not take a key that repeats for the next one', async () => {
    const { asks, prompt, replies, clock } = await aSessionThatAsks('AskUserQuestion');
    const hook = asks();
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    const step = { keys: ['1'], step: true };
    expect(await replies(id, step)).toMatchObject({ status: 200, asking: 1 });
    clock.pass(499);
    expect(await replies(id, step)).toMatchObject({ status: 409, error: { code: 'refused' } });
    clock.pass(1);
    expect(await replies(id, step)).toMatchObject({ status: 200, asking: 1 });
    await replies(id, { keys: ['3'], step: true });
    expect(JSON.parse(await hook.ended).hookSpecificOutput.decision.updatedInput.answers).toEqual({
      'Which database?': 'PostgreSQL',
      'Which features?': 'Search',
    });
  });

  it('that are not answered are denied, with a message', async () => {
    const { asks, prompt, replies } = await aSessionThatAsks('AskUserQuestion');
    const hook = asks();
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    await replies(id, { keys: ['3'] });
    expect(JSON.parse(await hook.ended).hookSpecificOutput.decision).toMatchObject({
      behavior: 'deny',
      message: expect.stringMatching(/\S/),
    });
  });
});
