import type { Claude } from '../claude/claude.ts';
import type { HookSender } from '../claude/hooks.ts';
import type { LiveConfig } from '../config/follow.ts';
import type { Desktop, Whereabouts } from '../desktop/desktop.ts';
import type { Login } from '../notifications/login.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { labelProblem, matchSession } from '../sessions/labels.ts';
import type { Observe } from '../sessions/observation.ts';
import { createRegistry } from '../sessions/registry.ts';
import type { Session, SessionId, SessionKey } from '../sessions/session.ts';
import { nextAfter } from '../sessions/set-back.ts';
import type { Clock } from '../system/clock.ts';
import { Failure } from '../system/failure.ts';
import type { Log } from '../system/log.ts';
import { type Api, createApi } from './api.ts';
import { createBars } from './bars.ts';
import { createFactLog } from './explain.ts';
import { firstLook, firstPlaces } from './first-look.ts';
import { followEyes } from './looking.ts';
import { createMenu } from './menu.ts';
import { createNext } from './next.ts';
import { createNoticeBoard } from './notice.ts';
import { createPersistence, readSaved } from './persistence.ts';
import { createPlacing } from './placing.ts';
import { createPrompts } from './prompts.ts';
import { keepQuiet } from './quiet.ts';
import { createRounds } from './rounds.ts';
import { refuseSessions } from './senders.ts';
import { keepSlots } from './slot-keeper.ts';
import { createSnapshots } from './snapshots.ts';
import { createTelling, type NotificationsEars } from './telling.ts';
import type { WireHealth } from './wire.ts';

export interface WiringParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly live: Pick<LiveConfig, 'config' | 'problems' | 'subscribe'>;
  /** What starts tsmux, with absolute paths. */
  readonly program: readonly string[];
  readonly createClaude: (observe: Observe) => Claude;
  readonly desktop: Desktop;
  readonly login: Login;
  readonly createNotifications: (ears: NotificationsEars) => Notifications;
  readonly home: string;
  /** Where the state is kept. */
  readonly statePath: string;
  readonly historyPath: string;
  readonly writeState: (path: string, text: string) => void;
  readonly health: () => Omit<WireHealth, 'sessions' | 'trouble'>;
  /** Asked to end, by `POST /v1/stop`. */
  readonly stop: (again: boolean) => void;
}

export interface Wiring {
  readonly api: Api;
  /** Resolved when every source was read once: from then on the API answers. */
  readonly ready: Promise<void>;
  /** An event that a hook left, and does not wait for. */
  hear(body: string, sender: HookSender): void;
  stop(): Promise<void>;
}

/**
 * Connects the rooms: facts come in from claude/ and desktop/, are folded by the registry, and go out as snapshots
 * to whoever reads along; what the user asks for goes back in.
 */
export function wire(parts: WiringParts): Wiring {
  const { clock, log, desktop } = parts;
  const saved = readSaved(parts.statePath, log);
  const registry = createRegistry(saved?.registry, clock.now);
  const facts = createFactLog(registry);
  const observe: Observe = (key, observation) => {
    facts.note(key, observation);
    registry.observe(key, observation);
  };
  /** The newest of two facts of the daemon's own wins, also within one ms. */
  let lastFact = 0;
  const factTime = () => {
    lastFact = nextAfter(lastFact, clock.now());
    return lastFact;
  };
  const claude = parts.createClaude(observe);
  const notices = createNoticeBoard({
    clock,
    problems: parts.live.problems,
    missing: claude.notice,
    changed: () => snapshots.touch(),
  });
  const { say } = notices;
  const prompts = createPrompts({
    clock,
    log,
    config: parts.live.config,
    registry,
    observe,
    factTime,
    desktop,
    whereabouts,
    resolve,
    go,
    isStopped: ({ id }) => claude.isStopped(keyOf(id)),
    reread: () => claude.refresh(),
    touch: () => snapshots.touch(),
    say,
    historyPath: parts.historyPath,
    write: parts.writeState,
  });
  const quiet = keepQuiet({
    clock,
    saved: saved?.quiet,
    changed: () => {
      snapshots.touch();
      persistence.touch();
    },
  });
  const snapshots = createSnapshots({
    clock,
    registry,
    quiet: quiet.current,
    notice: notices.current,
    marked: prompts.marked,
  });
  const persistence = createPersistence({
    path: parts.statePath,
    clock,
    log,
    save: () => ({
      registry: registry.save(clock.now()),
      quiet: quiet.save(),
      slots: slots.save(),
      told: telling.save(),
    }),
    write: parts.writeState,
  });
  const slots = keepSlots(saved?.slots, () => persistence.touch());
  const bars = createBars({ clock, snapshots, slots, config: parts.live.config, program: parts.program });
  const placing = createPlacing({
    clock,
    log,
    registry,
    observe,
    factTime,
    desktop,
    whereabouts,
    windowClosed: () => claude.recheck(),
  });
  const closeEyes = followEyes({
    clock,
    snapshots,
    registry,
    observe,
    factTime,
    isLocked: parts.login.isLocked,
    mayBeHidden: placing.mayBeHidden,
  });
  const telling = createTelling({
    ...parts,
    config: parts.live.config,
    snapshots,
    quiet,
    prompts,
    whereabouts,
    mayBeHidden: placing.mayBeHidden,
    saved: saved?.told,
    touch: persistence.touch,
    go,
    next: () => next.on(),
    say,
  });
  const next = createNext({ registry, desktop, go });
  const menu = createMenu({ log, program: parts.program, say });
  const rounds = createRounds({
    clock,
    registry,
    claude,
    looked() {
      placing.refresh();
      notices.look();
    },
  });

  function keyOf(id: SessionId): SessionKey {
    const key = registry.keyOf(id);
    if (key === undefined) throw new Failure('no-such-session', `the session ${id} has ended`, 'tsmux list');
    return key;
  }

  function whereabouts(session: Session): Whereabouts | null {
    const key = registry.keyOf(session.id);
    if (key === undefined) return null;
    return { key, attachedBy: claude.attachedBy(key), attachId: claude.attachId(key) };
  }

  function resolve(query: string): Session {
    const { found, ...others } = matchSession(query, registry.all());
    if (found !== null) return prompts.marked(found);
    const candidates = 'candidates' in others ? others.candidates : [];
    if (candidates.length === 0) {
      throw new Failure('no-such-session', `no session is called "${query}"`, 'see: tsmux list');
    }
    const ids = candidates.map((session) => `${session.id} (${session.label ?? session.name})`).join(', ');
    throw new Failure('not-unique', `"${query}" could be ${ids}`, 'say its id');
  }

  async function go(session: Session): Promise<void> {
    const where = whereabouts(session);
    if (where === null) throw new Failure('no-such-session', 'the session has just ended', 'see: tsmux list');
    await looked;
    const went = await desktop.go(where);
    if (!went.done) throw new Failure('cannot-go', went.why, went.hint);
  }

  async function click(body: unknown, caller: number | null): Promise<void> {
    const clicked = bars.click(body);
    try {
      await act(clicked, caller);
    } catch (error) {
      // Whoever clicks on a bar has no other place to read why nothing came of it.
      if (error instanceof Failure) say(error.message);
      throw error;
    }
  }

  async function act({ action, shown }: ReturnType<typeof bars.click>, caller: number | null): Promise<void> {
    switch (action.do) {
      case 'answer': {
        const { prompt, key, question } = action;
        refuseSessions(caller, registry);
        const answer = { keys: [key], text: null, step: true, question: question ?? 0, shown };
        await prompts.answer(prompt, answer);
        return;
      }
      case 'go':
        return go(resolve(action.session));
      case 'seen':
        return seen(resolve(action.session));
      case 'menu':
        return menu.open(action.session);
      case 'end-quiet':
        return quiet.end();
      case 'none':
        return;
    }
  }

  function seen(session: Session): void {
    // Else one that has been idle for hours would be idle since now.
    if (session.state !== 'review') return;
    observe(keyOf(session.id), { type: 'seen', at: factTime() });
  }

  function label(session: Session, text: string | null): void {
    const problem = text === null ? null : labelProblem(text, registry.all(), session.id);
    if (problem !== null) throw new Failure('bad-request', problem, 'choose another label');
    observe(keyOf(session.id), { type: 'labelled', at: factTime(), label: text });
    persistence.touch();
  }

  const unsubscribe = registry.subscribe((change) => {
    if (change.type === 'gone') desktop.forget(change.key);
    const isNewState = change.type === 'gone' || change.before?.state !== change.session.state;
    persistence.touch(isNewState ? 'state' : 'detail');
    // Who has a session has Claude Code; it may have been installed a moment ago.
    notices.lookAgain();
    if (isNewState) rounds.plan();
  });

  parts.live.subscribe(() => {
    bars.reconfigured();
    snapshots.touch();
  });

  const looked = firstLook({ desktop, clock, log });
  const ready = claude.start().then(() => {
    notices.look();
    rounds.plan();
    telling.begin();
  });

  const placed = firstPlaces({ clock, ready, looked, placed: placing.settled });

  const api = createApi({
    clock,
    log,
    snapshots,
    ready,
    placed,
    resolve,
    go,
    next,
    click,
    seen,
    label,
    prompts,
    checkCaller: (pid) => refuseSessions(pid, registry),
    hook: (body, sender, waiting) => {
      const heard = claude.hook(body, sender);
      if (!('error' in heard)) {
        if (heard.asks === null) return false;
        prompts.hold({ ...heard, asks: heard.asks }, waiting);
        return true;
      }
      log.info({ pid: sender.pid, error: heard.error }, 'a hook says nothing');
      throw new Failure('bad-request', String(heard.error), 'see docs/hooks.md');
    },
    explain: async (session) => {
      const located = await placing.locate(session);
      return { session, place: located.place, hops: located.hops, facts: facts.of(session.id) };
    },
    bar: (kind, options) => bars.open(kind, options),
    quiet,
    presets: () => parts.live.config().quiet.presets,
    learn({ DBUS_SESSION_BUS_ADDRESS, ...display }) {
      desktop.learn(display);
      menu.learn(display);
      telling.learn(DBUS_SESSION_BUS_ADDRESS ?? null);
    },
    health: () => ({ ...parts.health(), sessions: registry.all().length, trouble: persistence.trouble() }),
    stop: parts.stop,
  });

  return {
    api,
    ready,
    hear(body, sender) {
      const heard = claude.hook(body, sender);
      if ('error' in heard) log.info({ pid: sender.pid, error: heard.error }, 'a hook says nothing');
    },
    async stop() {
      rounds.stop();
      notices.stop();
      prompts.stop();
      unsubscribe();
      closeEyes();
      quiet.stop();
      placing.stop();
      api.end();
      snapshots.stop();
      await Promise.all([telling.stop(), claude.stop()]);
      await desktop.stop();
      persistence.flush();
    },
  };
}
