import { nowhere, type Pane, type Place, type PlacedWindow } from '../sessions/place.ts';
import type { SessionKey } from '../sessions/session.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import { type Choice, choose, createTitles } from './choose.ts';
import type { DesktopWindow, Hop, Located, Went, Whereabouts, WindowTree } from './desktop.ts';
import { type Outside, realOutside } from './outside.ts';
import type { PaneScreen } from './pane-screen.ts';
import { createWalk, type Walked } from './walk.ts';

export interface LocatorOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** All windows as of the last trees. */
  trees(): readonly WindowTree[];
  /** Reads the trees again: the title nonce looks for itself in fresh titles. */
  refreshTrees(): Promise<void>;
  /** Whether a window's title may be changed for a moment, where nothing else tells which window it is. */
  readonly titleNonce: boolean;
  /** Only tests give one. */
  readonly outside?: Outside;
}

/** From a session's process to its window: exactly, or with the reason why not. */
export interface Locator {
  /** Cheap when asked again: only tmux and the window's workspace are looked at anew. */
  locate(whereabouts: Whereabouts): Promise<Located>;
  /** Shows the session in its window: the tmux window and pane, kitty's tab. Does not focus the window. */
  showPane(whereabouts: Whereabouts): Promise<Went>;
  /** The screen that the session draws on, also where nobody looks at it; null where it cannot be read. */
  screen(whereabouts: Whereabouts): Promise<PaneScreen | null>;
  /** The session has ended: drops what was remembered of it. */
  forget(key: SessionKey): void;
}

interface Resolved extends Located {
  readonly walked: Walked | null;
  readonly choice: Choice | null;
  readonly hint: string;
}

export function createLocator(options: LocatorOptions): Locator {
  const outside = options.outside ?? realOutside(options.clock, options.log);
  const windowsOf = (pid: number): DesktopWindow[] =>
    options.trees().flatMap(({ windows }) => windows.filter((window) => window.pid === pid));
  const walk = createWalk(outside, {
    has: (pid) => options.trees().some(({ windows }) => windows.some((window) => window.pid === pid)),
    all: () =>
      new Set(options.trees().flatMap(({ windows }) => windows.flatMap((window) => window.pid ?? []))),
  });
  const titles = createTitles({
    outside,
    refreshTrees: () => options.refreshTrees(),
    windowsOf,
    allowed: options.titleNonce,
  });

  async function resolve({ key, attachedBy, attachId }: Whereabouts): Promise<Resolved> {
    if (outside.processes.stat(key.pid)?.startTime !== key.startTime) {
      return unplaced('its process is gone', [], 'Nothing can be done.');
    }
    if (attachedBy !== null && attachedBy.length === 0) {
      const command = `claude attach ${attachId ?? 'ID'}`;
      const reason = `runs in the background, and no window shows it (${command} does)`;
      return unplaced(reason, [{ at: `pid ${key.pid}`, how: reason }], `run in a terminal: ${command}`);
    }
    const order = { exact: 0, ambiguous: 1, none: 2 };
    let best: Resolved | null = null;
    for (const pid of attachedBy ?? [key.pid]) {
      const resolved = await resolveFrom(pid);
      if (best === null || order[resolved.place.certainty] < order[best.place.certainty]) best = resolved;
      if (best.place.certainty === 'exact') break;
    }
    return best ?? unplaced('its process is gone', [], 'Nothing can be done.');
  }

  async function resolveFrom(pid: number): Promise<Resolved> {
    const walked = await walk.from(pid);
    const { end } = walked;
    if (end.type === 'none') {
      const reason = end.mayHaveWindow ? whyNoWindow(end.reason) : end.reason;
      return unplaced(reason, walked.hops, end.hint, walked);
    }
    const windows = windowsOf(end.process.pid);
    if (windows.length === 0) {
      return unplaced('its window has just been closed', walked.hops, 'Nothing can be done.', walked);
    }
    const choice = await choose(end, windows, titles, outside);
    const hops = [...walked.hops, hopOf(choice, end.process)];
    const pane = paneOf(walked, choice);
    const [window, ...others] = choice.windows;
    const isFirst = ({ conId, pid: owner }: DesktopWindow) =>
      conId === window?.conId && owner === end.process.pid;
    const desktop = options.trees().find(({ windows: all }) => all.some(isFirst))?.desktop ?? null;
    const exact = window !== undefined && others.length === 0;
    const place: Place = {
      certainty: exact ? 'exact' : 'ambiguous',
      reason: exact ? null : choice.how,
      desktop,
      workspace: exact ? window.workspace : null,
      window: exact ? placed(window) : null,
      pane,
      candidates: exact
        ? []
        : choice.windows.map((candidate) => ({ workspace: candidate.workspace, window: placed(candidate) })),
    };
    const hint = 'go to one of its candidates by hand; `tsmux explain` lists them';
    const owner = exact ? { owner: end.process.pid } : {};
    return { place, hops, mayBeHidden: choice.mayBeHidden, ...owner, walked, choice, hint };
  }

  /** Where no windows are known at all, or some do not say whose they are, that is why. */
  function whyNoWindow(reason: string): string {
    const trees = options.trees();
    if (trees.length === 0) return 'no i3 and no sway was found';
    const silent = trees.flatMap(({ windows }) => windows).filter(({ pid }) => pid === null).length;
    if (silent === 0) return reason;
    return `${reason}; ${silent} window${silent === 1 ? ' does' : 's do'} not tell which process it belongs to`;
  }

  return {
    async locate(whereabouts) {
      const { place, hops, mayBeHidden, owner } = await resolve(whereabouts);
      return {
        place,
        hops,
        ...(mayBeHidden ? { mayBeHidden } : {}),
        ...(owner === undefined ? {} : { owner }),
      };
    },

    async showPane(whereabouts) {
      const { place, walked, choice, hint } = await resolve(whereabouts);
      if (place.certainty !== 'exact' || walked === null || choice === null) {
        return { done: false, why: place.reason ?? 'it is nowhere', hint };
      }
      const shows = [choice.pane?.show, ...walked.steps.map(({ viewer }) => viewer?.show).reverse()];
      for (const show of shows) {
        const failure = (await show?.()) ?? null;
        if (failure !== null) return { done: false, why: failure, hint: 'it may just have been closed' };
      }
      return { done: true };
    },

    async screen(whereabouts) {
      const { walked, choice } = await resolve(whereabouts);
      return walked === null ? null : screenOf(walked, choice);
    },

    forget(key) {
      walk.forget(key.pid);
      titles.forget(key.pid);
    },
  };
}

function unplaced(
  reason: string,
  hops: readonly Hop[],
  hint: string,
  walked: Walked | null = null,
): Resolved {
  const pane = walked === null ? null : paneOf(walked, null);
  return { place: { ...nowhere(reason), pane }, hops, hint, walked, choice: null };
}

function placed({ conId, id, title, focused }: DesktopWindow): PlacedWindow {
  return { conId, id, title, focused };
}

/** The innermost pane: keys go there. It has the focus only where each one around it has it too. */
function paneOf(walked: Walked, choice: Choice | null): Pane | null {
  const inner = walked.steps.find(({ pane }) => pane !== null)?.pane ?? null;
  const own = choice?.pane ?? null;
  const focused =
    choice !== null && walked.steps.every(({ viewer }) => viewer?.focused) && (own === null || own.focused);
  if (inner !== null) return { ...inner, focused };
  return own === null ? null : { kind: 'kitty', id: own.id, focused };
}

/** That of the innermost program that has panes; what only passes its one PTY through shows it as it is. */
function screenOf({ steps }: Walked, choice: Choice | null): PaneScreen | null {
  const inner = steps.find(({ pane }) => pane !== null && pane.kind !== 'script');
  return inner === undefined ? (choice?.pane?.screen ?? null) : inner.screen;
}

function hopOf(choice: Choice, process: { readonly pid: number; readonly comm: string }): Hop {
  const [window, ...others] = choice.windows;
  if (window === undefined || others.length > 0) {
    return { at: `pid ${process.pid} ${process.comm}`, how: choice.how };
  }
  const workspace = window.workspace === null ? 'in the scratchpad' : `on workspace ${window.workspace.name}`;
  return { at: `window ${window.id ?? `con ${window.conId}`} ${workspace}`, how: choice.how };
}
