import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import { type Bus, type BusParts, keepBus, socketsOf } from './bus.ts';
import type { Card, Deed } from './card.ts';
import { requestOf } from './request.ts';
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
  stop(): Promise<void>;
}

export interface NotificationsParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Where the session bus may listen, likeliest first. */
  readonly sockets: () => readonly string[];
  /** The user asked for it, by a button of the key's notification that shows now, or by a click on it. */
  readonly onDeed: (key: string, deed: Deed) => void;
  /** Only tests give one. */
  readonly bus?: (parts: BusParts) => Bus;
}

/** For so long after its buttons appeared, a notification answers nothing: the click was meant for what was there before. */
const INERT = 500;
/** Farewell to a server that does not answer, ms. */
const LAST_CALLS = 500;

interface Entry {
  /** What is to be seen; null: nothing any more. */
  card: Card | null;
  loud: boolean;
  /** The server's; null while it shows none. */
  id: number | null;
  /** What the server was sent last, but for its loudness. */
  sent: Omit<Request, 'replaces'> | null;
  /** When its buttons appeared, ms since the epoch. */
  since: number;
  busy: boolean;
  /** The user pressed an inert button, and the server closes at every press. */
  pressedTooSoon: boolean;
}

export function createNotifications(parts: NotificationsParts): Notifications {
  const { clock, log } = parts;
  const entries = new Map<string, Entry>();
  let bus: Bus | null = null;
  let stopping = false;
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
    if (entry.busy) return;
    if (!entry.pressedTooSoon) {
      entries.delete(key);
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
  async function pump(key: string, entry: Entry): Promise<void> {
    if (entry.busy) return;
    entry.busy = true;
    try {
      while (await step(key, entry));
    } catch (error) {
      // Said by the server's part; when there is a server again, it is tried again.
      log.debug({ key, error: String(error) }, 'a notification waits for a server');
    } finally {
      entry.busy = false;
    }
  }

  /** @returns whether there may be more to do */
  async function step(key: string, entry: Entry): Promise<boolean> {
    const { card } = entry;
    if (card === null) {
      if (entries.get(key) === entry) entries.delete(key);
      if (entry.id !== null) await server.close(entry.id);
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
    const entry = entries.get(key) ?? {
      card,
      loud,
      id: null,
      sent: null,
      since: 0,
      busy: false,
      pressedTooSoon: false,
    };
    entry.card = card;
    entry.loud ||= loud;
    entries.set(key, entry);
    void pump(key, entry);
  }

  return {
    show: (key, card) => want(key, card, true),
    update(key, card) {
      if (entries.has(key)) want(key, card, false);
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
    async stop() {
      stopping = true;
      const calls = [...entries.values()].flatMap(({ id }) => (id === null ? [] : [server.close(id)]));
      entries.clear();
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
