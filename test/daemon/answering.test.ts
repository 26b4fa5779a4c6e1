import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { KeyPress } from '../../src/desktop/desktop.ts';
import { aSessionThatAsks, type Settings } from '../support/asking.ts';
import { hookBody } from '../support/hooks.ts';
import { placedIn } from '../support/sessions.ts';
import { until } from '../support/until.ts';

const screen = (name: string) => readFileSync(`test/fixtures/claude/screens/${name}.txt`, 'utf8');
const inTmux = placedIn({}, { kind: 'tmux', id: '%3', focused: false });

/** A session in a pane of tmux, whose screen can be read. */
async function inAPane(name = 'Bash', more: Record<string, unknown> = {}, settings: Settings = {}) {
  const asking = await aSessionThatAsks(name, more, settings);
  asking.desktop.place(7, inTmux);
  asking.desktop.changed();
  await until(async () => (await asking.session(7)).place.pane, { why: 'its pane' });
  const decision = async (hook: { readonly ended: Promise<string> }) =>
    JSON.parse(await hook.ended).hookSpecificOutput.decision;
  /** Claude Code takes every key, and goes on. */
  const claudeTakesKeys = () => {
    const { sends } = asking.desktop;
    asking.desktop.sends = (pid: number, press: KeyPress) => {
      const sent = sends(pid, press);
      if (sent === 'sent') {
        asking.clock.pass(20);
        void asking.tells(hookBody('Stop', { prompt_id: 'any' }));
      }
      return sent;
    };
  };
  return { ...asking, decision, claudeTakesKeys };
}

describe('a prompt whose screen can be read', () => {
  it('has the options that are on it, in the words and the order of Claude Code', async () => {
    const { asks, prompt, passes, desktop } = await inAPane();
    asks();
    await passes(200);
    desktop.screens.set(7, screen('dialog-bash-touch'));
    await passes(400);
    const { options, answerable } = await prompt();
    expect(answerable).toBe('hook');
    expect(options.map(({ key, label, means }) => [key, label, means])).toEqual([
      ['1', 'Yes', 'allow'],
      ['2', 'Yes, and always allow access to /home/ada/run from this project', 'allow-always'],
      ['3', 'Yes, and switch to auto mode · auto mode handles these prompts for you', 'mode'],
      ['4', 'No', 'deny'],
      ['g', 'Go to terminal', 'go'],
    ]);
  });

  it('offers Yes at once, and nothing that the screen could give another meaning', async () => {
    const { asks, prompt, passes, decision, answer } = await inAPane();
    const hook = asks();
    const { id, options } = await prompt(({ answerable }) => answerable === 'hook');
    expect(options.map(({ key, means }) => key + means)).toEqual(['1allow', 'ggo']);
    await answer(id, '1');
    expect(await decision(hook)).toEqual({ behavior: 'allow' });
    await passes(2_000);
  });

  it('offers what was asked when no dialog could be read there', async () => {
    const { asks, prompt, passes } = await inAPane();
    asks();
    await prompt(({ answerable }) => answerable === 'hook');
    await passes(2_000);
    expect((await prompt()).options.map(({ label }) => label)).toEqual([
      'Yes',
      'Always in this session: /home/ada/run',
      'No',
      'Go to terminal',
    ]);
  });

  it('is answered with Yes and No through its hook, and with all other options by their key', async () => {
    for (const [key, behavior] of [
      ['1', 'allow'],
      ['4', 'deny'],
    ] as const) {
      const { asks, prompt, passes, desktop, answer, decision } = await inAPane();
      desktop.screens.set(7, screen('dialog-bash-touch'));
      const hook = asks();
      await passes(300);
      await answer((await prompt()).id, key);
      expect(await decision(hook)).toMatchObject({ behavior });
      expect(desktop.pressed).toEqual([]);
    }
    const { asks, prompt, passes, desktop, replies, claudeTakesKeys } = await inAPane();
    desktop.screens.set(7, screen('dialog-bash-touch'));
    claudeTakesKeys();
    const hook = asks();
    await passes(1_000);
    const { id } = await prompt();
    expect(await replies(id, { keys: ['2'] })).toMatchObject({ status: 200, way: 'keys' });
    expect(desktop.pressed).toEqual([{ pid: 7, key: '2', mark: id }]);
    expect(await hook.ended).toBe('');
  });

  it('sends one key for two clicks at once', async () => {
    const { asks, prompt, passes, desktop, replies, claudeTakesKeys } = await inAPane();
    desktop.screens.set(7, screen('dialog-bash-touch'));
    claudeTakesKeys();
    asks();
    await passes(1_000);
    const { id } = await prompt();
    const both = await Promise.all([replies(id, { keys: ['2'] }), replies(id, { keys: ['2'] })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(desktop.pressed).toHaveLength(1);
  });

  it('says so when Claude did not go on after a key', async () => {
    const { asks, prompt, passes, desktop, replies } = await inAPane();
    desktop.screens.set(7, screen('dialog-bash-touch'));
    asks();
    await passes(1_000);
    const { id } = await prompt();
    const reply = replies(id, { keys: ['2'] });
    await until(() => desktop.pressed.length === 1, { why: 'the key' });
    await passes(3_000);
    expect(await reply).toMatchObject({
      status: 500,
      error: { message: expect.stringContaining('did not go on') },
    });
  });

  it('gets no key while the screen shows another dialog, or none', async () => {
    for (const now of ['dialog-bash-npm-install', 'screen-api-retry']) {
      const { asks, prompt, passes, desktop, replies } = await inAPane();
      desktop.screens.set(7, screen('dialog-bash-touch'));
      asks();
      await passes(1_000);
      const { id } = await prompt();
      desktop.screens.set(7, screen(now));
      const reply = replies(id, { keys: ['2'] });
      for (let step = 0; step < 4; step++) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        await passes(600);
      }
      expect(await reply).toMatchObject({ status: 409, error: { code: 'refused' } });
      expect(desktop.pressed).toEqual([]);
    }
  });

  it('gets no key while another prompt of its session is open; Yes still goes through its hook', async () => {
    const { asks, prompt, passes, desktop, replies, decision } = await inAPane();
    desktop.screens.set(7, screen('dialog-bash-touch'));
    const hook = asks();
    await passes(1_000);
    const { id } = await prompt();
    asks('Bash.in-subagent', { agent_id: 'one' });
    await prompt(({ agent }) => agent === 'one');
    expect(await replies(id, { keys: ['2'] })).toMatchObject({ status: 409 });
    expect(desktop.pressed).toEqual([]);
    expect(await replies(id, { keys: ['1'] })).toMatchObject({ status: 200, way: 'hook' });
    expect(await decision(hook)).toEqual({ behavior: 'allow' });
  });

  it('is answered by its keys when it has no hook: the daemon was started again, or there are no hooks', async () => {
    const { asks, waits, prompt, passes, desktop, replies, observe, clock } = await noHooks();
    expect(asks).toBeDefined();
    desktop.screens.set(7, screen('dialog-bash-touch'));
    waits();
    await passes(1_500);
    const { id, answerable, options } = await prompt(({ answerable: how }) => how === 'keys');
    expect({ answerable, keys: options.map(({ key }) => key) }).toEqual({
      answerable: 'keys',
      keys: ['1', '2', '3', '4', 'g'],
    });
    const { sends } = desktop;
    desktop.sends = (pid, press) => {
      const sent = sends(pid, press);
      clock.pass(10);
      observe(7, { ...level, at: clock.now(), status: 'busy', statusAt: clock.now() });
      return sent;
    };
    expect(await replies(id, { keys: ['4'] })).toMatchObject({ status: 200, way: 'keys' });
    expect(desktop.pressed).toEqual([{ pid: 7, key: '4', mark: id }]);
  });

  it('of which no hook told gets no key for a dialog that came after it', async () => {
    const { waits, prompt, passes, desktop, replies } = await noHooks();
    desktop.screens.set(7, screen('dialog-bash-touch'));
    waits();
    await passes(1_500);
    const { id } = await prompt(({ answerable }) => answerable === 'keys');
    desktop.screens.set(7, screen('dialog-bash-npm-install'));
    const reply = replies(id, { keys: ['1'] });
    for (let step = 0; step < 4; step++) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      await passes(600);
    }
    expect(await reply).toMatchObject({ status: 409 });
    expect(desktop.pressed).toEqual([]);
  });

  const level = {
    type: 'session-file',
    waitingFor: null,
    sessionId: null,
    name: null,
  } as const;

  async function noHooks() {
    const asking = await inAPane();
    const { observe, clock } = asking;
    const waits = () =>
      observe(7, {
        ...level,
        at: clock.now(),
        status: 'waiting',
        statusAt: clock.now(),
        waitingFor: 'permission prompt',
      });
    return { ...asking, waits };
  }

  it('b10: that is a plan is approved by what was asked, given back unchanged', async () => {
    const body = hookBody('PermissionRequest.ExitPlanMode');
    const { asks, prompt, passes, desktop, answer, decision } = await inAPane('ExitPlanMode');
    desktop.screens.set(7, screen('dialog-exitplanmode'));
    const hook = asks();
    await passes(300);
    const { id, options, kind } = await prompt();
    expect(kind).toBe('plan');
    expect(options.map(({ key, means }) => key + means)).toEqual(['1mode', '2allow', '3deny', 'ggo']);
    await answer(id, '2');
    expect(await decision(hook)).toEqual({ behavior: 'allow', updatedInput: body.tool_input });
  });

  it('that is a plan offers nothing before its screen was read: its first option is another on every screen', async () => {
    const { asks, prompt, passes } = await inAPane('ExitPlanMode');
    asks();
    const { options } = await prompt(({ answerable }) => answerable === 'hook');
    expect(options.map(({ key }) => key)).toEqual(['g']);
    await passes(2_000);
    expect((await prompt()).options.map(({ key, means }) => key + means)).toEqual([
      '1allow',
      '2mode',
      '3deny',
      'ggo',
    ]);
  });

  it('that is a plan goes back to Claude with words of the user', async () => {
    const { asks, prompt, passes, desktop, replies, decision } = await inAPane('ExitPlanMode');
    desktop.screens.set(7, screen('dialog-exitplanmode'));
    const hook = asks();
    await passes(300);
    await replies((await prompt()).id, { keys: ['3'], text: 'Add a rollback step first' });
    expect(await decision(hook)).toEqual({ behavior: 'deny', message: 'Add a rollback step first' });
  });
});

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

describe('what the configuration says', () => {
  it('lets Claude go on after a No', async () => {
    const settings = { config: { prompts: { 'go-on-after-no': true } } };
    const { asks, prompt, answer } = await aSessionThatAsks('Bash', {}, settings);
    const hook = asks();
    await answer((await prompt(({ answerable }) => answerable === 'hook')).id, '3');
    expect(JSON.parse(await hook.ended).hookSpecificOutput.decision).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/\S/),
    });
  });

  it('lets Yes to what is too long for a bar wait until it was shown', async () => {
    const settings = { config: { prompts: { 'show-before-yes': true } } };
    const long = { tool_input: { command: `echo ${'x'.repeat(100)}; rm -rf /etc` } };
    const { asks, prompt, replies, ask } = await aSessionThatAsks('Bash', long, settings);
    const hook = asks();
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    expect(await replies(id, { keys: ['1'] })).toMatchObject({
      status: 409,
      error: { hint: `see it first: tsmux show ${id}` },
    });
    expect(hook.printed()).toBeNull();
    await ask('GET', `/v1/prompts/${id}`);
    expect(await replies(id, { keys: ['1'] })).toMatchObject({ status: 200 });

    const short = await aSessionThatAsks('Bash', { tool_input: { command: 'ls' } }, settings);
    short.asks();
    const whole = await short.prompt(({ answerable }) => answerable === 'hook');
    expect(await short.replies(whole.id, { keys: ['1'] })).toMatchObject({ status: 200 });
  });
});
