import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { serveNotificationsBy, startBus } from './ground.ts';
import type { Lab } from './lab.ts';
import { ripe, startServer, type Watch, watchBus, windowOf } from './notification-servers.ts';
import { hasFocus } from './on-the-bar.ts';
import type { Running } from './shell.ts';
import { asks, aWorld, is, middle, settle, stateOf, type World } from './told-session.ts';

describe('notifications by dunst under i3, which draws no buttons', () => {
  let world: World;
  let lab: Lab;
  let watch: Watch;
  let dunst: Running;

  const bubble = () => until(() => windowOf(lab, 'Dunst'), { why: 'the notification on the screen' });

  beforeAll(async () => {
    world = await aWorld();
    ({ lab } = world);
    // What dunst starts as its menu gets the actions on stdin, and prints the one that was chosen.
    const menu = lab.write('menu', '#!/bin/sh\ntee $HOME/offered | grep "$(cat $HOME/choice)"\n', 0o755);
    lab.write('.config/dunst/dunstrc', `[global]\ndmenu = ${menu}\n`);
    dunst = await startServer(lab, 'dunst');
    watch = await watchBus(lab);
  });
  afterAll(() => lab?.stop());

  it('says what is asked, and where to answer it', async () => {
    const { summary, body, actions, hints, timeout } = await asks(world, watch);
    expect(summary).toBe('web · Bash');
    expect(body).toMatch(
      /^touch .+\nweb \(main\) · workspace 3: web\n1 Yes · .*3 No\nAnswer with: dunstctl context, or /,
    );
    expect([...actions.values()]).toEqual([
      'Go to terminal',
      'Yes',
      expect.stringMatching(/^Always in this session: /),
      'No',
      'Go to terminal',
    ]);
    expect(hints).toMatchObject({ urgency: 2, category: 'x-tsmux.needs-input' });
    // Where the session file was read before the hook came, this one took the place of one without options.
    expect(watch.asked().flatMap((one) => one.hints['sound-name'] ?? [])).toEqual(['dialog-question']);
    expect(timeout).toBe(0);
    await settle(world);
    await until(() => watch.closed().length === 1, {
      why: 'it to be closed, as it was settled in the terminal',
    });
  });

  it('goes to the terminal by a middle click', async () => {
    await asks(world, watch);
    await lab.pointer.click(...middle(await bubble()), 2);
    await hasFocus(lab.i3, world.web.terminal);
    expect(await stateOf(world)).toBe('needs-input');
    await settle(world);
  });

  it.each([
    ['left', 1],
    ['right', 3],
  ])('is closed by a %s click, and nothing is answered', async (_, button) => {
    const before = watch.gone().length;
    await asks(world, watch);
    await ripe(watch);
    await lab.pointer.click(...middle(await bubble()), button);
    await until(() => watch.gone().length > before, { why: 'the end of the notification' });
    expect(watch.pressed().length).toBe(1);
    expect(await stateOf(world)).toBe('needs-input');
    await settle(world);
  });

  it('is answered from the menu of dunst, and the answer reaches Claude', async () => {
    await asks(world, watch);
    await ripe(watch);
    lab.write('choice', 'Yes');
    await lab.output('dunstctl', ['context']);
    await until(async () => /^(review|idle)$/.test((await stateOf(world)) ?? ''), {
      why: 'the turn to be over',
      saw: () => [watch.pressed(), lab.run('cat', ['offered'])],
    });
    expect(watch.pressed().at(-1)?.[1]).toMatch(/^p[a-z0-9]+\/0\/1$/);
    await lab.tsmux(['seen']);
  });

  it('of a finish comes after ten seconds of work, and goes when it is seen', async () => {
    // The clock of the lab is the machine's: the time of work that it takes is configured away.
    lab.write('.config/tsmux/config.toml', '[notifications]\nmin-work = 0\ncooldown = 0\n');
    const before = watch.asked().length;
    await until(
      async () => {
        world.web.prompt('hello');
        await until(() => watch.asked().length > before, { why: 'the notification', limit: 3_000 });
        return true;
      },
      { why: 'the new configuration to be read' },
    );
    expect(watch.asked().at(-1)).toMatchObject({ summary: 'web · finished', hints: { urgency: 1 } });
    const closed = watch.closed().length;
    await lab.tsmux(['seen']);
    await until(() => watch.closed().length > closed, { why: 'it to be closed' });
  });

  it('is shown again by the next dunst when the first was killed', async () => {
    await asks(world, watch);
    const before = watch.asked().length;
    dunst.kill('SIGKILL');
    await dunst.finished;
    dunst = await startServer(lab, 'dunst');
    await until(() => watch.asked().length > before, { why: 'the notification by the next dunst' });
    expect(watch.asked().at(-1)).toMatchObject({ summary: 'web · Bash', replaces: 0 });
    expect(watch.asked().at(-1)?.hints['sound-name']).toBeUndefined();
    await bubble();
    await settle(world);
  });

  it('e11: is shown again on the next message bus, and hears its clicks', async () => {
    await asks(world, watch);
    const bus = lab.processes().find(({ command }) => command.startsWith('dbus-daemon --session'));
    process.kill(bus?.pid ?? -1, 'SIGKILL');
    await dunst.finished;
    await startBus(lab);
    dunst = await startServer(lab, 'dunst');
    watch = await watchBus(lab);
    await bubble();
    await lab.pointer.click(...middle(await bubble()), 2);
    await hasFocus(lab.i3, world.web.terminal);
    await settle(world);
  });

  it('e1: is missing where there is no bus, and nothing else is', async () => {
    const bus = lab.processes().find(({ command }) => command.startsWith('dbus-daemon --session'));
    process.kill(bus?.pid ?? -1, 'SIGKILL');
    await dunst.finished;
    await lab.i3.command('workspace 1');
    world.web.prompt('SCN:bash please');
    await is(world, 'needs-input');
    const { stdout } = await lab.tsmux(['doctor']);
    expect(stdout).toMatch(/– notifications +no session bus: /);
    await settle(world);
  });
});

describe('a notification server that the bus starts', () => {
  it('is started with the first notification, and not before', async () => {
    const world = await aWorld();
    const { lab } = world;
    try {
      serveNotificationsBy(lab, '/usr/bin/dunst');
      await lab.output('busctl', [
        '--user',
        'call',
        'org.freedesktop.DBus',
        '/',
        'org.freedesktop.DBus',
        'ReloadConfig',
      ]);
      const watch = await watchBus(lab);
      const running = () => lab.processes().some(({ command }) => command === '/usr/bin/dunst');
      expect((await lab.tsmux(['doctor'])).stdout).toMatch(/✓ notifications +a server that the bus starts/);
      expect(running()).toBe(false);
      await asks(world, watch);
      expect(running()).toBe(true);
    } finally {
      await lab.stop();
    }
  });
});

describe('the window of a session that needs input', () => {
  it('lights up its workspace until the user comes, and again when he leaves without an answer', async () => {
    const world = await aWorld();
    const { lab } = world;
    const urgent = async () =>
      (
        JSON.parse(await lab.output('i3-msg', ['-t', 'get_workspaces'])) as {
          name: string;
          urgent: boolean;
        }[]
      )
        .filter((one) => one.urgent)
        .map(({ name }) => name);
    const lit = (names: readonly string[]) =>
      until(async () => (await urgent()).join() === names.join(), {
        why: `${names} to be urgent`,
        saw: urgent,
      });
    try {
      await lab.i3.command('workspace 1');
      await is(world, 'idle');
      world.web.prompt('SCN:bash please');
      await lit(['3: web']);
      await lab.i3.command('workspace "3: web"');
      await lit([]);
      await lab.i3.command('workspace 1');
      await lit(['3: web']);
      await settle(world);
      await lit([]);
      expect((await lab.i3.workspaces()).find(({ focused }) => focused)?.name).toBe('1');
    } finally {
      await lab.stop();
    }
  });
});
