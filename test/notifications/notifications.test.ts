import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BusParts } from '../../src/notifications/bus.ts';
import { keepBus, sessionBusSockets, socketsOf } from '../../src/notifications/bus.ts';
import { silentLog } from '../../src/system/log.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { aPrompt } from './cards.ts';
import { aBus, aServer, aSocket } from './desktop-bus.ts';

import { aDesktop, cardOf, notificationsAt, pauseOf, settled, showing } from './on-a-bus.ts';

describe('a notification', () => {
  it('is shown, changed in its place, and closed', async () => {
    const { server, show, withdraw } = await aDesktop();
    show('k3f7', cardOf());
    const { id } = (await showing(server, 1)) as { id: number };
    show('k3f7', cardOf(aPrompt({ text: 'npm test' })));
    await until(() => server.asked.length === 2, { why: 'the change' });
    expect(server.asked[1]).toMatchObject({ id, replaces: id });
    withdraw('k3f7');
    await showing(server, 0);
    expect(server.closeAsked).toEqual([id]);
  });

  it('e9: of a prompt that was settled elsewhere is closed, and no other', async () => {
    const { server, show, withdraw } = await aDesktop();
    show('k3f7', cardOf());
    show('web1', cardOf(aPrompt({ id: 'p888' })));
    await showing(server, 2);
    const [first] = server.asked;
    withdraw('k3f7');
    await showing(server, 1);
    expect(server.closeAsked).toEqual([first?.id]);
  });

  it('expires before it is closed where a closed one would stay on the screen', async () => {
    const { server, show, withdraw } = await aDesktop({ name: 'Notification Daemon', vendor: 'GNOME' });
    show('k3f7', cardOf());
    const { id } = (await showing(server, 1)) as { id: number };
    await settled(server, { show });
    withdraw('k3f7');
    await until(() => server.closeAsked.length === 1, { why: 'it to be closed' });
    expect(server.closeAsked).toEqual([id]);
    expect(server.asked.at(-1)).toMatchObject({ id, summary: 'webshop · Bash', timeout: 1 });
  });

  it('that is withdrawn while the server still makes it does not stay', async () => {
    const { server, show, withdraw } = await aDesktop();
    show('k3f7', cardOf());
    withdraw('k3f7');
    await settled(server, { show });
    expect(server.shown()).toHaveLength(1);
  });

  it('changes without a sound, and only where it is', async () => {
    const { server, show, update } = await aDesktop();
    update('k3f7', cardOf());
    show('k3f7', cardOf());
    const { id } = (await showing(server, 1)) as { id: number };
    update('k3f7', cardOf());
    update('k3f7', cardOf(aPrompt({ text: 'npm test' })));
    await until(() => server.asked.length === 2, { why: 'the change' });
    expect(server.asked.map(({ hints }) => hints['sound-name'])).toEqual(['dialog-question', undefined]);
    server.closes(id, 2);
    await settled(server, { show });
    update('k3f7', cardOf());
    await settled(server, { show });
    expect(server.asked.filter(({ summary }) => summary.startsWith('webshop'))).toHaveLength(4);
  });

  it('that says the same again costs nothing, and changes nothing that must be kept', async () => {
    const { server, show, update, withdraw, changes } = await aDesktop();
    show('k3f7', cardOf());
    const { id } = (await showing(server, 1)) as { id: number };
    const kept = [{ key: 'k3f7', left: { id, instance: expect.any(String) } }];
    await until(() => JSON.stringify(changes.at(-1))?.includes('instance'), { why: 'it to be kept' });
    expect(changes.at(-1)).toEqual(kept);
    const before = changes.length;
    for (let again = 0; again < 5; again++) update('k3f7', cardOf());
    update('k3f7', cardOf(aPrompt({ text: 'npm test' })));
    await until(() => server.asked.length === 2, { why: 'the change' });
    withdraw('k3f7');
    await until(() => changes.length > before, { why: 'nothing to be kept' });
    expect(changes.slice(before)).toEqual([[]]);
    expect(server.asked).toHaveLength(2);
  });

  it('that says the same again costs nothing while there is no bus, and is shown when there is one', async () => {
    const socket = aSocket();
    const { show, update, clock, debugged } = notificationsAt(socket);
    show('k3f7', cardOf());
    const pause = await pauseOf(clock);
    const before = debugged.length;
    expect(before).toBe(1);
    for (let again = 0; again < 5; again++) {
      update('k3f7', cardOf());
      await setImmediate();
    }
    update('k3f7', cardOf(aPrompt({ text: 'npm test' })));
    await until(() => debugged.length > before, { why: 'the change to be tried' });
    expect(debugged).toHaveLength(before + 1);
    await aBus(socket);
    const server = await aServer(socket);
    clock.pass(pause);
    await showing(server, 1);
    expect(server.asked.map(({ body }) => body).join()).toContain('npm test');
  });

  it('e7: in the place of a closed one takes whatever id the server gives', async () => {
    const { server, show, withdraw, deeds } = await aDesktop();
    show('k3f7', cardOf());
    const { id } = (await showing(server, 1)) as { id: number };
    server.closes(id, 1);
    await settled(server, { show });
    show('k3f7', cardOf());
    await showing(server, 2);
    const again = server.asked.at(-1);
    expect(again?.id).not.toBe(id);
    server.press(again?.id ?? 0, 'default');
    await until(() => deeds.length === 1, { why: 'the click' });
    withdraw('k3f7');
    await until(() => server.closeAsked.at(-1) === again?.id, { why: 'the new one to be closed' });
  });
});

describe('a press', () => {
  const pressed = async (key: string, id = 1, wait = 500) => {
    const desktop = await aDesktop();
    desktop.show('k3f7', cardOf());
    await showing(desktop.server, 1);
    await settled(desktop.server, desktop);
    desktop.clock.pass(wait);
    desktop.server.press(id, key);
    desktop.server.press(1, 'k3f7/go');
    await until(() => desktop.deeds.at(-1)?.do === 'go', { why: 'the last press' });
    return { ...desktop, first: desktop.deeds.slice(0, -1) };
  };

  it('of an option answers that prompt with that option', async () => {
    expect((await pressed('p7c2/0/3')).first).toEqual([
      {
        key: 'k3f7',
        do: 'answer',
        session: 'k3f7',
        prompt: 'p7c2',
        question: 0,
        option: { key: '3', label: 'No', means: 'deny' },
      },
    ]);
  });

  it('e4: on the notification itself goes to the terminal, also where no buttons are drawn', async () => {
    expect((await pressed('default')).first).toEqual([{ key: 'k3f7', do: 'go', session: 'k3f7' }]);
  });

  it.each(['allow', '1', 'p7c2', 'p7c2/0/9', 'p111/0/1', ''])(
    'of %j, which was not offered, does nothing',
    async (key) => {
      expect((await pressed(key)).first).toEqual([]);
    },
  );

  it('of an id of another program does nothing', async () => {
    expect((await pressed('p7c2/0/1', 77)).first).toEqual([]);
  });

  it('answers nothing for half a second after the options appeared', async () => {
    expect((await pressed('p7c2/0/1', 1, 499)).first).toEqual([]);
  });

  it('that came too soon leaves the notification there, also where the server closes at every press', async () => {
    const { server, show, deeds, clock } = await aDesktop();
    show('k3f7', cardOf());
    await showing(server, 1);
    await settled(server, { show });
    server.press(1, 'p7c2/0/1');
    server.closes(1, 2);
    await until(() => server.asked.at(-1)?.summary === 'webshop · Bash' && server.asked.length === 3, {
      why: 'it to be back',
    });
    await settled(server, { show });
    clock.pass(500);
    server.press(server.asked[2]?.id ?? 0, 'p7c2/0/1');
    await until(() => deeds.length === 1, { why: 'the press that counts' });
  });

  it('on one that was closed is never taken for the prompt that is open now', async () => {
    const { server, show, withdraw, deeds, clock } = await aDesktop({ reusesIds: true });
    show('k3f7', cardOf());
    await showing(server, 1);
    withdraw('k3f7');
    await showing(server, 0);
    // A closed id that the server gives out again, to another prompt.
    show('k3f7', cardOf(aPrompt({ id: 'p888' })));
    await showing(server, 1);
    await settled(server, { show });
    clock.pass(500);
    const { id } = server.asked[1] as { id: number };
    server.press(1, 'p7c2/0/1');
    server.press(id, 'p7c2/0/1');
    server.press(id, 'p888/0/3');
    await until(() => deeds.length > 0, { why: 'the last press' });
    expect(deeds).toEqual([
      {
        key: 'k3f7',
        do: 'answer',
        session: 'k3f7',
        prompt: 'p888',
        question: 0,
        option: { key: '3', label: 'No', means: 'deny' },
      },
    ]);
  });

  it('is none: what the user dismisses, what expires, and what is closed with all others answers nothing', async () => {
    const { server, show, deeds } = await aDesktop();
    for (const reason of [1, 2] as const) {
      show('k3f7', cardOf());
      await showing(server, 1);
      server.closes(server.asked.at(-1)?.id ?? 0, reason);
      await settled(server, { show });
      server.closes(server.asked.at(-1)?.id ?? 0, 2);
    }
    expect(deeds).toEqual([]);
  });
});

describe('the notification server', () => {
  it('e1: may be missing: that is said once, and what is to be seen is shown when one comes', async () => {
    const bus = await aBus();
    const { show, warnings } = notificationsAt(bus.socket);
    show('k3f7', cardOf());
    show('web1', cardOf());
    await until(() => warnings.length > 0, { why: 'the word' });
    const server = await aServer(bus.socket);
    await showing(server, 2);
    expect(warnings).toHaveLength(1);
  });

  it('may be killed: the next one shows what still stands, and not what was only told', async () => {
    const { bus, server, show } = await aDesktop();
    show('k3f7', cardOf());
    show('web1', cardOf(aPrompt(), { stays: false, title: 'web1 · finished' }));
    await showing(server, 2);
    await server.stop();
    const next = await aServer(bus.socket);
    await showing(next, 1);
    expect(next.asked).toMatchObject([{ summary: 'webshop · Bash', replaces: 0 }]);
    expect(next.asked[0]?.hints['sound-name']).toBeUndefined();
  });
});

describe('the message bus', () => {
  it('e1: may be missing: that is said once, and it is found when it comes', async () => {
    const socket = aSocket();
    const { show, warnings, clock } = notificationsAt(socket);
    show('k3f7', cardOf());
    await until(() => warnings.length > 0, { why: 'the word' });
    for (let attempt = 0; attempt < 5; attempt++) clock.pass(await pauseOf(clock));
    await pauseOf(clock);
    await aBus(socket);
    const server = await aServer(socket);
    await until(
      () => {
        clock.pass(clock.timers()[0] ?? 0);
        return server.shown().length === 1;
      },
      { why: 'the notification' },
    );
    expect(warnings).toEqual([expect.stringContaining('ENOENT')]);
  });

  it('e11: may be restarted: tsmux is there again, and hears the presses', async () => {
    const { bus, server, show, deeds, clock } = await aDesktop();
    show('k3f7', cardOf());
    await showing(server, 1);
    await bus.stop();
    await aBus(bus.socket);
    const next = await aServer(bus.socket);
    await until(
      () => {
        if (next.shown().length === 0) clock.pass(clock.timers()[0] ?? 0);
        return next.shown().length === 1;
      },
      { why: 'the notification on the new bus' },
    );
    await settled(next, { show });
    clock.pass(500);
    next.press(1, 'p7c2/0/1');
    await until(() => deeds.length === 1, { why: 'the press' });
  });

  it('asks no more often than every 20 seconds while there is none', async () => {
    const { show, clock, warnings } = notificationsAt(aSocket());
    show('k3f7', cardOf());
    await until(() => warnings.length > 0, { why: 'the first attempt' });
    for (let attempt = 0; attempt < 10; attempt++) clock.pass(await pauseOf(clock));
    expect(await pauseOf(clock)).toBeGreaterThan(20_000);
  });

  it('e12: is at its usual place where the environment says nothing', () => {
    expect(sessionBusSockets({}, 1000)).toEqual(['/run/user/1000/bus']);
    expect(sessionBusSockets({ XDG_RUNTIME_DIR: '/tmp/run' }, 1000)).toEqual(['/tmp/run/bus']);
    const given = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/tmp/dbus-a%2cb,guid=12' };
    expect(sessionBusSockets(given, 1000)).toEqual(['/tmp/dbus-a,b', '/run/user/1000/bus']);
  });

  it('e12: is also where a client says that it is', async () => {
    const { show, learn, warnings } = notificationsAt(aSocket());
    show('k3f7', cardOf());
    await until(() => warnings.length > 0, { why: 'the first attempt' });
    const { socket } = await aBus();
    const server = await aServer(socket);
    learn(`unix:path=${socket},guid=12`);
    await showing(server, 1);
  });

  it('is never started: only what listens already counts', () => {
    expect(socketsOf('autolaunch:scope=*user;unixexec:path=/bin/sh;unix:abstract=/tmp/x')).toEqual([
      '\0/tmp/x',
    ]);
    expect(socketsOf('tcp:host=localhost,port=1;launchd:env=X')).toEqual([]);
  });

  it('that does not speak the protocol is given up, and costs nothing but a word', async () => {
    const { createServer } = await import('node:net');
    const socket = aSocket();
    const chatter = createServer((stream) => stream.end('220 mail\r\n'));
    await new Promise<void>((resolve) => chatter.listen(socket, resolve));
    const said: string[] = [];
    const parts: BusParts = {
      clock: manualClock(),
      log: { ...silentLog, warn: (_, words) => said.push(words) },
      name: 'session',
      sockets: () => [socket],
      onConnected: async () => {},
      onSignal: () => {},
      onGone: () => {},
    };
    const bus = keepBus(parts);
    onTestFinished(() => {
      bus.stop();
      chatter.close();
    });
    await until(() => said.length > 0, { why: 'the word' });
    expect(said).toEqual(['no connection to the message bus']);
    expect(bus.current()).toBeNull();
  });
});
