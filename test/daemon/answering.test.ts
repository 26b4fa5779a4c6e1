import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { aSessionThatAsks, inAPane } from '../support/asking.ts';
import { hookBody } from '../support/hooks.ts';
import { until } from '../support/until.ts';

const screen = (name: string) => readFileSync(`test/fixtures/claude/screens/${name}.txt`, 'utf8');

/** What the reply is, while time passes. */
async function passing<T>(passes: (ms: number) => Promise<void>, reply: Promise<T>): Promise<T> {
  let settled = false;
  void reply.finally(() => {
    settled = true;
  });
  await until(
    async () => {
      await passes(600);
      return settled;
    },
    { why: 'the reply' },
  );
  return reply;
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
      expect(await passing(passes, reply)).toMatchObject({ status: 409, error: { code: 'refused' } });
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
    expect(await passing(passes, reply)).toMatchObject({ status: 409 });
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

describe('a prompt of a session that is suspended (Ctrl-Z)', () => {
  it('takes no answer, neither through its hook nor by a key, says why, and takes it when the session is back', async () => {
    const { asks, prompt, passes, desktop, claude, replies, answer, decision } = await inAPane();
    desktop.screens.set(7, screen('dialog-bash-touch'));
    const hook = asks();
    await passes(200);
    const { id } = await prompt(({ options }) => options.length === 5);
    claude.stopped.add(7);
    for (const key of ['1', '2']) {
      expect(await replies(id, { keys: [key] })).toMatchObject({
        status: 409,
        error: { code: 'refused', message: 'its Claude Code is suspended, and would take no answer' },
      });
    }
    expect(await replies(id, { keys: ['g'] })).toMatchObject({ status: 200, way: 'go' });
    expect(desktop.pressed).toEqual([]);
    expect((await prompt()).id).toBe(id);
    claude.stopped.delete(7);
    await answer(id, '1');
    expect(await decision(hook)).toEqual({ behavior: 'allow' });
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
