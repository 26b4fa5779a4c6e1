import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { WirePrompt } from '../../src/daemon/wire.ts';
import { aSessionThatAsks } from '../support/asking.ts';
import { hookBody } from '../support/hooks.ts';
import { until } from '../support/until.ts';

/** Who comes now, and never sends all of his request, is shown the door. */
async function limitsHavePassed(path: string): Promise<void> {
  const slow = connect(path).resume();
  slow.write('POST /v1/hook HTTP/1.1\r\n');
  await once(slow, 'close');
}

describe('a prompt of the main thread', () => {
  it('b1: is there at once, with what Claude suggests, in its order, and is answered through its hook', async () => {
    const suggestions = [
      {
        type: 'addRules',
        rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }],
        behavior: 'allow',
        destination: 'localSettings',
      },
    ];
    const { asks, prompt, answer, session } = await aSessionThatAsks('Bash', {
      permission_suggestions: suggestions,
    });
    const hook = asks();
    const { id, options, answerable } = await prompt();
    expect((await session(7)).state).toBe('needs-input');
    expect(answerable).toBe('hook');
    expect(options.map(({ key, label, means }) => [key, label, means])).toEqual([
      ['1', 'Yes', 'allow'],
      ['2', 'Always: Bash(npm test:*)', 'allow-always'],
      ['3', 'No', 'deny'],
      ['g', 'Go to terminal', 'go'],
    ]);
    const { status, text } = await answer(id, '2');
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ prompt: id, way: 'hook', option: { key: '2' } });
    expect(JSON.parse(await hook.ended)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'allow', updatedPermissions: suggestions },
      },
    });
    expect((await session(7)).prompts).toEqual([]);
  });

  it('b14: that is denied tells Claude where from, and stops it as its own No does', async () => {
    const { asks, prompt, answer } = await aSessionThatAsks();
    const hook = asks();
    const { id, options } = await prompt();
    await answer(id, options.find(({ means }) => means === 'deny')?.key ?? '');
    expect(JSON.parse(await hook.ended).hookSpecificOutput.decision).toEqual({
      behavior: 'deny',
      message: expect.stringMatching(/\S/),
      interrupt: true,
    });
  });

  it('that is denied with words hands them to Claude, which goes on', async () => {
    const { asks, prompt, ask } = await aSessionThatAsks();
    const hook = asks();
    const { id } = await prompt();
    await ask('POST', `/v1/prompts/${id}/answer`, { keys: ['3'], text: 'use pnpm' });
    expect(JSON.parse(await hook.ended).hookSpecificOutput.decision).toEqual({
      behavior: 'deny',
      message: 'use pnpm',
    });
  });

  it('is held for eleven minutes and more, whatever time limits the server has', async () => {
    const { asks, prompt, answer, clock, server, socket } = await aSessionThatAsks(
      'Bash',
      {},
      { server: { connectionsCheckingInterval: 10 } },
    );
    const hook = asks();
    const { id } = await prompt();
    clock.pass(11 * 60_000);
    Object.assign(server, { headersTimeout: 1, requestTimeout: 1 });
    await limitsHavePassed(socket);
    Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
    expect(hook.printed()).toBeNull();
    expect((await answer(id, '1')).status).toBe(200);
    expect(await hook.ended).toContain('"behavior":"allow"');
  });

  it('stays open, under its id, when its hook ends; then it can only be answered in its terminal', async () => {
    const { asks, prompt, answer } = await aSessionThatAsks();
    const hook = asks();
    const { id } = await prompt();
    hook.kill();
    const after = await prompt(({ answerable }) => answerable === 'no');
    expect(after).toMatchObject({ id, options: [{ key: 'g' }] });
    const refused = await answer(id, '1');
    expect(refused.status).toBe(409);
    expect(JSON.parse(refused.text)).toMatchObject({ error: { code: 'refused' } });
  });

  it('that two hooks tell of is one, and the older hook leaves it to the newer', async () => {
    const { asks, prompt, prompts, answer } = await aSessionThatAsks();
    const first = asks();
    const { id } = await prompt();
    const second = asks();
    expect(await first.ended).toBe('');
    expect(await prompts()).toHaveLength(1);
    await answer(id, '1');
    expect(await second.ended).toContain('allow');
  });

  it('g13, b7: is released with no decision when the daemon ends', async () => {
    const { asks, prompt, wiring } = await aSessionThatAsks();
    const hook = asks();
    await prompt();
    await wiring.stop();
    expect(await hook.ended).toBe('');
  });
});

describe('a prompt that was settled elsewhere', () => {
  it('b3, b5: ends its hook with no output, and a click that comes 1 ms later answers nothing', async () => {
    const { asks, prompt, prompts, answer, tells, clock } = await aSessionThatAsks();
    const hook = asks();
    const { id } = await prompt();
    clock.pass(5);
    await tells(hookBody('PostToolUse.Bash', { tool_input: hookBody('PermissionRequest.Bash').tool_input }));
    clock.pass(1);
    const late = await answer(id, '1');
    expect(late.status).toBe(409);
    expect(JSON.parse(late.text).error).toMatchObject({
      code: 'refused',
      message: 'the prompt has been settled already',
    });
    expect(await hook.ended).toBe('');
    expect(await prompts()).toEqual([]);
  });

  it.each(['Stop', 'UserPromptSubmit'])(
    'b4: by a No in the terminal, of which only %s tells',
    async (event) => {
      const { asks, prompt, tells, clock } = await aSessionThatAsks();
      const hook = asks();
      await prompt();
      clock.pass(5);
      await tells(hookBody(event, { prompt_id: 'another' }));
      expect(await hook.ended).toBe('');
    },
  );

  it('before its hook was heard is not held at all', async () => {
    const { asks, prompts, tells, clock } = await aSessionThatAsks();
    const body = hookBody('PermissionRequest.Bash');
    clock.pass(10);
    await tells(hookBody('PostToolUse.Bash', { tool_input: body.tool_input }));
    clock.pass(-5);
    const late = asks();
    expect(await late.ended).toBe('');
    expect(await prompts()).toEqual([]);
  });

  it('by the next one of the same thread gives way to it', async () => {
    const { asks, prompt, prompts, answer, clock } = await aSessionThatAsks();
    const first = asks('Bash');
    const { id: old } = await prompt();
    clock.pass(100);
    const second = asks('Write');
    const { id } = await prompt(({ title }) => title === 'Write');
    expect(await first.ended).toBe('');
    expect((await answer(old, '1')).status).toBe(409);
    expect(second.printed()).toBeNull();
    expect((await prompts()).map((one) => one.id)).toEqual([id]);
  });

  it('a21: with its session ends its hook', async () => {
    const { asks, prompt, ends } = await aSessionThatAsks();
    const hook = asks();
    await prompt();
    ends(7);
    expect(await hook.ended).toBe('');
  });
});

describe('a session that nobody sits at', () => {
  const started = (kind: 'print' | 'sdk', at: number) =>
    ({
      type: 'process-seen',
      at: at + 1,
      kind,
      entrypoint: 'sdk-cli',
      cwd: '/home/ada',
      configDir: null,
      startedAt: at,
    }) as const;

  it.each(['print', 'sdk'] as const)('(%s) is not held, unless it is configured', async (kind) => {
    const { asks, observe, clock, session } = await aSessionThatAsks();
    observe(7, started(kind, clock.now()));
    await until(async () => (await session(7)).kind === kind, { why: 'its kind' });
    expect(await asks().ended).toBe('');

    const held = await aSessionThatAsks('Bash', {}, { config: { prompts: { 'hold-print': true } } });
    held.observe(7, started(kind, held.clock.now()));
    const hook = held.asks();
    const { id } = await held.prompt(({ answerable }) => answerable === 'hook');
    await held.answer(id, '1');
    expect(await hook.ended).toContain('allow');
  });
});

describe('what is too large or too strange', () => {
  it('b15: is cut in the snapshot, whole when it is asked for, and never allowed for good', async () => {
    const command = `echo \x1b]0;x\x07 \u202e <b> & "q"\n${'x'.repeat(2 << 20)} && rm -rf /etc`;
    const { asks, prompt, ask, answer } = await aSessionThatAsks('Bash', {
      tool_input: { command },
      permission_suggestions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'echo *' }],
          behavior: 'allow',
          destination: 'localSettings',
        },
      ],
    });
    const hook = asks();
    const told = await prompt(({ answerable }) => answerable === 'hook');
    expect(told.text.length).toBeLessThan(5_000);
    expect(told.text).toMatch(/….*rm -rf \/etc$/s);
    expect(told.truncated).toBe(true);
    expect(told.options.map(({ means }) => means)).toEqual(['allow', 'deny', 'go']);
    const whole = JSON.parse((await ask('GET', `/v1/prompts/${told.id}`)).text) as WirePrompt;
    expect(whole.text).toBe(command);
    await answer(told.id, '1');
    // The input is Claude's own, not what was shown.
    expect(JSON.parse(await hook.ended).hookSpecificOutput.decision).toEqual({ behavior: 'allow' });
  });

  it('b17: without a hook of its own needs input, and leads to the terminal only', async () => {
    const { tells, prompt, session, answer } = await aSessionThatAsks();
    await tells(hookBody('Notification.permission_prompt'));
    const { id, answerable, options } = await prompt();
    expect((await session(7)).state).toBe('needs-input');
    expect({ answerable, options }).toMatchObject({ answerable: 'no', options: [{ key: 'g' }] });
    expect((await answer(id, '1')).status).toBe(409);
  });

  it.each([
    [0, 1],
    [30, 0],
  ])(
    'b18: is held and on the bar, in quiet time (%i min) as ever: only its notification is not',
    async (minutes, notified) => {
      const daemon = await aSessionThatAsks();
      if (minutes > 0) await daemon.ask('PUT', '/v1/quiet', { minutes });
      await daemon.passes(1_000);
      const hook = daemon.asks();
      const { id } = await daemon.prompt(({ answerable }) => answerable === 'hook');
      await daemon.passes(1_000);
      const { text } = await daemon.ask('GET', '/v1/bar/i3bar?once=1');
      expect(text).toContain(`/${id}/1"`);
      expect(daemon.notified.told).toHaveLength(notified);
      expect((await daemon.answer(id, '1')).status).toBe(200);
      expect(await hook.ended).toContain('"allow"');
    },
  );

  it('b20: in bypassPermissions a notification makes no prompt', async () => {
    const { tells, session, clock } = await aSessionThatAsks();
    await tells(hookBody('UserPromptSubmit', { permission_mode: 'bypassPermissions' }));
    clock.pass(10);
    await tells(hookBody('Notification.permission_prompt', { permission_mode: undefined }));
    expect(await session(7)).toMatchObject({
      state: 'busy',
      prompts: [],
      permissionMode: 'bypassPermissions',
    });
  });
});
