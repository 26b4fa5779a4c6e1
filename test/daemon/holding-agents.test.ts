import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/sessions/observation.ts';
import { aSessionThatAsks, inAPane, type Settings } from '../support/asking.ts';
import { settled } from '../support/passing.ts';
import { placedIn } from '../support/sessions.ts';
import { until } from '../support/until.ts';

/** What the session file says while a dialog is on the screen. */
const waiting = (at: number): Observation => ({
  type: 'session-file',
  at,
  status: 'waiting',
  statusAt: at,
  waitingFor: 'permission prompt',
  sessionId: null,
  name: null,
});

/** Somewhere that nobody looks at. */
const elsewhere = placedIn({ focused: false });

describe('a prompt of a sub-agent', () => {
  const fromAgent = 'Bash.in-subagent';
  const away = async (settings: Settings = {}) => {
    const asking = await aSessionThatAsks(fromAgent, {}, settings);
    asking.desktop.place(7, elsewhere);
    asking.desktop.changed();
    await until(async () => (await asking.session(7)).place.certainty === 'exact', { why: 'its place' });
    return asking;
  };

  it('b13, b9: is held for a minute at most while nobody looks, then it is left to Claude, and stays open', async () => {
    const { asks, prompt, clock } = await away();
    const hook = asks();
    const { id, agent } = await prompt(({ answerable }) => answerable === 'hook');
    expect(agent).not.toBeNull();
    clock.pass(59_000);
    await settled();
    expect(hook.printed()).toBeNull();
    clock.pass(1_000);
    expect(await hook.ended).toBe('');
    expect(await prompt(({ answerable }) => answerable === 'no')).toMatchObject({ id });
  });

  it('is held as long as the configuration says', async () => {
    const { asks, prompt, clock } = await away({ config: { prompts: { 'agent-hold': 5 } } });
    const hook = asks();
    await prompt(({ answerable }) => answerable === 'hook');
    clock.pass(5_000);
    expect(await hook.ended).toBe('');
  });

  it('is not held where it cannot be gone to, nor while its window has the focus', async () => {
    const { asks, prompt } = await aSessionThatAsks(fromAgent);
    expect(await asks().ended).toBe('');
    await prompt(({ answerable }) => answerable === 'no');

    const looked = await away();
    looked.desktop.place(7, placedIn({ focused: true }));
    looked.desktop.changed();
    await until(async () => (await looked.session(7)).place.window?.focused, { why: 'the focus' });
    expect(await looked.asks().ended).toBe('');
  });

  it('is left to Claude as soon as its window gets the focus, and its dialog can be seen', async () => {
    const { asks, prompt, desktop } = await away();
    const hook = asks();
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    desktop.place(7, placedIn({ focused: true }));
    desktop.changed();
    expect(await hook.ended).toBe('');
    expect(await prompt(({ answerable }) => answerable === 'no')).toMatchObject({ id });
  });

  it('is held on where it runs in the foreground, as its dialog can be seen all the time', async () => {
    const { asks, prompt, desktop, clock, answer, observe } = await away();
    const hook = asks();
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    observe(7, waiting(clock.now()));
    desktop.place(7, placedIn({ focused: true }));
    desktop.changed();
    clock.pass(120_000);
    await settled();
    expect(hook.printed()).toBeNull();
    expect((await answer(id, '1')).status).toBe(200);
    expect(await hook.ended).toContain('"allow"');
  });

  it('has the options of its dialog, however long after the end of its hold that is drawn', async () => {
    const { asks, prompt, desktop, passes, observe, clock } = await inAPane(fromAgent);
    const hook = asks();
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    await passes(60_000);
    expect(await hook.ended).toBe('');
    await passes(6_000);
    desktop.screens.set(
      7,
      readFileSync('test/fixtures/claude/screens/dialog-bash-from-subagent.txt', 'utf8'),
    );
    observe(7, waiting(clock.now()));
    await passes(1_000);
    expect(await prompt(({ answerable }) => answerable === 'keys')).toMatchObject({ id });
  });

  it('is left to Claude when its pane gets the focus, of which no window tells', async () => {
    const { asks, prompt, desktop, clock } = await away();
    const pane = (focused: boolean) => placedIn({ focused: true }, { kind: 'screen', id: '1', focused });
    desktop.place(7, pane(false));
    desktop.changed();
    const hook = asks();
    await prompt(({ answerable }) => answerable === 'hook');
    await settled();
    desktop.place(7, pane(true));
    clock.pass(1_000);
    expect(await hook.ended).toBe('');
  });

  it('is answered through its hook, alone, while another one is held', async () => {
    const { asks, prompt, prompts, answer } = await away();
    const first = asks(fromAgent, { agent_id: 'one' });
    const second = asks(fromAgent, { agent_id: 'two' });
    const { id } = await prompt(({ agent }) => agent === 'two');
    await prompt(({ agent }) => agent === 'one');
    await answer(id, '1');
    expect(await second.ended).toContain('allow');
    await settled();
    expect(first.printed()).toBeNull();
    expect((await prompts()).map(({ agent }) => agent)).toEqual(['one']);
  });
});
