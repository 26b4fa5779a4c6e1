import * as z from 'zod/mini';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { Bus, Connected, Signal } from './bus.ts';

/**
 * The notification server of the desktop, as the Desktop Notifications Specification 1.2 has it
 * (https://specifications.freedesktop.org/notification-spec/1.2/), and as servers are: they come late, are replaced,
 * killed, and started by the bus when first asked.
 */
export interface Server {
  readonly name: string;
  readonly vendor: string;
  readonly version: string;
  readonly capabilities: ReadonlySet<string>;
  /** Of no other process, on no other bus: where a notification's id is this server's. */
  readonly instance: string;
}

/** What is sent to the server, in its own words. */
export interface Request {
  /** The id of the notification to change; 0 for a new one. */
  readonly replaces: number;
  readonly icon: string;
  readonly summary: string;
  readonly body: string;
  /** Key and label of each. */
  readonly actions: readonly (readonly [string, string])[];
  readonly hints: Readonly<Record<string, readonly ['s' | 'y' | 'b', string | number | boolean]>>;
  /** ms; 0: it stays; -1: as the server likes. */
  readonly timeout: number;
}

export type ServerEvent =
  /** A server is there, and knows nothing of us. */
  | { readonly type: 'came'; readonly server: Server }
  /** All that it showed is gone. */
  | { readonly type: 'went' }
  | { readonly type: 'action'; readonly id: number; readonly key: string }
  /** Reasons: 1 expired, 2 dismissed by the user, 3 closed by a call, 4 undefined. */
  | { readonly type: 'closed'; readonly id: number; readonly reason: number };

export interface NotificationServer {
  current(): Server | null;
  /** The server, started by the bus where it must be. @throws when there is none */
  find(): Promise<Server>;
  /** Gives the id that the server gave. @throws when there is no server, or it does not answer */
  notify(request: Request): Promise<number>;
  /** Never throws: a notification that is not there is closed. */
  close(id: number): Promise<void>;
  /** To be called with each new connection. */
  connected(connection: Connected): Promise<void>;
  heard(signal: Signal): void;
  /** The bus has gone, and the server with it. */
  gone(): void;
}

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';
const DBUS = 'org.freedesktop.DBus';
/** A server that the bus has to start first, ms. */
const START_LIMIT = 10_000;
/** Where it could not, how long until it is asked to once more, ms. */
const START_PAUSE = 60_000;

const information = z.tuple([z.string(), z.string(), z.string()], z.unknown());
const strings = z.tuple([z.array(z.string())], z.unknown());
const aName = z.tuple([z.string()], z.unknown());
const anId = z.tuple([z.int()], z.unknown());
const actionInvoked = z.tuple([z.int(), z.string()], z.unknown());
const notificationClosed = z.tuple([z.int(), z.int()], z.unknown());
const ownerChanged = z.tuple([z.string(), z.string(), z.string()], z.unknown());
const yes = z.tuple([z.boolean()], z.unknown());

export function followServer(parts: {
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: () => Bus;
  readonly tell: (event: ServerEvent) => void;
}): NotificationServer {
  const { clock, log, tell } = parts;
  let server: Server | null = null;
  let owner: string | null = null;
  let told = '';
  let greeting: Promise<void> | null = null;
  /** The bus tried to start a server and could not. */
  let notStarted: { readonly why: string; readonly at: number } | null = null;

  function ask(connection: Connected, member: string, signature?: string, body?: readonly unknown[]) {
    const call = { destination: NAME, path: PATH, interface: NAME, member, limit: START_LIMIT };
    return connection.call(signature === undefined ? call : { ...call, signature, body: body ?? [] });
  }

  function askBus(connection: Connected, member: string, signature?: string, body?: readonly unknown[]) {
    const of = { destination: DBUS, path: '/org/freedesktop/DBus', interface: DBUS };
    const call = { ...of, member, limit: START_LIMIT };
    return connection.call(signature === undefined ? call : { ...call, signature, body: body ?? [] });
  }

  function connection(): Connected {
    const current = parts.bus().current();
    if (current === null) throw new Error(parts.bus().trouble() ?? 'not connected to the message bus yet');
    return current;
  }

  function greet(connected: Connected): Promise<void> {
    const greeted = (greeting ?? Promise.resolve())
      .catch(() => {})
      .then(() => greetOwner(connected))
      .finally(() => {
        if (greeting === greeted) greeting = null;
      });
    greeting = greeted;
    return greeted;
  }

  /** Whoever owns the name now; its signals are the only ones that count. */
  async function greetOwner(connected: Connected): Promise<void> {
    const [name] = aName.parse(await askBus(connected, 'GetNameOwner', 's', [NAME]));
    if (name === owner) return;
    const [who, what, bus] = await Promise.all([
      ask(connected, 'GetServerInformation'),
      ask(connected, 'GetCapabilities'),
      askBus(connected, 'GetId'),
    ]);
    const [serverName, vendor, version] = information.parse(who);
    const [capabilities] = strings.parse(what);
    const [busId] = aName.parse(bus);
    owner = name;
    const instance = `${busId} ${name}`;
    server = { name: serverName, vendor, version, capabilities: new Set(capabilities), instance };
    notStarted = null;
    told = '';
    log.info({ server: serverName, version }, 'found a notification server');
    tell({ type: 'came', server });
  }

  function lost(): void {
    owner = null;
    if (server === null) return;
    server = null;
    tell({ type: 'went' });
  }

  function say(why: string): void {
    if (why !== told) log.warn({ why }, 'nothing can be shown by a notification server');
    told = why;
  }

  /** A server that is installed, but started by the bus only when somebody wants to show something. */
  async function start(connected: Connected): Promise<void> {
    const now = clock.now();
    if (notStarted !== null && now >= notStarted.at && now < notStarted.at + START_PAUSE) {
      throw new Error(notStarted.why);
    }
    try {
      await askBus(connected, 'StartServiceByName', 'su', [NAME, 0]);
    } catch (error) {
      // Where the bus does not know the display, each attempt would start a program that fails.
      notStarted = { why: wordsOf(error), at: now };
      throw error;
    }
    await (greeting ?? greet(connected));
  }

  function ownerIs(name: string): void {
    if (name === owner) return;
    lost();
    const connected = parts.bus().current();
    if (name === '' || connected === null) return;
    greet(connected).catch((error: unknown) => say(wordsOf(error)));
  }

  return {
    current: () => server,

    async find() {
      const connected = connection();
      try {
        if (server === null) await start(connected);
        if (server === null) throw new Error('the notification server has gone');
        return server;
      } catch (error) {
        say(wordsOf(error));
        throw error;
      }
    },

    async notify({ replaces, icon, summary, body, actions, hints, timeout }) {
      const values = ['tsmux', replaces, icon, summary, body, actions.flat(), hintsOf(hints), timeout];
      const [id] = anId.parse(await ask(connection(), 'Notify', 'susssasa{sv}i', values));
      return id;
    },

    async close(id) {
      try {
        if (server !== null) await ask(connection(), 'CloseNotification', 'u', [id]);
      } catch (error) {
        // notification-daemon answers InvalidId for one that is closed already.
        log.debug({ id, error: String(error) }, 'a notification could not be closed');
      }
    },

    async connected(connected) {
      await connected.match(
        `type='signal',sender='${DBUS}',interface='${DBUS}',member='NameOwnerChanged',arg0='${NAME}'`,
      );
      // dunst sends its signals to us alone, which needs no rule; the others send them to all.
      await connected.match(`type='signal',sender='${NAME}',interface='${NAME}'`);
      notStarted = null;
      const [present] = yes.parse(await askBus(connected, 'NameHasOwner', 's', [NAME]));
      if (present) await greet(connected).catch((error: unknown) => say(wordsOf(error)));
    },

    heard({ sender, interface: of, member, body }) {
      if (sender === DBUS && member === 'NameOwnerChanged') {
        const change = ownerChanged.safeParse(body);
        if (change.success && change.data[0] === NAME) ownerIs(change.data[2]);
        return;
      }
      if (of !== NAME || sender !== owner) return;
      if (member === 'ActionInvoked') {
        const action = actionInvoked.safeParse(body);
        if (action.success) tell({ type: 'action', id: action.data[0], key: action.data[1] });
      } else if (member === 'NotificationClosed') {
        const closed = notificationClosed.safeParse(body);
        if (closed.success) tell({ type: 'closed', id: closed.data[0], reason: closed.data[1] });
      }
    },

    gone: lost,
  };
}

/** `a{sv}`, as dbus-native marshals it. */
function hintsOf(hints: Request['hints']): unknown[] {
  return Object.entries(hints).map(([name, [signature, value]]) => [name, [signature, value]]);
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
