// A message bus in this process, and a notification server on it that does what the test says.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBroker, createClient, type MessageBus } from 'dbus-native';
import { onTestFinished } from 'vitest';

const NAME = 'org.freedesktop.Notifications';
const PATH = '/org/freedesktop/Notifications';

export interface TestBus {
  readonly socket: string;
  stop(): Promise<void>;
}

/** A path where a bus may come to listen. */
export function aSocket(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tsmux-bus-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'bus');
}

export async function aBus(socket = aSocket()): Promise<TestBus> {
  const broker = createBroker();
  await new Promise<void>((resolve, reject) =>
    broker.listen({ socket }, (error) => (error === null ? resolve() : reject(error))),
  );
  let stopped: Promise<void> | null = null;
  const stop = () => {
    stopped ??= new Promise((resolve) => broker.close(() => resolve()));
    return stopped;
  };
  onTestFinished(stop);
  return { socket, stop };
}

/** A client of the bus, as another program would be. */
export async function aClient(socket: string): Promise<MessageBus> {
  const client = createClient({ busAddress: `unix:path=${socket}`, plainValues: true });
  client.connection.on('error', () => {});
  onTestFinished(() => void client.connection.end());
  await client.invokeDbus({ member: 'GetId' });
  return client;
}

export interface Shown {
  readonly id: number;
  readonly replaces: number;
  readonly summary: string;
  readonly body: string;
  /** Key, label, key, label … as they came. */
  readonly actions: readonly string[];
  readonly hints: Readonly<Record<string, unknown>>;
  readonly timeout: number;
}

export interface TestServer {
  /** All that it was asked to show, in order. */
  readonly asked: Shown[];
  /** Ids that it was asked to close, in order. */
  readonly closeAsked: number[];
  /** What is on screen now. */
  shown(): Shown[];
  /** The user presses a button, or what was one: any id, any key. */
  press(id: number, key: string): void;
  /** It closes one by itself. 1: expired, 2: dismissed by the user. */
  closes(id: number, reason: 1 | 2): void;
  /** It ends, or is killed: no words of farewell. */
  stop(): Promise<void>;
}

export interface TestServerOptions {
  readonly name?: string;
  readonly vendor?: string;
  readonly capabilities?: readonly string[];
  /** Gives a closed notification's id out again when it is to be replaced, as dunst does; mako gives a new one. */
  readonly reusesIds?: boolean;
}

export async function aServer(socket: string, options: TestServerOptions = {}): Promise<TestServer> {
  const bus = await aClient(socket);
  const asked: Shown[] = [];
  const closeAsked: number[] = [];
  const screen = new Map<number, Shown>();
  let last = 0;
  const handlers = {
    GetServerInformation: () => [options.name ?? 'test', options.vendor ?? 'tsmux', '1.0', '1.2'],
    GetCapabilities: () => options.capabilities ?? ['body', 'body-markup', 'actions'],
    Notify(
      _app: string,
      replaces: number,
      _icon: string,
      summary: string,
      body: string,
      actions: string[],
      hints: Record<string, unknown>,
      timeout: number,
    ) {
      const reused = replaces !== 0 && (screen.has(replaces) || options.reusesIds === true);
      const id = reused ? replaces : ++last;
      const shown = { id, replaces, summary, body, actions, hints, timeout };
      asked.push(shown);
      screen.set(id, shown);
      return id;
    },
    CloseNotification(id: number) {
      closeAsked.push(id);
      if (screen.delete(id)) bus.sendSignal(PATH, NAME, 'NotificationClosed', 'uu', [id, 3]);
      return null;
    },
  };
  bus.exportInterface(handlers, PATH, {
    name: NAME,
    methods: {
      GetServerInformation: ['', 'ssss', [], ['name', 'vendor', 'version', 'spec']],
      GetCapabilities: ['', 'as', [], ['capabilities']],
      Notify: ['susssasa{sv}i', 'u', [], ['id']],
      CloseNotification: ['u', '', ['id'], []],
    },
    signals: {},
    properties: {},
  });
  await bus.requestName(NAME, 0);
  return {
    asked,
    closeAsked,
    shown: () => [...screen.values()],
    press: (id, key) => bus.sendSignal(PATH, NAME, 'ActionInvoked', 'us', [id, key]),
    closes(id, reason) {
      screen.delete(id);
      bus.sendSignal(PATH, NAME, 'NotificationClosed', 'uu', [id, reason]);
    },
    stop: () => bus.close(),
  };
}
