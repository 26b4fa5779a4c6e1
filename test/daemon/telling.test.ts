import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WireHistory } from '../../src/daemon/wire.ts';
import { aDaemon } from '../support/a-daemon.ts';
import { settled } from '../support/passing.ts';
import { placedIn } from '../support/sessions.ts';
import { until } from '../support/until.ts';

type Daemon = Awaited<ReturnType<typeof aDaemon>>;

/** The session has worked until its prompt came up, which a hook tells of. */
async function prompted(daemon: Daemon, pid = 7): Promise<string> {
  const { begins, session, clock, asks } = daemon;
  begins(pid);
  await session(pid);
  await settled();
  clock.pass(1_000);
  asks(pid);
  clock.pass(200);
  await settled();
  return (await session(pid)).id;
}

/** The next daemon, which finds these sessions when it reads its sources. */
async function nextDaemon(first: Daemon, later: number, ...pids: readonly number[]): Promise<Daemon> {
  await first.wiring.stop();
  let read = () => {};
  const reading = new Promise<void>((resolve) => {
    read = resolve;
  });
  const now = first.clock.now() + later;
  const second = await aDaemon(() => reading, { saved: first.folder, now });
  for (const pid of pids) second.begins(pid);
  read();
  return second;
}

describe('a prompt', () => {
  it('is told once, with the way to its terminal, and is withdrawn when it is settled', async () => {
    const daemon = await aDaemon();
    const id = await prompted(daemon);
    expect(daemon.notified.told.map(({ key, card }) => [key, card.title])).toEqual([
      [id, 's7 · permission prompt'],
    ]);
    daemon.notified.press(id, null);
    await until(() => daemon.desktop.gone.length === 1, { why: 'the way there' });
    expect(daemon.notified.live.size).toBe(0);
  });

  it('is not told of a session that the user looks at, unless the screen is locked', async () => {
    const daemon = await aDaemon();
    daemon.desktop.place(7, placedIn({ focused: true }));
    daemon.desktop.place(8, placedIn({ focused: true }));
    await prompted(daemon);
    daemon.clock.pass(2_000);
    await settled();
    expect(daemon.notified.told).toEqual([]);
    daemon.state.locked = true;
    const id = await prompted(daemon, 8);
    expect(daemon.notified.told.map(({ key }) => key)).toContain(id);
  });

  it('that was there before the daemon is not told', async () => {
    const first = await aDaemon();
    await prompted(first);
    const second = await nextDaemon(first, 60_000, 7);
    second.clock.pass(10_000);
    await settled();
    expect((await second.session(7)).state).toBe('needs-input');
    expect(second.notified.told).toEqual([]);
  });

  it('whose notification a daemon had has it again after a restart, as long as it stands', async () => {
    const first = await aDaemon();
    const id = await prompted(first);
    await prompted(first, 8);
    expect(first.notified.told).toHaveLength(2);
    const second = await nextDaemon(first, 60_000, 7);
    await until(() => second.notified.live.size === 1, { why: 'the notification' });
    expect([...second.notified.live.keys()]).toEqual([id]);
    expect(second.notified.told).toEqual([]);
    second.desktop.place(7, placedIn({ focused: true }));
    second.desktop.changed();
    const isGone = () => {
      second.clock.pass(200);
      return second.notified.live.size === 0;
    };
    await until(isGone, { why: 'it to go, as it was heeded' });
  });

  it('that stands in quiet time after a restart waits for its end', async () => {
    const first = await aDaemon();
    const id = await prompted(first);
    await first.ask('PUT', '/v1/quiet', { minutes: 30 });
    const second = await nextDaemon(first, 0, 7);
    await second.session(7);
    await settled();
    expect([...second.notified.live.keys()]).toEqual([]);
    await second.ask('DELETE', '/v1/quiet');
    second.clock.pass(200);
    await until(() => second.notified.live.has('summary'), { why: 'the sum' });
    expect(second.notified.live.has(id)).toBe(false);
  });

  it('runs the command of the user, which reads of it on stdin', async () => {
    const daemon = await aDaemon();
    const out = join(daemon.folder, 'heard');
    daemon.configure(`[notifications]\nshow = false\ncommand = ["/bin/sh", "-c", "cat > ${out}"]\n`);
    const id = await prompted(daemon);
    const told = await until(() => JSON.parse(readFileSync(out, 'utf8')), { why: 'what the command heard' });
    expect(told).toMatchObject({ version: 1, state: 'needs-input', session: { id, name: 's7' } });
    expect(told.prompt).toMatch(/^p/);
    expect(daemon.notified.told).toEqual([]);
  });

  it('is told all the same where the command of the user is more than the kernel takes', async () => {
    const daemon = await aDaemon();
    daemon.configure(`[notifications]\ncommand = ["/bin/true", "${'x'.repeat(200_000)}"]\n`);
    const ids = [await prompted(daemon), await prompted(daemon, 8)];
    await until(() => daemon.notified.told.length === 2, { why: 'both' });
    expect(daemon.notified.told.map(({ key }) => key)).toEqual(ids);
  });

  it('marks its window urgent until it is settled, whichever that is by now', async () => {
    const daemon = await aDaemon();
    const { desktop } = daemon;
    desktop.place(7, placedIn({ conId: 4 }));
    await prompted(daemon);
    await until(() => desktop.urgent.has(7), { why: 'the mark' });
    desktop.urgent.clear();
    desktop.place(7, placedIn({ conId: 5 }));
    desktop.changed();
    daemon.clock.pass(200);
    await until(() => desktop.urgent.has(7), { why: 'the mark on the other window' });
    daemon.ends(7);
    daemon.clock.pass(200);
    await until(() => !desktop.urgent.has(7), { why: 'the mark to go' });
  });

  it('marks its window urgent as soon as the window manager takes the mark', async () => {
    const daemon = await aDaemon();
    const { desktop } = daemon;
    desktop.place(7, placedIn({ conId: 4 }));
    desktop.refusesUrgent = true;
    await prompted(daemon);
    desktop.refusesUrgent = false;
    desktop.place(7, placedIn({ conId: 4, title: 'other' }));
    desktop.changed();
    daemon.clock.pass(200);
    await until(() => desktop.urgent.has(7), { why: 'the mark' });
  });

  it('marks no window where the user does not want it', async () => {
    const daemon = await aDaemon();
    daemon.configure('[notifications]\nurgent-window = false\n');
    daemon.desktop.place(7, placedIn({ conId: 4 }));
    await prompted(daemon);
    expect([...daemon.desktop.urgent]).toEqual([]);
  });
});

describe('an option of the notification', () => {
  /** A prompt that is held, with its options. */
  async function held() {
    const daemon = await aDaemon();
    daemon.begins(7);
    const { id } = await daemon.session(7);
    await settled();
    daemon.clock.pass(1_000);
    const hook = { hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: { command: 'make' } };
    const start = { 'claude-pid': '7', 'hook-start': `${daemon.clock.now()}` };
    const decision = daemon.ask('POST', '/v1/hook', hook, start);
    await until(() => daemon.notified.live.get(id)?.buttons.length === 3, {
      why: 'the notification with its options',
      saw: () => daemon.notified.live.get(id),
    });
    return { daemon, id, decision };
  }

  it('answers the prompt through its hook, and the notification goes', async () => {
    const { daemon, id, decision } = await held();
    daemon.notified.press(id, 'Yes');
    expect(JSON.parse((await decision).text)).toMatchObject({
      hookSpecificOutput: { decision: { behavior: 'allow' } },
    });
    daemon.clock.pass(200);
    await until(() => daemon.notified.live.size === 0, { why: 'the end of the notification' });
  });

  it('of a prompt that was settled meanwhile answers nothing, and that is said on the bar', async () => {
    const { daemon, id, decision } = await held();
    const { press } = daemon.notified;
    const live = daemon.notified.live.get(id);
    daemon.ends(7);
    await decision;
    daemon.clock.pass(200);
    await settled();
    expect(daemon.notified.live.size).toBe(0);
    if (live !== undefined) daemon.notified.live.set(id, live);
    press(id, 'Yes');
    await until(async () => (await daemon.ask('GET', '/v1/bar/i3bar?once=1')).text.includes('settled'), {
      why: 'the word',
    });
  });
});

describe('quiet time', () => {
  it('keeps notifications back, marks in the history what was missed, and ends with a sum', async () => {
    const daemon = await aDaemon();
    const { ask, clock, notified, desktop } = daemon;
    const begun = await ask('PUT', '/v1/quiet', { minutes: 30 });
    expect(JSON.parse(begun.text)).toEqual({ until: new Date(clock.now() + 30 * 60_000).toISOString() });
    await prompted(daemon, 7);
    const still = await prompted(daemon, 8);
    daemon.ends(7);
    expect(notified.told).toEqual([]);
    clock.pass(30 * 60_000);
    await settled();
    expect(notified.told.map(({ key, card }) => [key, card.lines])).toEqual([
      ['summary', ['1 session needs you: s8']],
    ]);
    notified.press('summary', null);
    await until(() => desktop.gone.length === 1, { why: 'the way to it' });
    expect(desktop.gone).toEqual([8]);
    daemon.ends(8);
    const { entries } = JSON.parse((await ask('GET', '/v1/history')).text) as WireHistory;
    expect(entries.map(({ session, missed }) => [session === still, missed])).toEqual([
      [false, true],
      [true, true],
    ]);
  });

  it('stands on the bar, and a click there ends it', async () => {
    const daemon = await aDaemon();
    await daemon.ask('PUT', '/v1/quiet', { preset: 'lunch' });
    const line = (await daemon.ask('GET', '/v1/bar/i3bar?once=1')).text;
    expect(JSON.parse(line).blocks.map((block: { full_text: string }) => block.full_text)).toEqual([
      expect.stringContaining('60m'),
    ]);
    await daemon.ask('POST', '/v1/click', { instance: 'quiet', button: 1 });
    expect(JSON.parse((await daemon.ask('GET', '/v1/quiet')).text)).toEqual({ until: null });
  });

  it('goes on in the next daemon', async () => {
    const first = await aDaemon();
    await first.ask('PUT', '/v1/quiet', { minutes: 30 });
    const { text } = await first.ask('GET', '/v1/quiet');
    await first.wiring.stop();
    const second = await aDaemon(undefined, { saved: first.folder });
    expect((await second.ask('GET', '/v1/quiet')).text).toBe(text);
    await second.ask('DELETE', '/v1/quiet');
    expect(JSON.parse((await second.ask('GET', '/v1/quiet')).text)).toEqual({ until: null });
  });

  it('of no length that makes sense is refused, and so is one whose name is not known', async () => {
    const { ask } = await aDaemon();
    for (const body of [{ minutes: 0 }, { minutes: 1441 }, { minutes: 1.5 }, {}, { preset: 'web' }]) {
      expect((await ask('PUT', '/v1/quiet', body)).status).toBe(400);
    }
    expect(JSON.parse((await ask('PUT', '/v1/quiet', { preset: 'toString' })).text).error).toEqual({
      code: 'bad-request',
      message: 'no time is called "toString"',
      hint: 'say minutes, or one of: short, long, lunch',
    });
  });

  it('is as it was when the state was written by an older tsmux', async () => {
    const first = await aDaemon();
    await first.wiring.stop();
    const file = join(first.folder, 'state.json');
    const { quiet: _, ...older } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify(older));
    const second = await aDaemon(undefined, { saved: first.folder });
    expect(JSON.parse((await second.ask('GET', '/v1/quiet')).text)).toEqual({ until: null });
  });
});
