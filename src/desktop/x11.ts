import { createConnection } from 'node:net';
import type { ClientIds, Display, XResource } from 'x11';
import type { WindowId } from '../sessions/place.ts';
import type { Clock } from '../system/clock.ts';
import { readRegularFile } from '../system/read-file.ts';
import { type Cookie, findCookie } from './xauthority.ts';

/** One display of an X server on this machine, as a client sees it. */
export interface XServer {
  /**
   * The process that owns each window, null where neither the server nor the window says it. A window that
   * closed meanwhile is left out, or has the process that it had.
   * @throws when the server is gone or does not answer in time; the connection is closed then
   */
  windowPids(windows: readonly WindowId[]): Promise<Map<WindowId, number | null>>;
  /** Root property I3_SOCKET_PATH. i3 leaves it there when it ends, so the path can be dead. */
  i3SocketPath(): Promise<string | null>;
  /**
   * Asks the window manager to set or clear _NET_WM_STATE_DEMANDS_ATTENTION (EWMH, "_NET_WM_STATE"). Nothing is written
   * on the window itself, whose terminal may do as it likes with its hints.
   * @throws as `windowPids`
   */
  demandAttention(window: WindowId, demand: boolean): Promise<void>;
  isOpen(): boolean;
  close(): void;
}

export interface XServerOptions {
  /** Value of DISPLAY. */
  readonly display: string;
  /** Path of the cookie file. */
  readonly xauthority: string;
  readonly hostname: string;
  readonly clock: Clock;
  /** How long connecting or one round of questions may take, in ms. */
  readonly timeLimit: number;
}

/** X-Resource 1.2, section "Client ids": LocalClientPID. */
const localClientPid = 2;
const anyType = 0;
/** X11 protocol, "Events": ClientMessage; SubstructureNotify and SubstructureRedirect, as EWMH wants it. */
const clientMessage = 33;
const toWindowManager = 0x80000 | 0x100000;
/** EWMH: who asks is an ordinary application. */
const sourceApplication = 1;

/** `:0`, `:0.0`, `unix:0`; null for a display of another machine, whose pids would mean nothing here. */
function localDisplay(display: string): number | null {
  const match = /^(?:unix)?(?:\/unix)?:(\d{1,5})(?:\.\d+)?$/.exec(display);
  return match === null ? null : Number(match[1]);
}

/** @throws where the display is not of this machine, nobody listens, or the server refuses */
export async function openXServer(options: XServerOptions): Promise<XServer> {
  const { clock, timeLimit, hostname } = options;
  const number = localDisplay(options.display);
  if (number === null) throw new Error(`${options.display} is no display of this machine`);
  const { default: x11 } = await import('x11');
  const cookie = readCookie(options.xauthority, number, hostname);
  // The package would fall back to TCP where the socket is missing, so the stream is opened here.
  const stream = createConnection(`/tmp/.X11-unix/X${number}`);
  // Also after a reply that never came: without it the failing socket would be an uncaught exception.
  stream.on('error', () => {});

  /** Replies that are pending when the server dies never come, so each wait ends with the stream or in time. */
  function limited<T>(what: string, ask: (done: (error: unknown, value: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) => {
        settled();
        reject(error instanceof Error ? error : new Error(`${what}: ${String(error)}`));
      };
      const closed = () => fail(new Error(`${what}: the X server closed the connection`));
      const cancel = clock.after(timeLimit, () => {
        fail(new Error(`${what}: no answer within ${timeLimit} ms`));
        stream.destroy();
      });
      const settled = () => {
        cancel();
        stream.off('close', closed);
      };
      if (stream.destroyed) {
        closed();
        return;
      }
      stream.on('close', closed);
      ask((error, value) => {
        if (error) {
          fail(error);
          return;
        }
        settled();
        resolve(value);
      });
    });
  }

  try {
    const display = await limited<Display>('connecting', (done) => {
      x11
        .createClient(
          {
            display: `:${number}`,
            stream,
            auth: cookie ?? { name: '', data: '' },
            disableBigRequests: true,
          },
          done,
        )
        .on('error', (error) => done(error, undefined as never));
    });
    return await createXServer(display, limited, hostname, {
      isOpen: () => !stream.destroyed,
      close: () => stream.destroy(),
    });
  } catch (error) {
    stream.destroy();
    throw error;
  }
}

/** A client may name any path as XAUTHORITY. */
function readCookie(path: string, display: number, hostname: string): Cookie | null {
  try {
    return findCookie(readRegularFile(path, 1024 * 1024), display, hostname);
  } catch {
    return null;
  }
}

type Limited = <T>(what: string, ask: (done: (error: unknown, value: T) => void) => void) => Promise<T>;

async function createXServer(
  display: Display,
  limited: Limited,
  hostname: string,
  stream: Pick<XServer, 'isOpen' | 'close'>,
): Promise<XServer> {
  const { client } = display;
  // The package remembers atoms in one table for all its connections; another server has other numbers.
  client.atoms = {};
  const resources = await limited<XResource | null>('X-Resource', (done) =>
    client.require('res', (error, extension) => {
      done(null, error ? null : extension);
      return true;
    }),
  );
  const [pidAtom, machineAtom, socketAtom] = await Promise.all([
    internAtom('_NET_WM_PID'),
    internAtom('WM_CLIENT_MACHINE'),
    internAtom('I3_SOCKET_PATH'),
  ]);

  function internAtom(name: string): Promise<number> {
    return limited('InternAtom', (done) =>
      client.InternAtom(false, name, (error, atom) => {
        done(error, atom);
        return true;
      }),
    );
  }

  /** Null: no such property. `gone`: no such window (BadWindow), which is a race and no fault. */
  function property(window: WindowId, atom: number, longs: number): Promise<Buffer | null | 'gone'> {
    return limited('GetProperty', (done) =>
      client.GetProperty(0, window, atom, anyType, 0, longs, (error, value) => {
        done(null, error ? 'gone' : value.type === 0 ? null : value.data);
        return true;
      }),
    );
  }

  /** What the server itself knows of its clients, by window. It cannot be set by the client, or be of another host. */
  async function pidsOfServer(windows: readonly WindowId[]): Promise<Map<WindowId, number>> {
    const pids = new Map<WindowId, number>();
    if (resources === null || windows.length === 0) return pids;
    const specs = windows.map((client) => ({ client, mask: localClientPid }));
    const ids = await limited<readonly ClientIds[]>('QueryClientIds', (done) =>
      resources.QueryClientIds(specs, (error, value) => {
        done(null, error ? [] : value);
        return true;
      }),
    );
    const byClient = new Map(ids.map(({ client, value }) => [client, value[0]]));
    for (const window of windows) {
      const pid = byClient.get((window & ~display.resource_mask) >>> 0);
      if (pid !== undefined && pid > 0) pids.set(window, pid);
    }
    return pids;
  }

  /** EWMH, "_NET_WM_PID": it counts only together with WM_CLIENT_MACHINE. */
  async function pidOfWindow(window: WindowId): Promise<number | null | 'gone'> {
    const [pid, machine] = await Promise.all([
      property(window, pidAtom, 1),
      property(window, machineAtom, 64),
    ]);
    if (pid === 'gone' || machine === 'gone') return 'gone';
    if (pid === null || pid.length < 4) return null;
    const elsewhere = machine !== null && machine.toString('latin1').replace(/\0.*$/s, '') !== hostname;
    const number = pid.readUInt32LE(0);
    return elsewhere || number === 0 ? null : number;
  }

  return {
    ...stream,
    windowPids: async (windows) => {
      const pids = new Map<WindowId, number | null>(await pidsOfServer(windows));
      const unanswered = windows.filter((window) => !pids.has(window));
      const answers = await Promise.all(unanswered.map(pidOfWindow));
      for (const [index, window] of unanswered.entries()) {
        const answer = answers[index];
        if (answer !== undefined && answer !== 'gone') pids.set(window, answer);
      }
      return pids;
    },
    demandAttention: async (window, demand) => {
      const root = display.screen[0]?.root;
      const [state, attention] = await Promise.all([
        internAtom('_NET_WM_STATE'),
        internAtom('_NET_WM_STATE_DEMANDS_ATTENTION'),
      ]);
      if (root === undefined) return;
      const event = Buffer.alloc(32);
      event[0] = clientMessage;
      event[1] = 32;
      for (const [at, value] of [window, state, Number(demand), attention, 0, sourceApplication].entries()) {
        event.writeUInt32LE(value, 4 + 4 * at);
      }
      client.SendEvent(root, 0, toWindowManager, event);
    },
    i3SocketPath: async () => {
      const root = display.screen[0]?.root;
      const value = root === undefined ? null : await property(root, socketAtom, 1024);
      return value === null || value === 'gone' ? null : value.toString('utf8').replace(/\0.*$/s, '');
    },
  };
}
