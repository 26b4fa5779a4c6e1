import { describe, expect, it } from 'vitest';
import type { WireSession } from '../../src/daemon/wire.ts';
import { nowhere } from '../../src/sessions/place.ts';
import type { SessionKey } from '../../src/sessions/session.ts';
import { aDaemon } from '../support/a-daemon.ts';
import { settled } from '../support/passing.ts';
import { follow } from '../support/program.ts';
import { keyOf } from '../support/rooms.ts';
import { placedIn } from '../support/sessions.ts';
import { until } from '../support/until.ts';

describe('places', () => {
  it('are looked for when a session begins, and again when the desktop says that something changed', async () => {
    const { begins, desktop, session } = await aDaemon();
    desktop.place(7, placedIn({ conId: 3 }));
    begins(7);
    await until(async () => (await session(7)).place.window?.conId === 3, { why: 'its place' });
    desktop.place(7, placedIn({ conId: 4 }));
    desktop.changed();
    await until(async () => (await session(7)).place.window?.conId === 4, { why: 'its new place' });
  });

  it('are searched once more, not a hundred times, for a hundred changes while a search runs', async () => {
    const { begins, desktop, session } = await aDaemon();
    begins(7);
    await session(7);
    await settled();
    desktop.searches = 0;
    for (let change = 0; change < 100; change++) desktop.changed();
    await settled();
    expect(desktop.searches).toBe(2);
  });

  it('that vanish with their window make the daemon look whether the session is alive', async () => {
    const { begins, desktop, claude, session } = await aDaemon();
    desktop.place(7, placedIn({}));
    begins(7);
    await until(async () => (await session(7)).place.certainty === 'exact', { why: 'its place' });
    expect(claude.rechecks).toBe(0);
    desktop.place(7, nowhere('its window is closed'));
    desktop.changed();
    await until(() => claude.rechecks === 1, { why: 'the recheck' });
  });

  it('are forgotten with their session', async () => {
    const { begins, ends, desktop, session } = await aDaemon();
    begins(7);
    await session(7);
    ends(7);
    expect(desktop.forgotten).toEqual([7]);
  });
});

describe('the first answer of a daemon', () => {
  async function aDaemonThatLooks() {
    let found = () => {};
    const looking = new Promise<void>((resolve) => {
      found = resolve;
    });
    const daemon = await aDaemon(undefined, { looking });
    daemon.begins(7);
    const answers: string[] = [];
    const watching = follow(daemon.socket, '/v1/watch').then(async ({ lines }) =>
      until(() => lines[0], { why: 'the snapshot' }),
    );
    const asking = ['/v1/sessions', '/v1/sessions/pid:7', '/v1/sessions/pid:7/explain'].map(
      async (path) => (await daemon.ask('GET', path)).text,
    );
    const all = [watching, ...asking].map(async (text) => void answers.push(await text));
    // What asks later, and for no place, is answered.
    for (let turn = 0; turn < 3; turn++) await daemon.ask('GET', '/v1/prompts');
    expect(answers).toEqual([]);
    return { ...daemon, found, answers, all: () => Promise.all(all) };
  }

  it('waits for the places, where the desktop is found soon', async () => {
    const { desktop, found, all, answers } = await aDaemonThatLooks();
    desktop.place(7, placedIn({ conId: 3 }));
    desktop.changed();
    found();
    await all();
    for (const text of answers) expect(text).toContain('"certainty":"exact"');
  });

  it('does without them, where it is not', async () => {
    const { clock, all, answers, ask } = await aDaemonThatLooks();
    clock.pass(399);
    for (let turn = 0; turn < 3; turn++) await ask('GET', '/v1/prompts');
    expect(answers).toEqual([]);
    clock.pass(1);
    await all();
    for (const text of answers) expect(text).toContain('"certainty":"none"');
  });
});

describe('a finished session', () => {
  it('is seen when its window has had the focus for a second', async () => {
    const { begins, finishes, desktop, session, clock } = await aDaemon();
    desktop.place(7, placedIn({ focused: true }));
    begins(7);
    finishes(7);
    await until(async () => (await session(7)).place.window?.focused, { why: 'its place' });
    clock.pass(200);
    await settled();
    expect((await session(7)).state).toBe('review');
    clock.pass(1_000);
    await until(async () => (await session(7)).state === 'idle', { why: 'it to be seen' });
  });

  it('is not seen on a locked screen, nor where the window may show another tab', async () => {
    const { begins, finishes, desktop, session, clock, state } = await aDaemon();
    state.locked = true;
    desktop.place(7, placedIn({ focused: true }));
    desktop.place(8, placedIn({ focused: true }), { mayBeHidden: true });
    for (const pid of [7, 8]) {
      begins(pid);
      finishes(pid);
    }
    await until(async () => (await session(8)).place.window?.focused, { why: 'the place' });
    for (let step = 0; step < 30; step++) {
      clock.pass(100);
      await settled();
    }
    expect([(await session(7)).state, (await session(8)).state]).toEqual(['review', 'review']);
    state.locked = false;
    clock.pass(20_000);
    await settled();
    clock.pass(1_000);
    await until(async () => (await session(7)).state === 'idle', { why: 'it to be seen once unlocked' });
    expect((await session(8)).state).toBe('review');
  });

  it('is looked for every second while its focused window may show another pane of tmux', async () => {
    const { begins, finishes, desktop, session, clock } = await aDaemon();
    const pane = (focused: boolean) => placedIn({ focused: true }, { kind: 'tmux', id: '%3', focused });
    desktop.place(7, pane(false));
    begins(7);
    finishes(7);
    await until(async () => (await session(7)).place.pane, { why: 'its place' });
    await settled();
    // No window event tells of it.
    desktop.place(7, pane(true));
    clock.pass(1_000);
    await until(async () => (await session(7)).place.pane?.focused, { why: 'the pane' });
    clock.pass(200);
    await settled();
    clock.pass(1_000);
    await until(async () => (await session(7)).state === 'idle', { why: 'it to be seen' });
  });

  it('is seen when the user says so, once', async () => {
    const { begins, finishes, session, ask, clock } = await aDaemon();
    begins(7);
    finishes(7);
    expect((await session(7)).state).toBe('review');
    expect((await ask('POST', '/v1/sessions/pid:7/seen')).status).toBe(200);
    const { state, since } = await session(7);
    expect(state).toBe('idle');
    clock.pass(60_000);
    expect((await ask('POST', '/v1/sessions/pid:7/seen')).status).toBe(200);
    expect((await session(7)).since).toBe(since);
  });
});

describe('the safety net', () => {
  it('looks every 20 s which sessions run, reads all every minute, and sets no other timer when all is quiet', async () => {
    const { claude, clock } = await aDaemon();
    await settled();
    clock.pass(1_100);
    expect(clock.timers()).toEqual([18_900]);
    clock.pass(40_000);
    expect([claude.rechecks, claude.refreshes]).toEqual([2, 0]);
    clock.pass(20_000);
    expect([claude.rechecks, claude.refreshes]).toEqual([2, 1]);
  });

  it('looks every 5 s whether a session still runs that works, and reads all every 40 s', async () => {
    const { begins, asks, ends, claude, clock, session } = await aDaemon();
    begins(7);
    await session(7);
    asks(7);
    clock.pass(40_000);
    expect([claude.rechecks, claude.refreshes]).toEqual([7, 1]);
    ends(7);
    await settled();
    clock.pass(5_000);
    expect(claude.rechecks).toBe(8);
    clock.pass(19_000);
    expect([claude.rechecks, claude.refreshes]).toEqual([8, 1]);
  });

  it('reads all every 5 s while nothing is known of a session, as an older Claude Code tells nothing', async () => {
    const { begins, finishes, claude, clock } = await aDaemon();
    begins(8);
    clock.pass(10_000);
    expect(claude.refreshes).toBe(2);
    finishes(8);
    clock.pass(10_000);
    expect(claude.refreshes).toBe(2);
  });

  it('says on the bar what the user must know where there is no session to say it', async () => {
    const { claude, clock, ask } = await aDaemon();
    claude.words = 'Claude Code is not installed: no ~/.claude';
    clock.pass(20_000);
    const { text } = await ask('GET', '/v1/bar/i3bar?once=1');
    expect(text).toContain('Claude Code is not installed');
    expect((await ask('GET', '/v1/sessions')).text).toContain('"notice":"Claude Code is not installed');
  });

  it('says it no longer as soon as a session begins', async () => {
    const { claude, clock, begins, ask } = await aDaemon();
    claude.words = 'Claude Code is not installed: no ~/.claude';
    clock.pass(20_000);
    claude.words = null;
    begins(7);
    expect((await ask('GET', '/v1/sessions')).text).toContain('"notice":null');
  });
});

describe('going', () => {
  it('needs an id, a label, a unique part of a name, or a pid', async () => {
    const { begins, ask, desktop, session } = await aDaemon();
    begins(7, '/home/ada/webshop');
    begins(8, '/home/ada/webmail');
    const { id } = await session(7);
    await session(8);
    for (const name of [id, 'shop', 'pid:7']) await ask('POST', `/v1/sessions/${name}/go`);
    expect(desktop.gone).toEqual([7, 7, 7]);
    const unclear = await ask('POST', '/v1/sessions/web/go');
    expect(unclear.status).toBe(409);
    expect(JSON.parse(unclear.text)).toMatchObject({ error: { code: 'not-unique' } });
    expect((await ask('POST', '/v1/sessions/nothing/go')).status).toBe(404);
    expect(desktop.gone).toHaveLength(3);
  });

  it.each(['is found', 'takes too long'])('waits until the desktop %s', async (how) => {
    let found = () => {};
    const looking = new Promise<void>((resolve) => {
      found = resolve;
    });
    const { begins, ask, desktop, session, clock } = await aDaemon(undefined, { looking });
    begins(7);
    // Who only reads waits a shorter time.
    clock.pass(400);
    await session(7);
    const going = ask('POST', '/v1/sessions/pid:7/go');
    // What is asked later has been answered.
    await session(7);
    expect(desktop.gone).toEqual([]);
    if (how === 'is found') found();
    else clock.pass(2_000);
    await going;
    expect(desktop.gone).toEqual([7]);
  });

  it('says why it did not work, and what to do', async () => {
    const { begins, ask, desktop, session } = await aDaemon();
    begins(7);
    await session(7);
    desktop.went = async () => ({ done: false, why: 'no tmux client shows it', hint: 'attach one' });
    const { status, text } = await ask('POST', '/v1/sessions/pid:7/go');
    expect(status).toBe(409);
    expect(JSON.parse(text)).toEqual({
      error: { code: 'cannot-go', message: 'no tmux client shows it', hint: 'attach one' },
    });
  });

  it('next leads to who needs the user, one after the other, and back', async () => {
    const { begins, asks, finishes, ask, desktop, session, clock } = await aDaemon();
    desktop.went = async ({ key }) => {
      for (const pid of [7, 8, 9]) desktop.place(pid, placedIn({ conId: pid, focused: pid === key.pid }));
      desktop.changed();
      return { done: true };
    };
    for (const pid of [7, 8, 9]) begins(pid);
    await desktop.went({ key: keyOf(9) as SessionKey, attachedBy: null });
    finishes(7);
    clock.pass(1_000);
    asks(8);
    await until(async () => (await session(9)).place.window?.focused, { why: 'the focus' });
    const next = async (back: boolean) => {
      const { text } = await ask('POST', '/v1/next', { back });
      const { pid } = JSON.parse(text) as WireSession;
      await until(async () => (await session(pid)).place.window?.focused, { why: 'the focus' });
      return pid;
    };
    expect(await next(false)).toBe(8);
    expect(await next(false)).toBe(7);
    expect(await next(true)).toBe(8);
    expect(await next(true)).toBe(9);
    expect((await ask('POST', '/v1/next', { back: true })).status).toBe(404);
  });

  it('next leads back to a window that is no session’s too', async () => {
    const { begins, asks, ask, desktop, session, clock } = await aDaemon();
    begins(7);
    await session(7);
    clock.pass(1_000);
    asks(7);
    desktop.other = { desktop: 'i3', conId: 94, id: 20 };
    expect((await ask('POST', '/v1/next', { back: false })).status).toBe(200);
    expect(desktop.gone).toEqual([7]);
    expect((await ask('POST', '/v1/next', { back: true })).text).toBe('null\n');
    expect(desktop.gone).toEqual([7, 94]);
    expect((await ask('POST', '/v1/next', { back: true })).status).toBe(404);
  });
});

describe('bars', () => {
  it('d11: of three outputs show the same, and a click on one changes all', async () => {
    const { begins, finishes, ask, session, socket, clock } = await aDaemon();
    begins(7);
    finishes(7);
    const { id } = await session(7);
    const bars = await Promise.all(
      ['HDMI-1', 'DP-1', 'eDP-1'].map((name) => follow(socket, `/v1/bar/i3bar?output=${name}`)),
    );
    await until(() => bars.every(({ lines }) => lines.at(-1)?.includes('●')), { why: 'three bars' });
    const [first] = bars;
    const { line } = JSON.parse(first?.lines.at(-1) ?? '') as { line: number };
    const click = { bar: 'i3bar', instance: id, button: 2, line, age: 600 };
    expect((await ask('POST', '/v1/click', click)).status).toBe(200);
    clock.pass(100);
    await until(() => bars.every(({ lines }) => lines.at(-1)?.includes('○')), { why: 'all three to change' });
    const shown = bars.map(({ lines }) => JSON.stringify(JSON.parse(lines.at(-1) ?? '').blocks));
    expect(new Set(shown).size).toBe(1);
  });

  it('say why a click could not go to its session, for want of another place to say it', async () => {
    const { begins, ask, desktop, session } = await aDaemon();
    begins(7);
    const { id } = await session(7);
    desktop.went = async () => ({ done: false, why: 'no tmux client shows it', hint: 'attach one' });
    expect((await ask('POST', '/v1/click', { bar: 'i3bar', instance: id, button: 1 })).status).toBe(409);
    expect((await ask('GET', '/v1/bar/i3bar?once=1')).text).toContain('no tmux client shows it');
  });

  it('d15: go on while a click waits for a window manager that does not answer', async () => {
    const { begins, finishes, ask, desktop, session } = await aDaemon();
    begins(7);
    const { id } = await session(7);
    desktop.went = () => new Promise(() => {});
    void ask('POST', '/v1/click', { bar: 'i3bar', instance: id, button: 1 }).catch(() => {});
    await until(() => desktop.gone.length === 1, { why: 'the click' });
    finishes(7);
    expect((await ask('GET', '/v1/bar/i3bar?once=1')).text).toContain('●');
  });

  it('a click on a block that had just appeared, or on a line nobody knows, does nothing', async () => {
    const { begins, ask, desktop, session, socket } = await aDaemon();
    begins(7);
    const { id } = await session(7);
    const bar = await follow(socket, '/v1/bar/i3bar');
    await until(() => bar.lines.length === 1, { why: 'the line' });
    const { line } = JSON.parse(bar.lines[0] ?? '') as { line: number };
    const click = (of: number, age: number) =>
      ask('POST', '/v1/click', { bar: 'i3bar', instance: id, button: 1, line: of, age });
    expect((await click(line, 499)).status).toBe(409);
    expect((await click(line - 1, 10_000)).status).toBe(409);
    expect(desktop.gone).toEqual([]);
    expect((await click(line, 500)).status).toBe(200);
    expect(desktop.gone).toEqual([7]);
  });

  it('that are none are said so', async () => {
    const { ask } = await aDaemon();
    expect((await ask('GET', '/v1/bar/xmobar')).status).toBe(404);
  });
});
