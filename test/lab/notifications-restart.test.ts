import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import type { Lab } from './lab.ts';
import { buttonIn, startServer, type Watch, watchBus, windowOf } from './notification-servers.ts';
import { daemons, hasFocus, only } from './on-the-bar.ts';
import { asks, aWorld, middle, settle, stateOf, type World } from './told-session.ts';

describe.each([
  ['dunst', 'Dunst'],
  ['xfce', 'Xfce4-notifyd'],
] as const)('a notification by %s of a prompt that outlives the daemon', (kind, className) => {
  let world: World;
  let lab: Lab;
  let watch: Watch;

  beforeAll(async () => {
    world = await aWorld();
    ({ lab } = world);
    await startServer(lab, kind);
    watch = await watchBus(lab);
  });
  afterAll(() => lab?.stop());

  const bubble = () => until(() => windowOf(lab, className), { why: 'the notification on the screen' });
  const noBubble = () =>
    until(async () => (await windowOf(lab, className)) === null, { why: 'no notification on the screen' });
  /** The user goes there: by the middle button in dunst, by the only button that the other draws. */
  async function goes() {
    const at = await bubble();
    if (kind === 'dunst') return lab.pointer.click(...middle(at), 2);
    const { x, y } = buttonIn(await lab.picture(), at, 0);
    await lab.pointer.click(x, y);
  }
  /** The next daemon, until it has found the session's window again; gives what it has asked the server for first. */
  async function restarted() {
    const before = watch.asked().length;
    expect((await lab.tsmux(['list'])).status).toBe(0);
    const since = () => watch.asked().slice(before);
    await until(() => since().at(-1)?.body.includes('workspace 3: web'), {
      why: 'the notification',
      saw: watch.asked,
    });
    expect(new Set(since().map(({ hints }) => hints['sound-name']))).toEqual(new Set([undefined]));
    return since()[0];
  }

  it('is closed in order, and brought back without a sound by the next', async () => {
    await asks(world, watch);
    await bubble();
    expect((await lab.tsmux(['stop'])).status).toBe(0);
    await noBubble();
    expect(await restarted()).toMatchObject({ summary: 'web · Bash', replaces: 0 });
    await bubble();
    expect(await stateOf(world)).toBe('needs-input');
    await settle(world);
    await noBubble();
  });

  it('is left by one that was killed, and heard again by the next, in its place', async () => {
    await asks(world, watch);
    await bubble();
    const saved = () => readFileSync(join(lab.home, '.local/state/tsmux/state.json'), 'utf8');
    await until(() => /"told":\[\{"key":"\w+","left":\{/.test(saved()), {
      why: 'it to be saved',
      saw: saved,
    });
    process.kill(only(daemons(lab)).pid, 'SIGKILL');
    expect((await restarted())?.replaces).toBeGreaterThan(0);
    await goes();
    await hasFocus(lab.i3, world.web.terminal);
    await noBubble();
    await settle(world);
  });
});
