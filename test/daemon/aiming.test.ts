import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WireHistory, WireOpenPrompt } from '../../src/daemon/wire.ts';
import type { Observation } from '../../src/sessions/observation.ts';
import { aSessionThatAsks } from '../support/asking.ts';
import { hookBody } from '../support/hooks.ts';
import { follow } from '../support/program.ts';
import { placedIn } from '../support/sessions.ts';
import { until } from '../support/until.ts';

interface Line {
  readonly line: number;
  readonly blocks: readonly { readonly instance: string; readonly full_text: string }[];
}

describe('an answer that names no prompt', () => {
  it('goes to the only one that is open, when it has been open for half a second', async () => {
    const { asks, prompt, replies, clock } = await aSessionThatAsks();
    const hook = asks();
    await prompt(({ answerable }) => answerable === 'hook');
    clock.pass(499);
    expect(await replies('only', { keys: ['1'] })).toMatchObject({
      status: 409,
      error: { code: 'refused', message: 'the prompt has only just come up' },
    });
    clock.pass(1);
    expect(await replies('only', { keys: ['1'] })).toMatchObject({ status: 200 });
    expect(await hook.ended).toContain('allow');
  });

  it('is refused where several are open, or none', async () => {
    const { asks, prompt, replies, clock } = await aSessionThatAsks();
    expect(await replies('only', { keys: ['1'] })).toMatchObject({
      status: 404,
      error: { code: 'no-such-prompt' },
    });
    asks();
    await prompt();
    asks('Bash.in-subagent');
    await prompt(({ agent }) => agent !== null);
    clock.pass(1_000);
    expect(await replies('only', { keys: ['1'] })).toMatchObject({
      status: 409,
      error: { code: 'not-unique' },
    });
  });

  it('but a session goes to its only prompt, not to one that has just taken its place', async () => {
    const { asks, prompt, replies, clock } = await aSessionThatAsks();
    asks();
    await prompt();
    clock.pass(5_000);
    const next = asks('Write');
    await prompt(({ title }) => title === 'Write');
    expect(await replies('pid:7', { keys: ['1'] })).toMatchObject({
      status: 409,
      error: { code: 'refused' },
    });
    expect(next.printed()).toBeNull();
    clock.pass(500);
    expect(await replies('pid:7', { keys: ['1'] })).toMatchObject({ status: 200 });
  });

  it('to a prompt that never was, or a session that asks nothing, is told so', async () => {
    const { replies, session } = await aSessionThatAsks();
    expect(await replies('pnone', { keys: ['1'] })).toMatchObject({ error: { code: 'no-such-prompt' } });
    expect(await replies((await session(7)).id, { keys: ['1'] })).toMatchObject({
      error: { code: 'no-such-prompt' },
    });
    expect(await replies('nobody', { keys: ['1'] })).toMatchObject({ error: { code: 'no-such-session' } });
  });
});

describe('the pinned prompt', () => {
  const twoOpen = async () => {
    const asking = await aSessionThatAsks();
    const { desktop, asks, prompt, session, clock } = asking;
    desktop.place(7, placedIn({}));
    desktop.changed();
    await until(async () => (await session(7)).place.certainty === 'exact', { why: 'its place' });
    const first = asks();
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    clock.pass(100);
    const second = asks('Bash.in-subagent');
    await prompt(({ agent, answerable }) => agent !== null && answerable === 'hook');
    return { ...asking, first, second, id };
  };

  it('is the oldest one, or the one that was said; keys go to it and to no other', async () => {
    const { ask, replies, first, second, prompt, id } = await twoOpen();
    expect(await replies('pinned', { keys: ['1'] })).toMatchObject({
      status: 409,
      error: { code: 'refused', message: 'no prompt is pinned' },
    });
    const pinned = JSON.parse((await ask('POST', '/v1/pin')).text) as WireOpenPrompt;
    expect(pinned).toMatchObject({ id, pinned: true, session: { name: 's7' } });
    const other = await prompt(({ agent }) => agent !== null);
    expect(JSON.parse((await ask('POST', '/v1/pin', { prompt: other.id })).text)).toMatchObject({
      id: other.id,
      pinned: true,
    });
    expect(await replies('pinned', { keys: ['1'] })).toMatchObject({ status: 200, prompt: other.id });
    expect(await second.ended).toContain('allow');
    expect(first.printed()).toBeNull();
  });

  it('is marked on the bar and stays so when that is drawn anew; nothing takes its place when it is settled', async () => {
    const { ask, replies, first, prompt, id, clock, tells } = await twoOpen();
    await ask('POST', '/v1/pin');
    const pinned = async () =>
      (JSON.parse((await ask('GET', '/v1/prompts')).text) as { prompts: WireOpenPrompt[] }).prompts
        .filter((one) => one.pinned)
        .map((one) => one.id);
    const bar = async () => (await ask('GET', '/v1/bar/i3bar?once=1')).text;
    const before = await bar();
    expect(await pinned()).toEqual([id]);
    await tells(hookBody('SubagentStop', { agent_id: 'somebody else' }));
    clock.pass(60_000);
    expect(await pinned()).toEqual([id]);
    await ask('DELETE', '/v1/pin');
    expect(await bar()).not.toBe(before);
    await ask('POST', '/v1/pin', { prompt: id });
    await replies(id, { keys: ['1'] });
    expect(await first.ended).toContain('allow');
    expect(await prompt(({ agent }) => agent !== null)).toMatchObject({ pinned: false });
    expect(await replies('pinned', { keys: ['1'] })).toMatchObject({ status: 409 });
    expect(await pinned()).toEqual([]);
  });

  it('cannot be one that is settled', async () => {
    const { ask, replies, id } = await twoOpen();
    await replies(id, { keys: ['1'] });
    expect((await ask('POST', '/v1/pin', { prompt: id })).status).toBe(409);
  });
});

describe('a click on an option', () => {
  const onABar = async () => {
    const asking = await aSessionThatAsks();
    const { socket, clock, ask } = asking;
    const bar = await follow(socket, '/v1/bar/i3bar');
    const last = async (has: string): Promise<Line> => {
      clock.pass(100);
      return until(
        () => {
          const text = bar.lines.at(-1) ?? '';
          return text.includes(has) ? (JSON.parse(text) as Line) : null;
        },
        { why: `a line with ${has}` },
      );
    };
    const click = (line: Line, label: string, age: number) =>
      ask('POST', '/v1/click', {
        bar: 'i3bar',
        instance: line.blocks.find(({ full_text }) => full_text.trim() === label)?.instance,
        button: 1,
        line: line.line,
        age,
      });
    return { ...asking, bar, last, click };
  };

  it('answers the prompt that is shown there', async () => {
    const { asks, last, click, prompt } = await onABar();
    const hook = asks();
    await prompt();
    expect((await click(await last('3 No'), '3 No', 600)).status).toBe(200);
    expect(await hook.ended).toContain('deny');
  });

  it('b16: does nothing for half a second after its block appeared', async () => {
    const { asks, last, click, prompt } = await onABar();
    const hook = asks();
    await prompt();
    const line = await last('1 Yes');
    expect((await click(line, '1 Yes', 499)).status).toBe(409);
    expect(hook.printed()).toBeNull();
    expect((await click(line, '1 Yes', 500)).status).toBe(200);
  });

  it('of a line that a stopped bar still shows is refused when its prompt is settled, and says so on the bar', async () => {
    const { asks, last, click, prompt, clock, ask } = await onABar();
    asks();
    const { id } = await prompt();
    const old = await last('1 Yes');
    clock.pass(5_000);
    const next = asks('Write');
    await prompt(({ title }) => title === 'Write');
    await last('Write');
    expect((await click(old, '1 Yes', 6_000)).status).toBe(409);
    expect(next.printed()).toBeNull();
    expect(JSON.stringify(await last('settled'))).toContain('the prompt has been settled already');
    clock.pass(8_100);
    expect((await ask('GET', '/v1/bar/i3bar?once=1')).text).not.toContain('settled');
    expect(id).toMatch(/^p/);
  });

  it('of an old line does not choose what has come under its key since', async () => {
    const { asks, last, click, prompt, desktop, session, passes, clock } = await onABar();
    const hook = asks();
    await prompt();
    const old = await last('3 No');
    // Its pane can be read now, and 3 is something else there.
    desktop.screens.set(7, readFileSync('test/fixtures/claude/screens/dialog-bash-touch.txt', 'utf8'));
    desktop.place(7, placedIn({}, { kind: 'tmux', id: '%3', focused: false }));
    desktop.changed();
    await until(async () => (await session(7)).place.pane, { why: 'its pane' });
    await passes(500);
    await prompt(({ options }) => options.some(({ means }) => means === 'mode'));
    clock.pass(2_000);
    expect((await click(old, '3 No', 3_000)).status).toBe(409);
    expect(hook.printed()).toBeNull();
    expect(desktop.pressed).toEqual([]);
  });
});

describe('the history', () => {
  const entries = async (ask: Awaited<ReturnType<typeof aSessionThatAsks>>['ask']) =>
    (JSON.parse((await ask('GET', '/v1/history')).text) as WireHistory).entries;

  it('tells what asked, what was answered and by which way, and no command unless that is wanted', async () => {
    const { asks, prompt, replies, tells, ask, ends, clock, folder, wiring } = await aSessionThatAsks();
    asks();
    await replies((await prompt(({ answerable }) => answerable === 'hook')).id, { keys: ['2'] });
    clock.pass(10);
    asks('Write');
    await prompt();
    clock.pass(10);
    await tells(hookBody('Stop', { prompt_id: 'any' }));
    clock.pass(10);
    asks('AskUserQuestion');
    await prompt();
    ends(7);
    const told = await entries(ask);
    expect(told.map(({ title, text, outcome }) => ({ title, text, outcome }))).toEqual([
      {
        title: 'Bash',
        text: null,
        outcome: { type: 'answered', way: 'hook', means: 'allow-always', label: null },
      },
      { title: 'Write', text: null, outcome: { type: 'elsewhere' } },
      { title: 'AskUserQuestion', text: null, outcome: { type: 'session-ended' } },
    ]);
    await wiring.stop();
    expect(readFileSync(join(folder, 'history.json'), 'utf8')).not.toContain('/home/ada/run');
    const later = await aSessionThatAsks('Bash', {}, { saved: folder });
    expect(await entries(later.ask)).toEqual(told);
  });

  it('has the commands where that is configured', async () => {
    const settings = { config: { prompts: { 'history-commands': true } } };
    const { asks, prompt, replies, ask } = await aSessionThatAsks('Bash', {}, settings);
    asks();
    await replies((await prompt(({ answerable }) => answerable === 'hook')).id, { keys: ['2'] });
    expect(await entries(ask)).toMatchObject([
      {
        text: 'touch /home/ada/run/x1',
        outcome: { label: 'Always in this session: /home/ada/run' },
      },
    ]);
  });

  it('starts afresh where what was kept cannot be understood', async () => {
    const { folder, wiring, asks, prompt, replies } = await aSessionThatAsks();
    const file = join(folder, 'history.json');
    asks();
    await replies((await prompt(({ answerable }) => answerable === 'hook')).id, { keys: ['1'] });
    await wiring.stop();
    const { entries: kept } = JSON.parse(readFileSync(file, 'utf8'));
    expect(kept).toHaveLength(1);
    const ofNoDate = JSON.stringify({ version: 1, entries: [{ ...kept[0], at: 1e300 }] });
    for (const text of ['nonsense', '{"version":2}', '{"version":1,"entries":[{"at":"x"}]}', ofNoDate]) {
      writeFileSync(file, text);
      const later = await aSessionThatAsks('Bash', {}, { saved: folder });
      expect(await entries(later.ask)).toEqual([]);
    }
    rmSync(file);
    // To read it would stop the daemon for ever.
    execFileSync('mkfifo', [file]);
    const last = await aSessionThatAsks('Bash', {}, { saved: folder });
    expect(await entries(last.ask)).toEqual([]);
  });
});

/** The session file waits since then, and is read now. */
const waiting = (at: number, statusAt: number): Observation => ({
  type: 'session-file',
  at,
  status: 'waiting',
  statusAt,
  waitingFor: 'permission prompt',
  sessionId: null,
  name: null,
});

it('an answer that Claude did not take is told on the bar, and the prompt is open again', async () => {
  const { asks, prompt, replies, session, observe, claude, clock, passes, ask } = await aSessionThatAsks();
  const since = clock.now();
  asks();
  const { id } = await prompt(({ answerable }) => answerable === 'hook');
  observe(7, waiting(clock.now(), since));
  await replies(id, { keys: ['1'] });
  expect((await session(7)).prompts).toEqual([]);
  // When the file is read again, it still says the same.
  const { refreshes } = claude;
  claude.refresh = () => observe(7, waiting(clock.now(), since));
  expect(refreshes).toBe(0);
  await passes(2_600);
  expect((await session(7)).state).toBe('needs-input');
  expect((await ask('GET', '/v1/bar/i3bar?once=1')).text).toContain('Claude did not take the answer');
});

it('a dialog that no hook has told of is found when the one before it was settled', async () => {
  const { prompt, session, observe, claude, clock, passes, tells } = await aSessionThatAsks();
  const since = clock.now();
  observe(7, waiting(since, since));
  const { id } = await prompt();
  clock.pass(100);
  // Of the next one the file says nothing new: it waits, as it did.
  claude.refresh = () => observe(7, waiting(clock.now(), since));
  await tells(hookBody('Stop', { prompt_id: 'any' }));
  expect((await session(7)).prompts).toEqual([]);
  await passes(2_600);
  expect((await session(7)).state).toBe('needs-input');
  expect((await prompt()).id).not.toBe(id);
});
