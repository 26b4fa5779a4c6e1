import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import { type Bus, type BusParts, keepBus, socketsOf } from './bus.ts';
import type { Card, Deed } from './card.ts';
import { lingers, requestOf } from './request.ts';
import { followServer, type Request, type Server, type ServerEvent } from './server.ts';

/** At most one live notification for each key: a session's id, or `summary`. */
export interface Notifications {
  /** Tells: shows it, in the place of the one that the key has. */
  show(key: string, card: Card): void;
  /** What the key's notification says has changed; nothing where it has none, or the user has dismissed it. */
  update(key: string, card: Card): void;
  /** Closes it, where it still is. */
  withdraw(key: string): void;
  /** A moment to look for a bus that was not there; and where one may be, as a D-Bus address. */
  learn(busAddress: string | null): void;
  /**
   * Takes back what `save` gave an earlier daemon. @returns the keys that had a notification that stays: `update` brings it back,
   * in the place of the one that a killed daemon has left on the screen, or `withdraw` closes that one.
   */
  resume(saved: unknown): readonly string[];
  /** JSON that `resume` takes back, also after `stop`. */
  save(): unknown;
  stop(): Promise<void>;
}

export interface NotificationsParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Where the session bus may listen, likeliest first. */
  readonly sockets: () => readonly string[];
  /** The user asked for it, by a button of the key's notification that shows now, or by a click on it. */
  readonly onDeed: (key: string, deed: Deed) => void;
  /** What `save` gives has changed. */
  readonly onChange: () => void;
  /** Only tests give one. */
  readonly bus?: (parts: BusParts) => Bus;
}

/** For so long after its buttons appeared, a notification answers nothing: the click was meant for what was there before. */
const INERT = 500;
/** Farewell to a server that does not answer, ms. */
const LAST_CALLS = 500;

interface Left {
  readonly instance: string;
  readonly id: number;
}

const savedSchema = z.array(
  z.object({ key: z.string(), left: z.nullable(z.object({ instance: z.string(), id: z.int() })) }),
);
type Saved = z.infer<typeof savedSchema>;

interface Entry {
  /** What is to be seen; null: nothing any more. */
  card: Card | null;
  loud: boolean;
  /** The server's; null while it shows none. */
  id: number | null;
  /** The id that an earlier daemon had, of this instance of the server. */
  left: Left | null;
  /** What the server was sent last, but for its loudness. */
  sent: Omit<Request, 'replaces'> | null;
  /** When its buttons appeared, ms since the epoch. */
  since: number;
  /** What brings the server to what is wanted, until it is done. */
  busy: Promise<void> | null;
  /** The user pressed an inert button, and the server closes at every press. */
  pressedTooSoon: boolean;
}

/** Of a notification that an earlier daemon has left it is not known what it says. */
const nothing: Omit<Request, 'replaces'> = {
  icon: '',
  summary: '',
  body: '',
  actions: [],
  hints: {},
  timeout: 1,
};

export function createNotifications(parts: NotificationsParts): Notifications {
  const { clock, log } = parts;
  const entries = new Map<string, Entry>();
  let bus: Bus | null = null;
  let stopping = false;
  let atStop: Saved | null = null;
  /** What `save` gave, when that was last told to have changed. */
  let known = '[]';
  /** Sockets of a bus that a client named. */
  let learned: readonly string[] = [];

  const server = followServer({ clock, log, bus: theBus, tell: heard });

  /** Made when there is something to show for the first time. */
  function theBus(): Bus {
    bus ??= (parts.bus ?? keepBus)({
      clock,
      log,
      name: 'session',
      sockets: () => [...new Set([...parts.sockets(), ...learned])],
      onConnected: async (connected) => {
        await server.connected(connected);
        pumpAll();
      },
      onSignal: server.heard,
      onGone: server.gone,
    });
    return bus;
  }

  function heard(event: ServerEvent): void {
    if (event.type === 'came') pumpAll();
    else if (event.type === 'went') serverWent();
    else {
      const found = [...entries].find(([, { id }]) => id === event.id);
      // Of another program, or of one that we closed: notification-daemon lets its old buttons be pressed.
      if (found === undefined) return;
      const [key, entry] = found;
      if (event.type === 'action') pressed(key, entry, event.key);
      else closed(key, entry);
    }
  }

  /** What stays until it is settled is shown again by the next server; the rest was told. */
  function serverWent(): void {
    for (const [key, entry] of entries) {
      if (entry.id === null) continue;
      if (entry.card?.stays !== true) entries.delete(key);
      entry.id = null;
      entry.sent = null;
      entry.loud = false;
    }
  }

  function pressed(key: string, entry: Entry, action: string): void {
    const { card } = entry;
    if (card === null) return;
    const button = action === 'default' ? card.whole : card.buttons.find((one) => one.key === action);
    if (button === undefined) return;
    if (button.deed.do === 'answer' && clock.now() < entry.since + INERT && clock.now() >= entry.since) {
      log.info({ key, action }, 'pressed too soon after it appeared');
      entry.pressedTooSoon = true;
      return;
    }
    parts.onDeed(key, button.deed);
  }

  /** Dismissed, expired, or closed together with all others: that means neither yes nor no. */
  function closed(key: string, entry: Entry): void {
    entry.id = null;
    entry.sent = null;
    // What takes its place is on its way.
    if (entry.busy !== null) return;
    if (!entry.pressedTooSoon) {
      entries.delete(key);
      tellChange();
      return;
    }
    entry.pressedTooSoon = false;
    entry.loud = false;
    void pump(key, entry);
  }

  function pumpAll(): void {
    for (const [key, entry] of entries) void pump(key, entry);
  }

  /** Brings what the server shows to what is wanted, one call after the other. */
  function pump(key: string, entry: Entry): Promise<void> {
    entry.busy ??= work(key, entry).finally(() => {
      entry.busy = null;
      tellChange();
    });
    return entry.busy;
  }

  /** Most of what is done with a notification changes nothing that another daemon must know. */
  function tellChange(): void {
    const now = JSON.stringify(save());
    if (now === known) return;
    known = now;
    parts.onChange();
  }

  async function work(key: string, entry: Entry): Promise<void> {
    try {
      while (await step(key, entry));
    } catch (error) {
      // Said by the server's part; when there is a server again, it is tried again.
      log.debug({ key, error: String(error) }, 'a notification waits for a server');
    }
  }

  /** @returns whether there may be more to do */
  async function step(key: string, entry: Entry): Promise<boolean> {
    const { card } = entry;
    if (entry.left !== null) takeBack(entry, entry.left, await server.find());
    if (card === null) {
      if (entries.get(key) === entry) entries.delete(key);
      if (entry.id !== null) await close(entry.id, entry.sent);
      return false;
    }
    if (entries.get(key) !== entry) return false;
    const ready = await server.find();
    // While the bus started a server, much may have happened.
    if (entry.card !== card) return true;
    const request = requestOf(card, ready, entry.loud);
    if (!entry.loud && entry.sent !== null && isDeepStrictEqual(request, entry.sent)) return false;
    await send(entry, request, ready);
    return true;
  }

  /** Never throws. */
  async function close(id: number, sent: Entry['sent']): Promise<void> {
    const to = server.current();
    if (to !== null && lingers(to)) {
      const expiring = { ...(sent ?? nothing), replaces: id, timeout: 1 };
      await server.notify(expiring).then(server.close, () => {});
    } else await server.close(id);
  }

  function takeBack(entry: Entry, { instance, id }: Left, from: Server): void {
    entry.left = null;
    if (instance === from.instance) entry.id = id;
  }

  async function send(entry: Entry, request: Omit<Request, 'replaces'>, to: Server): Promise<void> {
    const replaces = entry.id ?? 0;
    const sameButtons = entry.id !== null && isDeepStrictEqual(entry.sent?.actions, request.actions);
    const { card } = entry;
    entry.loud = false;
    entry.pressedTooSoon = false;
    const id = await server.notify({ ...request, replaces });
    // One that was closed meanwhile, or that another server showed, is replaced by a new one.
    if (server.current() !== to) return;
    entry.id = id;
    entry.sent = card === null ? null : requestOf(card, to, false);
    if (!sameButtons) entry.since = clock.now();
  }

  function want(key: string, card: Card, loud: boolean): void {
    if (stopping) return;
    const entry = entries.get(key) ?? newEntry(null);
    entry.card = card;
    entry.loud ||= loud;
    entries.set(key, entry);
    void pump(key, entry);
  }

  function save(): Saved {
    return [...entries].flatMap(([key, { card, id, left }]) => {
      const instance = server.current()?.instance;
      // One that was not brought back yet.
      if (card === null && left !== null) return [{ key, left }];
      if (card?.stays !== true) return [];
      return [{ key, left: id === null || instance === undefined ? null : { id, instance } }];
    });
  }

  return {
    show: (key, card) => want(key, card, true),
    update(key, card) {
      const entry = entries.get(key);
      if (entry === undefined) return;
      // What was wanted without a bus is shown as soon as there is one.
      const isDone = entry.id !== null || bus?.current() === null;
      if (!isDone || !isDeepStrictEqual(entry.card, card)) want(key, card, false);
    },
    withdraw(key) {
      const entry = entries.get(key);
      if (entry === undefined) return;
      entry.card = null;
      void pump(key, entry);
    },
    learn(busAddress) {
      if (busAddress !== null) learned = socketsOf(busAddress);
      bus?.nudge();
    },
    resume(from) {
      const read = savedSchema.safeParse(from);
      const found = read.success ? read.data : [];
      for (const { key, left } of found) entries.set(key, newEntry(left));
      return found.map(({ key }) => key);
    },
    save: () => atStop ?? save(),
    async stop() {
      stopping = true;
      // They are closed: whose buttons nobody hears must not stay.
      atStop = save().map(({ key }) => ({ key, left: null }));
      const calls = [...entries].flatMap(([key, entry]) => {
        entry.card = null;
        return entry.id === null && entry.busy === null ? [] : [pump(key, entry)];
      });
      await Promise.race([
        Promise.all(calls),
        new Promise<void>((resolve) => {
          clock.after(LAST_CALLS, resolve);
        }),
      ]);
      bus?.stop();
    },
  };
}

function newEntry(left: Left | null): Entry {
  return {
    card: null,
    loud: false,
    id: null,
    left,
    sent: null,
    since: 0,
    busy: null,
    pressedTooSoon: false,
  };
}
