import { hostname } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Cancel, Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { DisplayEnvironment } from './desktop.ts';
import { environmentOf, findSockets, realPath, type SocketPlaces, watchSockets } from './sockets.ts';
import { connectWindowManager, type WindowManager } from './wm.ts';
import { openXServer, type XServer } from './x11.ts';

/** All window managers of this user that run now: usually one, sometimes i3 and sway, or two of a kind. */
export interface WindowManagers {
  start(): Promise<void>;
  stop(): void;
  /** What a client's environment says; cheap when it says nothing new. */
  learn(environment: DisplayEnvironment): void;
  all(): readonly WindowManager[];
  /** Why a window manager that comes later is found only within half a minute; null where it is found at once. */
  polling(): string | null;
}

export interface WindowManagersOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly places: SocketPlaces;
  readonly home: string;
  readonly environment: DisplayEnvironment;
  /** One came or went, or the tree of one changed. */
  readonly onChange: () => void;
}

/** A round of questions to the X server, in ms. */
const xTimeLimit = 1500;
/** The safety net below inotify, in ms. */
const sweepEvery = 40_000;
/** A socket appears in its folder a moment before its window manager listens. */
const lookAgainAfter = [100, 400, 1500];
/** Environments of clients that are remembered, the newest first. */
const remembered = 8;

export function createWindowManagers(options: WindowManagersOptions): WindowManagers {
  const { clock, log, places } = options;
  const managers = new Map<string, WindowManager>();
  let learned: readonly DisplayEnvironment[] = [onlyDisplay(options.environment)];
  let stopped = false;
  let looking: Promise<void> | null = null;
  let lookOnceMore = false;
  let lookLater: Cancel | null = null;
  let sweep: Cancel | null = null;

  const watch = watchSockets(places, clock, () => look());

  function look(attempt = 0): Promise<void> {
    lookOnceMore ||= looking !== null;
    looking ??= lookNow(attempt).finally(() => {
      looking = null;
      if (lookOnceMore && !stopped) {
        lookOnceMore = false;
        look();
      }
    });
    return looking;
  }

  async function lookNow(attempt: number): Promise<void> {
    lookLater?.();
    watch.refresh({ waiting: managers.size === 0 });
    const told = learned.flatMap(({ I3SOCK, SWAYSOCK }) => [I3SOCK, SWAYSOCK]);
    const refused = await probeAll([...findSockets(places), ...told]);
    // i3 leaves its path on the root window, also one that was configured and that no folder shows.
    if (managers.size === 0) refused.push(...(await probeAll(await i3SocketsOfDisplays())));
    if (!stopped) watch.refresh({ waiting: managers.size === 0 });
    const wait = lookAgainAfter[attempt];
    if (stopped || wait === undefined || !refused.includes(true)) return;
    lookLater = clock.after(wait, () => look(attempt + 1));
  }

  function probeAll(named: readonly (string | null | undefined)[]): Promise<boolean[]> {
    const paths = new Set(named.map((path) => (path ? realPath(path) : null)));
    const unknown = [...paths].filter((path) => path !== null).filter((path) => !managers.has(path));
    return Promise.all(unknown.map(probe));
  }

  /** @returns whether it may be worth another try: there is a socket, and nobody listens */
  async function probe(path: string): Promise<boolean> {
    const display = createDisplay(() => xEnvironments(path), clock);
    try {
      const manager = await connectWindowManager({
        path,
        clock,
        log,
        windowPids: display.windowPids,
        demandAttention: display.demandAttention,
        onChange: options.onChange,
        onGone: () => {
          display.close();
          managers.delete(path);
          options.onChange();
          look();
        },
      });
      if (stopped) {
        manager.stop();
        display.close();
        return false;
      }
      managers.set(path, {
        ...manager,
        stop: () => {
          manager.stop();
          display.close();
        },
      });
      options.onChange();
      return false;
    } catch (error) {
      display.close();
      log.debug({ path, error: String(error) }, 'no window manager at this socket');
      return true;
    }
  }

  async function i3SocketsOfDisplays(): Promise<(string | null)[]> {
    const displays = new Map(learned.map((environment) => [environment.DISPLAY, environment]));
    return Promise.all(
      [...displays.values()].map(async (environment) => {
        if (environment.DISPLAY === undefined) return null;
        let server: XServer | null = null;
        try {
          server = await openServer(withDefault([environment]), clock);
          return await server.i3SocketPath();
        } catch {
          return null;
        } finally {
          server?.close();
        }
      }),
    );
  }

  /**
   * The display of the i3 behind a socket, with every cookie file that may open it, the likeliest first. A daemon
   * that systemd or ssh started knows neither; the window manager's own environment does.
   */
  function xEnvironments(path: string): XEnvironment[] {
    const own = environmentOf(path);
    const ofClients = [
      ...learned.filter(({ I3SOCK }) => I3SOCK !== undefined && realPath(I3SOCK) === path),
      ...learned.filter(({ I3SOCK }) => I3SOCK === undefined),
    ];
    const known = [
      { DISPLAY: own?.get('DISPLAY'), XAUTHORITY: own?.get('XAUTHORITY') },
      ...ofClients.map(({ DISPLAY, XAUTHORITY }) => ({ DISPLAY, XAUTHORITY })),
    ].filter(({ DISPLAY }) => DISPLAY !== undefined);
    return withDefault(known.filter(({ DISPLAY }) => DISPLAY === known[0]?.DISPLAY));
  }

  function withDefault(
    known: readonly { DISPLAY?: string | undefined; XAUTHORITY?: string | undefined }[],
  ): XEnvironment[] {
    const display = known[0]?.DISPLAY;
    if (display === undefined) return [];
    const files = known.flatMap(({ XAUTHORITY }) => (XAUTHORITY === undefined ? [] : [XAUTHORITY]));
    return [...new Set([...files, join(options.home, '.Xauthority')])].map((xauthority) => ({
      display,
      xauthority,
    }));
  }

  function sweepLater(): void {
    sweep = clock.around(sweepEvery, () => {
      for (const manager of managers.values()) manager.retry();
      look(lookAgainAfter.length);
      sweepLater();
    });
  }

  return {
    start: async () => {
      sweepLater();
      await look();
    },
    stop: () => {
      stopped = true;
      watch.close();
      sweep?.();
      lookLater?.();
      for (const manager of managers.values()) manager.stop();
      managers.clear();
    },
    learn: (told) => {
      const environment = onlyDisplay(told);
      if (Object.keys(environment).length === 0) return;
      const others = learned.filter((other) => !isDeepStrictEqual(other, environment));
      const isNew = others.length === learned.length;
      learned = [environment, ...others].slice(0, remembered);
      // At a path that no folder shows, a window manager may be back without anybody having noticed.
      if (!isNew && managers.size > 0) return;
      for (const manager of managers.values()) manager.retry();
      look();
    },
    all: () => [...managers.values()],
    polling: () => watch.polling(),
  };
}

/** These variables and no others, and none that is empty. */
function onlyDisplay({ DISPLAY, XAUTHORITY, I3SOCK, SWAYSOCK }: DisplayEnvironment): DisplayEnvironment {
  const given = Object.entries({ DISPLAY, XAUTHORITY, I3SOCK, SWAYSOCK }).filter(([, value]) => value);
  return Object.fromEntries(given);
}

interface XEnvironment {
  readonly display: string;
  readonly xauthority: string;
}

/** The first of these that opens; a display refuses a wrong cookie. */
async function openServer(environments: readonly XEnvironment[], clock: Clock): Promise<XServer> {
  let failure: unknown = new Error('no DISPLAY is known');
  for (const environment of environments) {
    try {
      return await openXServer({ ...environment, hostname: hostname(), clock, timeLimit: xTimeLimit });
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/** Connects to the X server when first asked, and anew when it had gone. One question at a time. */
function createDisplay(
  environments: () => readonly XEnvironment[],
  clock: Clock,
): Pick<XServer, 'windowPids' | 'demandAttention' | 'close'> {
  let server: XServer | null = null;
  async function open(): Promise<XServer> {
    if (server?.isOpen() !== true) server = await openServer(environments(), clock);
    return server;
  }
  return {
    windowPids: async (windows) => (await open()).windowPids(windows),
    demandAttention: async (window, demand) => (await open()).demandAttention(window, demand),
    close: () => server?.close(),
  };
}
