import { describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { aPrompt } from './cards.ts';
import { aServer } from './desktop-bus.ts';

import { aDesktop, cardOf, notificationsAt, settled, showing } from './on-a-bus.ts';

describe('over a restart of the daemon', () => {
  it('the notification that stays is closed, and brought back without a sound', async () => {
    const { bus, server, show, stop, save } = await aDesktop();
    show('k3f7', cardOf());
    show('web1', cardOf(aPrompt(), { stays: false, title: 'web1 · finished' }));
    await showing(server, 2);
    await stop();
    await showing(server, 0);
    const next = notificationsAt(bus.socket);
    expect(next.resume(JSON.parse(JSON.stringify(save())))).toEqual(['k3f7']);
    next.update('web1', cardOf());
    next.update('k3f7', cardOf());
    await showing(server, 1);
    expect(server.asked).toHaveLength(3);
    expect(server.asked[2]?.hints['sound-name']).toBeUndefined();
  });

  it('a killed one leaves a notification that nobody hears: it is heard again, in its place', async () => {
    const { bus, server, show, save } = await aDesktop();
    show('k3f7', cardOf());
    const { id } = (await showing(server, 1)) as { id: number };
    const saved = await until(() => (save() as { left: unknown }[])[0]?.left && save(), { why: 'the id' });
    const next = notificationsAt(bus.socket);
    next.resume(saved);
    next.update('k3f7', cardOf());
    await until(() => server.asked.length === 2, { why: 'the change' });
    expect(server.asked[1]).toMatchObject({ id, replaces: id });
    await settled(server, next);
    next.clock.pass(500);
    server.press(id, 'p7c2/0/1');
    await until(() => next.deeds.length === 1, { why: 'the press' });
  });

  it('what a killed one has left of a prompt that was settled is closed', async () => {
    const { bus, server, show, save } = await aDesktop();
    show('k3f7', cardOf());
    const { id } = (await showing(server, 1)) as { id: number };
    const saved = await until(() => (save() as { left: unknown }[])[0]?.left && save(), { why: 'the id' });
    const next = notificationsAt(bus.socket);
    next.resume(saved);
    next.withdraw('k3f7');
    await showing(server, 0);
    expect(server.closeAsked).toEqual([id]);
  });

  it('an id of another server is nobody’s', async () => {
    const { bus, server, show, stop, save } = await aDesktop();
    show('k3f7', cardOf());
    await showing(server, 1);
    const saved = await until(() => (save() as { left: unknown }[])[0]?.left && save(), { why: 'the id' });
    await server.stop();
    await stop();
    const other = await aServer(bus.socket);
    const next = notificationsAt(bus.socket);
    next.resume(saved);
    next.update('k3f7', cardOf());
    await showing(other, 1);
    expect(other.asked[0]).toMatchObject({ replaces: 0 });
  });
});
