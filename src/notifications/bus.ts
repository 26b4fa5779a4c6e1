import { connect, type Socket } from 'node:net';
import type { Message, MessageBus } from 'dbus-native';
import type { Cancel, Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';

/** One method call. Values in the shapes that dbus-native marshals, by `signature`. */
export interface Call {
  readonly destination: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly signature?: string;
  readonly body?: readonly unknown[];
  /** How long to wait for the reply, ms; 3 s where it is not said. */
  readonly limit?: number;
}

export interface Signal {
  /** The unique name of the sender, `:1.7`. */
  readonly sender: string;
  readonly path: string;
  readonly interface: string;
  readonly member: string;
  readonly body: readonly unknown[];
}

/** A connection that stands: from the handshake to its end. */
export interface Connected {
  /**
   * Values come back plain: a variant is its value, a dictionary an object.
   *
   * @throws an error reply of the other side; no reply in time; the end of the connection.
   */
  call(call: Call): Promise<readonly unknown[]>;
  /** Asks the bus for the signals that a rule fits, for as long as this connection stands. */
  match(rule: string): Promise<void>;
}

/** One message bus: one connection, which is made again for as long as it takes. */
export interface Bus {
  /** Null while there is no connection. */
  current(): Connected | null;
  /** Why there is none, for the user; null while there is one, and before the first attempt has failed. */
  trouble(): string | null;
  /** A client came that may know of a bus that we do not, or the desktop has just started: try now. */
  nudge(): void;
  stop(): void;
}

export interface BusParts {
  readonly clock: Clock;
  readonly log: Log;
  /** Which bus it is, for the log: `session`. */
  readonly name: string;
  /** Where it may listen, likeliest first (`socketsOf`). Asked before each attempt. */
  readonly sockets: () => readonly string[];
  /** A new connection stands. What it throws ends the connection. */
  readonly onConnected: (connected: Connected) => Promise<void>;
  readonly onSignal: (signal: Signal) => void;
  readonly onGone: () => void;
  /** An attempt to connect has failed; there will be others. */
  readonly onFailed?: () => void;
}

const DBUS = 'org.freedesktop.DBus';
const GONE = 'the message bus has gone';
const CALL_LIMIT = 3_000;
const CONNECT_LIMIT = 3_000;
/** ms between attempts, and then for ever. A bus that is restarted is back within a second or two. */
const PAUSES = [100, 200, 400, 800, 1_600, 5_000];
const LONG_PAUSE = 40_000;

/** Keeps a connection to a message bus, and says once when there is none. Reads dbus-native when one listens. */
export function keepBus(parts: BusParts): Bus {
  const { clock, log, name } = parts;
  let live: { readonly connected: Connected; readonly close: () => void } | null = null;
  let trouble: string | null = null;
  let told = '';
  let attempts = 0;
  let trying = false;
  let stopped = false;
  let later: Cancel | null = null;

  async function attempt(): Promise<void> {
    later?.();
    later = null;
    if (stopped || trying || live !== null) return;
    trying = true;
    try {
      await connectFirst();
    } catch (error) {
      fail(error instanceof Error ? error.message : String(error));
    } finally {
      trying = false;
    }
  }

  function fail(why: string): void {
    trouble = why;
    if (stopped) return;
    parts.onFailed?.();
    if (why !== told) log.warn({ bus: name, why }, 'no connection to the message bus');
    told = why;
    const pause = PAUSES[attempts];
    attempts += 1;
    later?.();
    const again = () => void attempt();
    later = pause === undefined ? clock.around(LONG_PAUSE, again) : clock.after(pause, again);
  }

  async function connectFirst(): Promise<void> {
    const failures: string[] = [];
    for (const socket of parts.sockets()) {
      try {
        return await open(socket);
      } catch (error) {
        failures.push(error instanceof Error ? error.message : String(error));
      }
    }
    throw new Error(failures.join('; ') || 'no socket of a message bus is known');
  }

  async function open(socket: string): Promise<void> {
    const stream = await openSocket(socket, clock);
    const bus = await speak(stream).catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    const connected: Connected = {
      call: (call) => invoke(bus, call),
      match: async (rule) => {
        await invoke(bus, { ...BUS_ITSELF, member: 'AddMatch', signature: 's', body: [rule] });
      },
    };
    bus.connection.on('message', (message: Message) => {
      const signal = signalOf(message);
      // What waits for the reply before it gets its turn first: the signal may be about what that reply named.
      if (signal !== null) setImmediate(() => parts.onSignal(signal));
    });
    await invoke(bus, { ...BUS_ITSELF, member: 'Hello' }).catch((error: unknown) => {
      stream.destroy();
      throw error;
    });
    if (stopped || stream.destroyed) {
      stream.destroy();
      throw new Error(GONE);
    }
    live = { connected, close: () => stream.destroy() };
    stream.once('close', () => {
      live = null;
      if (!stopped) parts.onGone();
      fail(GONE);
    });
    trouble = null;
    try {
      await parts.onConnected(connected);
      attempts = 0;
      told = '';
      log.info({ bus: name }, 'connected to the message bus');
    } catch (error) {
      log.warn({ bus: name, error: String(error) }, 'the message bus does not do what it is asked');
      stream.destroy();
    }
  }

  void attempt();
  return {
    current: () => live?.connected ?? null,
    trouble: () => trouble,
    nudge() {
      if (live === null && !trying) void attempt();
    },
    stop() {
      stopped = true;
      later?.();
      live?.close();
    },
  };
}

const BUS_ITSELF = { destination: DBUS, path: '/org/freedesktop/DBus', interface: DBUS } as const;

/**
 * dbus-native says Hello by itself and throws where nobody can catch it when that fails, and reads any address,
 * also one that starts a program: so it is given a stream, and says nothing by itself (`direct`).
 */
async function speak(stream: Socket): Promise<MessageBus> {
  // It is CommonJS: bundled, it has no names of its own.
  const { default: dbus } = await import('dbus-native');
  const bus = dbus.createClient({ stream, direct: true, plainValues: true, authMethods: ['EXTERNAL'] });
  // A failure of the handshake or of the protocol: what waits for a reply hears of the end of the stream.
  bus.connection.on('error', () => stream.destroy());
  return bus;
}

function invoke(bus: MessageBus, { limit, body, ...call }: Call): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const message: Message = { ...call, ...(body === undefined ? {} : { body: [...body] }) };
    bus.invoke(message, { timeout: limit ?? CALL_LIMIT }, (error: unknown, ...values: unknown[]) => {
      if (error) reject(error);
      else resolve(values);
    });
  });
}

function signalOf(message: Message): Signal | null {
  const { type, sender, path, interface: of, member, body } = message;
  // https://dbus.freedesktop.org/doc/dbus-specification.html#message-protocol-types
  if (type !== 4 || sender === undefined || path === undefined || of === undefined || member === undefined) {
    return null;
  }
  return { sender, path, interface: of, member, body: body ?? [] };
}

/**
 * The paths of the sockets that a D-Bus address names, in order; `\0` starts an abstract one. Other transports
 * are left out: `autolaunch:` and `unixexec:` start programs, which nobody asked for.
 * https://dbus.freedesktop.org/doc/dbus-specification.html#addresses
 */
export function socketsOf(address: string): string[] {
  return address.split(';').flatMap((one) => {
    const [, transport, parameters] = /^\s*([a-z-]+):(.*)$/s.exec(one) ?? [];
    if (transport !== 'unix' || parameters === undefined) return [];
    const named = new Map(parameters.split(',').map((pair) => splitOnce(pair)));
    const path = named.get('path');
    const abstract = named.get('abstract');
    if (path !== undefined) return [path];
    return abstract === undefined ? [] : [`\0${abstract}`];
  });
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf('=');
  return [pair.slice(0, at), unescaped(pair.slice(at + 1))];
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** @param path also an abstract one, which starts with NUL. */
function openSocket(path: string, clock: Clock): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const cancel = clock.after(CONNECT_LIMIT, () => socket.destroy(new Error(`${path} does not answer`)));
    socket.once('error', (error) => {
      cancel();
      reject(error);
    });
    socket.once('connect', () => {
      cancel();
      // Later errors end the stream, and its `close` is what is listened for.
      socket.on('error', () => {});
      resolve(socket);
    });
  });
}

/** Where the session bus is: what the environment says, else the socket that systemd opens for each user. */
export function sessionBusSockets(
  env: Readonly<Record<string, string | undefined>>,
  uid: number,
): readonly string[] {
  const given = socketsOf(env.DBUS_SESSION_BUS_ADDRESS ?? '');
  return [...new Set([...given, `${env.XDG_RUNTIME_DIR || `/run/user/${uid}`}/bus`])];
}

export function systemBusSockets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return socketsOf(env.DBUS_SYSTEM_BUS_ADDRESS || 'unix:path=/run/dbus/system_bus_socket');
}
