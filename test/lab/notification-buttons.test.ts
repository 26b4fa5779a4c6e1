import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import type { Lab } from './lab.ts';
import {
  buttonIn,
  ripe,
  type servers,
  startServer,
  type Watch,
  watchBus,
  windowOf,
} from './notification-servers.ts';
import { hasFocus } from './on-the-bar.ts';
import type { Picture } from './picture.ts';
import { asks, aWorld, is, settle, stateOf, type World } from './told-session.ts';
import type { Rect } from './window-manager.ts';

type Button = 'go' | 'yes' | 'no';

interface Drawn {
  readonly name: string;
  readonly kind: keyof typeof servers;
  readonly className: string;
  /** What Claude asks, with as many options as the server has buttons for, and the key of its No. */
  readonly scenario: 'bash' | 'write';
  readonly no: RegExp;
  readonly button: (
    picture: Picture,
    window: Rect,
    which: Button,
  ) => { readonly x: number; readonly y: number };
}

const inColours =
  (places: Readonly<Record<Button, number>>): Drawn['button'] =>
  (picture, window, which) =>
    buttonIn(picture, window, places[which]);

const drawn: readonly Drawn[] = [
  {
    name: 'xfce4-notifyd',
    kind: 'xfce',
    className: 'Xfce4-notifyd',
    scenario: 'bash',
    no: /\/0\/3$/,
    button: inColours({ go: 0, yes: 1, no: 3 }),
  },
  {
    name: 'mate-notification-daemon',
    kind: 'mate',
    className: 'Mate-notification-daemon',
    scenario: 'bash',
    no: /\/0\/3$/,
    button: inColours({ yes: 0, no: 2, go: 3 }),
  },
  {
    name: 'notification-daemon',
    kind: 'gnome',
    className: 'Notification-daemon',
    scenario: 'bash',
    no: /\/0\/3$/,
    button: inColours({ yes: 0, no: 1, go: 2 }),
  },
  {
    // Three buttons of one width beside each other, at the lower edge.
    name: 'lxqt-notificationd',
    kind: 'lxqt',
    className: 'lxqt-notificationd',
    scenario: 'write',
    no: /\/0\/2$/,
    button: (_, { x, y, height }, which) => ({
      x: x + { go: 72, yes: 143, no: 213 }[which],
      y: y + height - 37,
    }),
  },
];

describe.each(drawn)('notifications by $name, which draws buttons', (server) => {
  const { kind, className, scenario } = server;
  let world: World;
  let lab: Lab;
  let watch: Watch;

  const window = () => windowOf(lab, className);
  const gone = () =>
    until(async () => (await window()) === null, { why: 'the notification to be gone', saw: window });
  const press = async (which: Button) => {
    const { x, y } = await until(
      async () => {
        const within = await window();
        return within !== null && server.button(await lab.picture(), within, which);
      },
      { why: 'the notification on the screen, with its buttons' },
    );
    await lab.pointer.click(x, y);
  };

  beforeAll(async () => {
    world = await aWorld();
    ({ lab } = world);
    await startServer(lab, kind);
    watch = await watchBus(lab);
  });
  afterAll(() => lab?.stop());

  it('go to the terminal by their button', async () => {
    const { body } = await asks(world, watch, scenario);
    expect(body).not.toContain('Answer with');
    await press('go');
    await hasFocus(lab.i3, world.web.terminal);
    expect(await stateOf(world)).toBe('needs-input');
    await settle(world);
  });

  it.each(['yes', 'no'] as const)(
    'answer %s by their button, and the answer reaches Claude',
    async (answer) => {
      await asks(world, watch, scenario);
      await ripe(watch);
      await press(answer);
      // After its own No Claude stops, and waits for the next prompt.
      await is(world, answer === 'yes' ? 'review' : 'idle');
      expect(watch.pressed().at(-1)?.[1]).toMatch(answer === 'yes' ? /\/0\/1$/ : server.no);
      await gone();
      await lab.tsmux(['seen']);
    },
  );

  it('are closed when the prompt is settled in the terminal', async () => {
    await asks(world, watch, scenario);
    const closed = watch.closed().length;
    await settle(world);
    await until(() => watch.closed().length > closed, { why: 'it to be closed' });
    await gone();
  });
});

describe('more options than lxqt-notificationd draws buttons for', () => {
  it('are in a list, from which one is taken with OK', async () => {
    const world = await aWorld();
    const { lab } = world;
    try {
      await startServer(lab, 'lxqt');
      const watch = await watchBus(lab);
      await asks(world, watch);
      await ripe(watch);
      const { x, y, height } = await until(() => windowOf(lab, 'lxqt-notificationd'), {
        why: 'the notification on the screen',
      });
      const row = y + height - 37;
      await lab.pointer.click(x + 130, row);
      // Of the list the wheel and the keys choose as well; the next line of it is Yes.
      await lab.key('Down', 'Return');
      await lab.pointer.click(x + 210, row);
      await is(world, 'review');
      expect(watch.pressed().at(-1)?.[1]).toMatch(/\/0\/1$/);
    } finally {
      await lab.stop();
    }
  });
});
