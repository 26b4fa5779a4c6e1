import { isDeepStrictEqual } from 'node:util';
import type { ConId, WindowId } from '../sessions/place.ts';
import type { Cancel, Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { DesktopWindow, Went, WindowTree } from './desktop.ts';
import { parsePayload } from './i3ipc/codec.ts';
import { type Connection, openConnection } from './i3ipc/connection.ts';
import {
  commandReply,
  type EventName,
  eventType,
  messageType,
  shutdownEvent,
  subscribeReply,
  versionReply,
  windowEvent,
} from './i3ipc/types.ts';
import { windowsOf } from './windows.ts';

/** One running i3 or sway. */
export interface WindowManager {
  readonly path: string;
  readonly desktop: 'i3' | 'sway';
  readonly version: string;
  /** As of the last tree. Null while the window manager is away for another reason than its own restart. */
  tree(): WindowTree | null;
  /** A tree read after this call. @throws while there is no connection, or when the reply is unusable */
  refresh(): Promise<WindowTree>;
  /** Reads again what could not be read in full the last time (the X server did not answer). */
  retry(): void;
  focus(conId: ConId): Promise<Went>;
  /** @throws where the window manager or the X server is away, or refuses */
  setUrgent(window: Pick<DesktopWindow, 'conId' | 'id'>, urgent: boolean): Promise<void>;
  stop(): void;
}

export interface WindowManagerOptions {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Asked under i3 only, whose tree has no pids. Leaves out windows that are gone; throws without an X server. */
  readonly windowPids: (windows: readonly WindowId[]) => Promise<Map<WindowId, number | null>>;
  /** Asked under i3 only, which has no command for it. */
  readonly demandAttention: (window: WindowId, demand: boolean) => Promise<void>;
  /** Windows, workspaces or the focus are not what they were. */
  readonly onChange: () => void;
  /** It did not come back. Nothing else happens after that. */
  readonly onGone: () => void;
}

/** For a connection or a reply, in ms. */
const timeLimit = 3000;
/** At most ten trees a second. */
const readPause = 100;
/** Claude Code moves the title of its terminal about once a second while it works: no reason to look at all places. */
const titlePause = 20_000;
/** i3 is back within two seconds after a restart in place; what took longer is found as a new one. */
const reconnectAfter = [50, 100, 200, 400, 800, 1600, 3200];

interface Live {
  readonly connection: Connection;
  readonly desktop: 'i3' | 'sway';
  readonly version: string;
}

/** @throws where nobody listens at that path, or what listens does not speak the protocol */
export async function connectWindowManager(options: WindowManagerOptions): Promise<WindowManager> {
  const { path, clock, log } = options;
  let live: Live | null = null;
  let stopped = false;
  let restarting = false;
  let exiting = false;

  let tree: WindowTree | null = null;
  let dirty = false;
  let incomplete = false;
  /** Trees that could not be used, one after the other. */
  let unusable = 0;
  let reading: Promise<WindowTree> | null = null;
  let pause: Cancel | null = null;
  let titleNotice: Cancel | null = null;
  let reconnecting: Cancel | null = null;

  /** X ids are given out again, so an entry goes with its window. */
  const pids = new Map<WindowId, number | null>();
  /** Counts windows that came or went. */
  let generation = 0;

  function publish(next: WindowTree | null): void {
    const changed = !isDeepStrictEqual(tree, next);
    tree = next;
    if (changed) options.onChange();
  }

  async function withPids(windows: readonly DesktopWindow[]): Promise<readonly DesktopWindow[]> {
    const ids = windows.flatMap(({ id }) => (id === null ? [] : [id]));
    const present = new Set(ids);
    for (const id of pids.keys()) if (!present.has(id)) pids.delete(id);
    const unknown = ids.filter((id) => !pids.has(id));
    let found = new Map<WindowId, number | null>();
    incomplete = false;
    if (unknown.length > 0) {
      const asked = generation;
      try {
        found = await options.windowPids(unknown);
        if (asked === generation) for (const [id, pid] of found) pids.set(id, pid);
      } catch (error) {
        incomplete = true;
        log.warn({ path, error: String(error) }, 'the X server did not tell whose the windows are');
      }
    }
    return windows.map((window) =>
      window.id === null ? window : { ...window, pid: pids.get(window.id) ?? found.get(window.id) ?? null },
    );
  }

  async function readTree({ connection, desktop }: Live): Promise<WindowTree> {
    dirty = false;
    const payload = await connection.request(messageType.tree);
    try {
      // A title that is not UTF-8 may stay for long: the second attempt takes it as it is.
      const windows = windowsOf(parsePayload(payload, unusable === 0 ? 'strict' : 'forgiving'));
      const next: WindowTree = { desktop, windows: desktop === 'i3' ? await withPids(windows) : windows };
      unusable = 0;
      publish(next);
      return next;
    } catch (error) {
      log.warn({ path, error: String(error) }, 'dropped a tree that cannot be read');
      unusable += 1;
      dirty = true;
      throw error;
    }
  }

  function startReading(from: Live): Promise<WindowTree> {
    pause?.();
    const read = readTree(from).finally(() => {
      if (reading !== read) return;
      reading = null;
      const wait = unusable === 0 ? readPause : Math.min(500 * 2 ** unusable, 20_000);
      pause = clock.after(wait, () => {
        pause = null;
        if (dirty) readWhenFree();
      });
    });
    reading = read;
    return read;
  }

  /** At once when nothing was read lately, else when the pause is over. */
  function readWhenFree(): void {
    dirty = true;
    if (live === null || reading !== null || pause !== null) return;
    startReading(live).catch(() => {});
  }

  /** The event brings the new title, so no tree is read for it. */
  function retitle(conId: ConId, title: string): void {
    const known = tree?.windows.find((window) => window.conId === conId);
    // The tree on its way may be from before the change.
    if (tree === null || known === undefined || reading !== null) {
      readWhenFree();
      return;
    }
    if (known.title === title) return;
    const windows = tree.windows.map((window) => (window === known ? { ...window, title } : window));
    tree = { ...tree, windows };
    titleNotice ??= clock.after(titlePause, () => {
      titleNotice = null;
      options.onChange();
    });
  }

  function onWindowEvent(payload: Buffer): void {
    const { change, container } = windowEvent.parse(parsePayload(payload, 'forgiving'));
    if (change === 'title' && typeof container?.name === 'string') {
      retitle(container.id, container.name);
      return;
    }
    if (change === 'mark') return;
    if (change === 'new' || change === 'close') {
      generation += 1;
      if (typeof container?.window === 'number') pids.delete(container.window);
    }
    readWhenFree();
  }

  function onEvent(name: EventName, payload: Buffer): void {
    try {
      if (name === 'window') onWindowEvent(payload);
      else if (name === 'shutdown') {
        const { change } = shutdownEvent.parse(parsePayload(payload));
        restarting = change === 'restart';
        exiting = change === 'exit';
      } else readWhenFree();
    } catch (error) {
      log.debug({ path, event: name, error: String(error) }, 'an event that cannot be read');
      readWhenFree();
    }
  }

  /** Sets `live` in the same turn in which the handshake ended, so that no end of it can be missed. */
  async function connect(): Promise<Live> {
    const connection = await openConnection({ path, clock, timeLimit, onEvent, onEnd });
    try {
      const version = versionReply.parse(parsePayload(await connection.request(messageType.version)));
      for (const event of Object.keys(eventType)) {
        // One at a time: sway refuses the rest of a list that has a name it does not know.
        const reply = await connection.request(messageType.subscribe, JSON.stringify([event]));
        const { success } = subscribeReply.parse(parsePayload(reply));
        if (!success) log.debug({ path, event }, 'the window manager does not send this event');
      }
      if (stopped) throw new Error('stopped');
      live = {
        connection,
        desktop: typeof version.variant === 'string' ? 'sway' : 'i3',
        version: version.human_readable ?? 'unknown',
      };
      log.info({ path, desktop: live.desktop, version: live.version }, 'found a window manager');
      restarting = false;
      return live;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  function onEnd(reason: Error): void {
    // Before the handshake is done, connect() reports it.
    if (live === null || stopped) return;
    log.info({ path, reason: reason.message, restarting, exiting }, 'lost the window manager');
    live = null;
    reading = null;
    pids.clear();
    // Over a restart the windows stay where they are; what a click needs is read anew before it.
    if (!restarting) publish(null);
    if (exiting) leave();
    else reconnect(0);
  }

  function reconnect(attempt: number): void {
    const wait = reconnectAfter[attempt];
    if (wait === undefined) {
      leave();
      return;
    }
    reconnecting = clock.after(wait, () => {
      connect().then(
        (back) => startReading(back).catch(() => {}),
        () => {
          if (!stopped) reconnect(attempt + 1);
        },
      );
    });
  }

  function stop(): void {
    stopped = true;
    live?.connection.close();
    live = null;
    for (const cancel of [pause, titleNotice, reconnecting]) cancel?.();
  }

  function leave(): void {
    stop();
    publish(null);
    options.onGone();
  }

  /** Null when it did what it was told, else why not. */
  async function command({ connection }: Live, words: string): Promise<string | null> {
    const payload = await connection.request(messageType.command, words);
    const replies = commandReply.parse(parsePayload(payload, 'forgiving'));
    const failed = replies.find(({ success }) => !success);
    if (replies.length > 0 && failed === undefined) return null;
    return failed?.error ?? 'no reason given';
  }

  const first = await connect();
  await startReading(first).catch(() => {});

  return {
    path,
    desktop: first.desktop,
    version: first.version,
    tree: () => tree,
    refresh: async () => {
      await reading?.catch(() => {});
      if (live === null) throw new Error('the window manager is away');
      // One that somebody else began meanwhile was begun after this call.
      return reading ?? startReading(live);
    },
    retry: () => {
      if (incomplete) readWhenFree();
    },
    focus: async (conId) => {
      if (live === null) return refused('the window manager is away', 'try again when it is back');
      try {
        const failed = await command(live, `[con_id=${conId}] focus`);
        if (failed === null) return { done: true };
        return refused(`${first.desktop} refused: ${failed}`, 'try again');
      } catch (error) {
        return refused(`${first.desktop} did not focus the window: ${reasonOf(error)}`, 'try again');
      }
    },
    setUrgent: async ({ conId, id }, urgent) => {
      if (live === null) throw new Error('the window manager is away');
      if (live.desktop === 'i3') {
        if (id !== null) await options.demandAttention(id, urgent);
        return;
      }
      const failed = await command(live, `[con_id=${conId}] urgent ${urgent ? 'enable' : 'disable'}`);
      if (failed !== null) throw new Error(failed);
    },
    stop,
  };
}

function refused(why: string, hint: string): Went {
  return { done: false, why, hint };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
