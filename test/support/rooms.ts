import type { Claude } from '../../src/claude/claude.ts';
import { asksIn, observationsOf, parseHook } from '../../src/claude/hooks.ts';
import type {
  Desktop,
  DisplayEnvironment,
  KeyPress,
  Located,
  Sent,
  Went,
  Whereabouts,
} from '../../src/desktop/desktop.ts';
import type { Observe } from '../../src/sessions/observation.ts';
import { nowhere, type Place, type WindowRef } from '../../src/sessions/place.ts';
import type { SessionKey } from '../../src/sessions/session.ts';

export const keyOf = (pid: number): SessionKey => ({ bootId: 'boot', pid, startTime: pid * 100 });

/** A desktop on which the test puts windows. */
export interface FakeDesktop extends Desktop {
  place(pid: number, place: Place, more?: Partial<Located>): void;
  /** Tells that something changed. */
  changed(): void;
  readonly gone: number[];
  readonly learnt: DisplayEnvironment[];
  readonly forgotten: number[];
  /** How often a session was looked for. */
  searches: number;
  /** What stands on the screen of a session whose pane can be read. */
  readonly screens: Map<number, string>;
  /** What was typed into it. */
  readonly pressed: { readonly pid: number; readonly key: string; readonly mark: string }[];
  /** What becomes of a key. */
  sends: (pid: number, press: KeyPress) => Sent;
  /** Sessions whose window is marked urgent. */
  readonly urgent: Set<number>;
  /** The window manager takes no marks. */
  refusesUrgent: boolean;
  /** A window that is no session's, and has the focus; null: there is none. */
  other: WindowRef | null;
  /** What `go` comes to. */
  went: (where: Whereabouts) => Promise<Went>;
}

export function fakeDesktop(): FakeDesktop {
  const places = new Map<number, Located>();
  const listeners = new Set<() => void>();
  const desktop: FakeDesktop = {
    gone: [],
    learnt: [],
    forgotten: [],
    urgent: new Set(),
    refusesUrgent: false,
    searches: 0,
    other: null,
    went: async () => ({ done: true }),
    screens: new Map(),
    pressed: [],
    sends: (pid, { lines }) => {
      const shown = desktop.screens.get(pid)?.split('\n') ?? [];
      return lines.length > 0 && lines.every((line) => shown.includes(line)) ? 'sent' : 'refused';
    },
    place(pid, place, more = {}) {
      places.set(pid, { place, hops: [{ at: `pid ${pid}`, how: 'the test says so' }], ...more });
    },
    changed() {
      for (const listener of listeners) listener();
    },
    async start() {},
    async stop() {},
    learn: (environment) => void desktop.learnt.push(environment),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async locate({ key }) {
      desktop.searches += 1;
      return places.get(key.pid) ?? { place: nowhere('no window'), hops: [] };
    },
    go(where) {
      desktop.gone.push(where.key.pid);
      return desktop.went(where);
    },
    focused: async () => desktop.other,
    isOpen: () => desktop.other !== null,
    async focus({ conId }) {
      desktop.gone.push(conId);
      return { done: true };
    },
    readScreen: async ({ key }) => desktop.screens.get(key.pid) ?? null,
    async sendKey({ key: { pid } }, press) {
      const sent = desktop.sends(pid, press);
      if (sent === 'sent') desktop.pressed.push({ pid, key: press.key, mark: press.mark });
      return sent;
    },
    async setUrgent({ key }, urgent) {
      if (desktop.refusesUrgent) return false;
      if (urgent) desktop.urgent.add(key.pid);
      else desktop.urgent.delete(key.pid);
      return true;
    },
    forget: (key) => void desktop.forgotten.push(key.pid),
  };
  return desktop;
}

/** A source of facts that says what the test says. */
export interface FakeClaude extends Claude {
  readonly hooks: { readonly body: string; readonly pid: number | null; readonly start: number | null }[];
  /** Pids of sessions that are suspended. */
  readonly stopped: Set<number>;
  refreshes: number;
  rechecks: number;
  words: string | null;
}

/** @param observe where the observations of hooks go, as the real one reads them. */
export function fakeClaude(
  start: () => Promise<void> = async () => {},
  observe: Observe = () => {},
): FakeClaude {
  const claude: FakeClaude = {
    hooks: [],
    stopped: new Set(),
    refreshes: 0,
    rechecks: 0,
    words: null,
    start,
    async stop() {},
    hook(body, { pid, start: at }) {
      if (body === 'garbage') return { error: "the hook's body is not JSON" };
      claude.hooks.push({ body, pid, start: at });
      const parsed = parseHook(body);
      if ('error' in parsed) return parsed;
      const key = keyOf(pid ?? 0);
      for (const observation of observationsOf(parsed.body, { at: at ?? 0, sessionId: null })) {
        observe(key, observation);
      }
      const { hook_event_name: event, agent_id: agent = null } = parsed.body;
      return { key, event, agent, asks: asksIn(parsed.body) };
    },
    refresh() {
      claude.refreshes += 1;
    },
    recheck() {
      claude.rechecks += 1;
    },
    isStopped: ({ pid }) => claude.stopped.has(pid),
    attachedBy: () => null,
    attachId: () => null,
    notice: () => claude.words,
  };
  return claude;
}

/** The facts that make a session. */
export function begins(observe: Observe, pid: number, at: number, cwd = `/home/ada/code/s${pid}`): void {
  observe(keyOf(pid), {
    type: 'process-seen',
    at,
    kind: 'interactive',
    entrypoint: 'cli',
    cwd,
    configDir: '/home/ada/.claude',
    startedAt: at,
  });
}
