import type { PlacedWindow, WindowRef } from '../sessions/place.ts';
import type { SessionKey } from '../sessions/session.ts';
import type { Cancel, Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type {
  Desktop,
  DesktopWindow,
  DisplayEnvironment,
  Located,
  Went,
  Whereabouts,
  WindowTree,
} from './desktop.ts';
import { createLocator, type Locator } from './locate.ts';
import type { SocketPlaces } from './sockets.ts';
import { createWindowManagers } from './window-managers.ts';
import type { WindowManager } from './wm.ts';

export interface DesktopOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The daemon's own environment, which may say nothing of a display. */
  readonly environment: DisplayEnvironment;
  readonly places: SocketPlaces;
  readonly home: string;
  /** Whether a window's title may be changed for a moment, where nothing else tells which window it is. */
  readonly titleNonce: boolean;
  /** Only tests give one. */
  readonly locator?: (trees: () => readonly WindowTree[]) => Locator;
}

/** A mark has been taken by then, or was lost, ms. */
const LOOK_AGAIN = 1000;
const ATTEMPTS = 3;

interface Mark {
  readonly manager: WindowManager;
  readonly window: PlacedWindow;
}

export function createDesktop(options: DesktopOptions): Desktop {
  const { clock, log } = options;
  const listeners = new Set<() => void>();

  const managers = createWindowManagers({
    clock,
    log,
    places: options.places,
    home: options.home,
    environment: options.environment,
    onChange: () => {
      keepMarks();
      for (const listener of [...listeners]) listener();
    },
  });

  const trees = () => managers.all().flatMap((manager) => manager.tree() ?? []);

  async function refreshTrees(): Promise<void> {
    await Promise.all(managers.all().map((manager) => manager.refresh().catch(() => null)));
  }

  const locator =
    options.locator?.(trees) ??
    createLocator({ clock, log, trees, refreshTrees, titleNonce: options.titleNonce });

  function managerOf({ place, owner }: Located): WindowManager | undefined {
    const isIt = ({ conId, pid }: DesktopWindow) =>
      conId === place.window?.conId && (owner === undefined || pid === owner);
    return managers
      .all()
      .find((manager) => manager.desktop === place.desktop && manager.tree()?.windows.some(isIt));
  }

  async function goTo(whereabouts: Whereabouts, attemptsLeft: number): Promise<Went> {
    // A container id is good for as long as i3 is not restarted, an X id for as long as its window is open.
    await refreshTrees();
    const shown = await locator.showPane(whereabouts);
    const located = await locator.locate(whereabouts);
    const { place } = located;
    if (place.certainty !== 'exact' || place.window === null) {
      return shown.done
        ? { done: false, why: place.reason ?? 'its window has just been closed', hint: 'try again' }
        : shown;
    }
    const { conId } = place.window;
    const manager = managerOf(located);
    if (manager === undefined) {
      return { done: false, why: 'the window manager has just gone', hint: 'try again when it is back' };
    }
    const went = await manager.focus(conId);
    // Between the tree and the command the window manager may have restarted, which gives new ids.
    if (!went.done) return attemptsLeft > 0 ? goTo(whereabouts, attemptsLeft - 1) : went;
    const tree = await manager.refresh().catch(() => null);
    const focused = tree?.windows.find((window) => window.conId === conId)?.focused;
    if (focused === false) {
      const why = `${manager.desktop} took the command, but another window has the focus`;
      return { done: false, why, hint: 'something there may hold the keyboard: a menu, a screen lock' };
    }
    return shown;
  }

  function find({ desktop, conId, id }: WindowRef) {
    for (const manager of managers.all().filter((one) => one.desktop === desktop)) {
      const windows = manager.tree()?.windows ?? [];
      // i3 gives new container ids when it restarts.
      const window =
        id === null ? windows.find((one) => one.conId === conId) : windows.find((one) => one.id === id);
      if (window !== undefined) return { manager, window };
    }
    return null;
  }

  async function focused(wanted: WindowRef['desktop'] | null): Promise<WindowRef | null> {
    await refreshTrees();
    const found = trees().flatMap(({ desktop, windows }) =>
      windows.flatMap(({ conId, id, focused }) => (focused ? [{ desktop, conId, id }] : [])),
    );
    return found.find(({ desktop }) => desktop === wanted) ?? found[0] ?? null;
  }

  async function focus(to: WindowRef): Promise<Went> {
    await refreshTrees();
    const found = find(to);
    if (found === null) return { done: false, why: 'its window has been closed', hint: 'see: tsmux list' };
    return found.manager.focus(found.window.conId);
  }

  /** The windows that were marked urgent, by their sessions' keys: a session that ended is found nowhere any more. */
  const marked = new Map<string, Mark>();

  async function setUrgent(whereabouts: Whereabouts, urgent: boolean): Promise<boolean> {
    const key = `${whereabouts.key.pid} ${whereabouts.key.startTime}`;
    const located = urgent ? await locator.locate(whereabouts) : null;
    const manager = located === null ? undefined : managerOf(located);
    const window = located?.place.certainty === 'exact' ? located.place.window : null;
    const at = manager === undefined || window === null ? marked.get(key) : { manager, window };
    if (at === undefined) return false;
    if (urgent) marked.set(key, at);
    else marked.delete(key);
    const done = await mark(at, urgent);
    if (done && urgent) lookAgain(ATTEMPTS);
    if (!done && marked.get(key) === at) marked.delete(key);
    return done;
  }

  async function mark({ manager, window }: Mark, urgent: boolean): Promise<boolean> {
    try {
      await manager.setUrgent(window, urgent);
      return true;
    } catch (error) {
      log.debug({ urgent, error: String(error) }, 'the window could not be marked');
      return false;
    }
  }

  /** The window manager takes a mark away when its window gets the focus; it is wanted again when that has gone. */
  function keepMarks(attemptsLeft = ATTEMPTS): void {
    const missing = [...marked.values()].filter(({ manager, window }) => {
      const now = manager.tree()?.windows.find(({ conId }) => conId === window.conId);
      return now !== undefined && !now.urgent && !now.focused;
    });
    for (const at of missing) void mark(at, true);
    if (missing.length > 0 && attemptsLeft > 0) lookAgain(attemptsLeft);
  }

  let lookingAgain: Cancel | null = null;

  /** A mark may be lost on its way: only the tree tells whether it was taken, and a lost one changes nothing there. */
  function lookAgain(attemptsLeft: number): void {
    lookingAgain?.();
    const timer = clock.after(LOOK_AGAIN, async () => {
      await refreshTrees();
      // A tree that has changed was looked at already.
      if (lookingAgain === timer) keepMarks(attemptsLeft - 1);
    });
    lookingAgain = timer;
  }

  return {
    start: () => managers.start(),
    stop: async () => {
      lookingAgain?.();
      managers.stop();
    },
    learn: (environment) => managers.learn(environment),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    locate: (whereabouts) => locator.locate(whereabouts),
    go: (whereabouts) => goTo(whereabouts, 1),
    focused,
    isOpen: (window) => find(window)?.window.focused === false,
    focus,
    readScreen: async (whereabouts) => (await (await locator.screen(whereabouts))?.read()) ?? null,
    sendKey: async (whereabouts, press) =>
      (await (await locator.screen(whereabouts))?.send(press)) ?? 'refused',
    setUrgent,
    forget: (key: SessionKey) => locator.forget(key),
  };
}
