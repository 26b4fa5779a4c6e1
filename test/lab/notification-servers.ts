// Notification servers in a lab, and what passes between them and tsmux, read from the message bus.
import * as z from 'zod/mini';
import { until } from '../support/until.ts';
import type { Lab } from './lab.ts';
import type { Colour, Picture } from './picture.ts';
import type { Running, Shell } from './shell.ts';
import type { Rect } from './window-manager.ts';

const NAME = 'org.freedesktop.Notifications';

/** Debian's paths. */
export const servers = {
  dunst: ['/usr/bin/dunst'],
  mako: ['/usr/bin/mako'],
  xfce: ['/usr/lib/x86_64-linux-gnu/xfce4/notifyd/xfce4-notifyd'],
  mate: ['/usr/lib/mate-notification-daemon/mate-notification-daemon'],
  gnome: ['/usr/lib/notification-daemon/notification-daemon'],
  lxqt: ['/usr/bin/lxqt-notificationd'],
} as const;

export async function startServer(shell: Shell, kind: keyof typeof servers): Promise<Running> {
  const [program, ...args] = servers[kind];
  const server = shell.spawn(program, args);
  const bus = ['org.freedesktop.DBus', '/org/freedesktop/DBus', 'org.freedesktop.DBus'];
  const ask = ['--user', 'call', ...bus, 'NameHasOwner', 's', NAME];
  await until(async () => (await shell.run('busctl', ask)).stdout === 'b true\n', {
    why: kind,
    limit: 15_000,
    saw: server.stderr,
  });
  return server;
}

/** A notification as it was asked for. */
export interface Asked {
  readonly replaces: number;
  readonly summary: string;
  readonly body: string;
  /** Labels by key, in order. */
  readonly actions: ReadonlyMap<string, string>;
  readonly hints: Readonly<Record<string, unknown>>;
  readonly timeout: number;
}

export interface Watch {
  /** Every Notify so far. */
  asked(): Asked[];
  /** When the last of them passed, ms since the epoch. */
  lastAsked(): number;
  /** Ids of every CloseNotification so far. */
  closed(): number[];
  /** Every ActionInvoked so far: its id and key. */
  pressed(): [number, string][];
  /** Ids of every NotificationClosed so far, with the reason. */
  gone(): [number, number][];
}

const message = z.object({
  type: z.string(),
  member: z.nullish(z.string()),
  'timestamp-realtime': z.int(),
  payload: z.object({ data: z.array(z.unknown()) }),
});
const notify = z.tuple([
  z.string(),
  z.int(),
  z.string(),
  z.string(),
  z.string(),
  z.array(z.string()),
  z.record(z.string(), z.object({ data: z.unknown() })),
  z.int(),
]);

/** Reads along on the bus, as it is now: a bus that is started anew has to be watched anew. */
export async function watchBus(shell: Shell): Promise<Watch> {
  const match = `interface='${NAME}'`;
  const monitor = shell.spawn('busctl', ['--user', 'monitor', '--json=short', '--match', match]);
  await until(() => monitor.stderr().includes('Monitoring'), { why: 'busctl', saw: monitor.stderr });
  const messages = (type: string, member: string) =>
    monitor
      .lines()
      .map((line) => message.parse(JSON.parse(line)))
      .filter((one) => one.type === type && one.member === member);
  const all = (type: string, member: string) => messages(type, member).map(({ payload }) => payload.data);
  const numbers = z.tuple([z.int(), z.int()]);
  return {
    asked: () =>
      all('method_call', 'Notify').map((data) => {
        const [, replaces, , summary, body, actions, hints, timeout] = notify.parse(data);
        const pairs = actions.flatMap((key, index) =>
          index % 2 === 0 ? [[key, actions[index + 1] ?? ''] as const] : [],
        );
        const values = Object.entries(hints).map(([name, { data: value }]) => [name, value]);
        return {
          replaces,
          summary,
          body,
          actions: new Map(pairs),
          hints: Object.fromEntries(values),
          timeout,
        };
      }),
    // In microseconds.
    lastAsked: () => (messages('method_call', 'Notify').at(-1)?.['timestamp-realtime'] ?? 0) / 1000,
    closed: () => all('method_call', 'CloseNotification').map((data) => z.tuple([z.int()]).parse(data)[0]),
    pressed: () => all('signal', 'ActionInvoked').map((data) => z.tuple([z.int(), z.string()]).parse(data)),
    gone: () => all('signal', 'NotificationClosed').map((data) => numbers.parse(data)),
  };
}

/** The next notification of a prompt with its options: the file that only says that Claude waits may be read first. */
export async function nextPrompt(watch: Watch, since: number): Promise<Asked> {
  const withOptions = () =>
    watch
      .asked()
      .slice(since)
      .find(({ actions }) => [...actions.values()].includes('No'));
  return until(withOptions, { why: 'the notification', saw: watch.asked });
}

/** A dialog in the terminal hears no key in its first moment. */
export const dialogHears = (lab: Pick<Lab, 'tsmux'>) =>
  until(
    async () => {
      const [prompt] = JSON.parse((await lab.tsmux(['list', '--json'])).stdout).sessions[0].prompts;
      return Date.now() - Date.parse(prompt?.since) > 700;
    },
    { why: 'the dialog to be old enough' },
  );

/** A notification answers nothing in the first half second after it came up. */
export const ripe = (watch: Watch) =>
  until(() => Date.now() - watch.lastAsked() > 700, { why: 'the last notification to be old enough' });

/** The window on the screen of a program that i3 does not manage, as notifications are; null: none. */
export async function windowOf(shell: Shell, name: string): Promise<Rect | null> {
  const { stdout } = await shell.run('xwininfo', ['-root', '-tree']);
  const lines = stdout
    .split('\n')
    .filter((text) => text.includes(`"${name}")`) && !/ (\d|1\d)x(\d|1\d)\+| 1280x1\+/.test(text));
  for (const line of lines) {
    const [id] = /0x[\da-f]+/.exec(line) ?? [];
    const [, width, height, x, y] = /(\d+)x(\d+)\+-?\d+\+-?\d+ +\+(-?\d+)\+(-?\d+)/.exec(line) ?? [];
    if (id === undefined || width === undefined) continue;
    // Some keep their window, and do not show it.
    const drawn = await shell.run('xwininfo', ['-id', id]);
    if (drawn.stdout.includes('IsViewable'))
      return { x: Number(x), y: Number(y), width: Number(width), height: Number(height) };
  }
  return null;
}

/** Colours of the first, the second … button that GTK draws beside each other, so that a test finds them in a picture. */
const buttonColours: readonly Colour[] = ['#ff0000', '#00ff00', '#0000ff', '#ffff00'];
export const buttonStyle = buttonColours
  .map((colour, index) => `button:nth-child(${index + 1}) { background: ${colour}; }\n`)
  .join('');

/** The middle of the button, in the row at the lower edge of the notification. */
export function buttonIn(picture: Picture, within: Rect, place: number): { x: number; y: number } {
  const row = { ...within, y: within.y + within.height - 50, height: 50 };
  const found = picture.find(buttonColours[place] ?? '', row);
  if (found === null) throw new Error(`no button ${place} is drawn`);
  return { x: found.x + Math.floor(found.width / 2), y: found.y + 4 };
}
