import type { PromptId } from '../sessions/prompt.ts';
import type { Session, SessionId, State } from '../sessions/session.ts';
import { isLookedAt, LOOK } from './seen.ts';

/**
 * What deserves a notification. Pure: each call takes how things are now and what was remembered, and gives what to
 * do. Only new work notifies, each prompt and each finish at most once.
 */

export type NotifiedState = 'needs-input' | 'review';

/** How one session's user wants to be told of one state. */
export interface Manner {
  /** false: nothing is shown, and only the command runs. */
  readonly show: boolean;
  readonly urgency: 'low' | 'normal' | 'critical';
  readonly sound: boolean;
  /** No second notification of the session within so many ms; what still stands then is told then. */
  readonly cooldown: number;
  /** A finish after less work is not told, ms. */
  readonly minWork: number;
  readonly breaksQuiet: boolean;
  /** A program of the user's, with its arguments. */
  readonly command: readonly string[] | null;
}

/** Something that the user is to be told. */
export interface Notice {
  readonly session: SessionId;
  readonly state: NotifiedState;
  /** The oldest open prompt; null where there is none. */
  readonly prompt: PromptId | null;
  readonly manner: Manner;
}

export interface Moment {
  readonly now: number;
  readonly sessions: readonly Session[];
  readonly quiet: boolean;
  /** The screen is known to be locked: nobody looks. */
  readonly locked: boolean;
  /** Sessions whose window may just as well show another tab: that it has the focus says nothing. */
  readonly hidden: ReadonlySet<SessionId>;
  /** Null: the user does not want to be told. */
  readonly manner: (session: Session, state: NotifiedState) => Manner | null;
}

interface Followed {
  readonly state: State;
  /** When it came into that state; a state that is only dated anew has not begun anew. */
  readonly entered: number;
  /** How long it has worked in this turn, ms. */
  readonly worked: number;
  /** Open prompts that were thought about. */
  readonly prompts: ReadonlySet<PromptId>;
  /** There is something to tell, and something that keeps it back for the moment. */
  readonly due: boolean;
  /** Kept back by quiet time. */
  readonly missed: boolean;
  /** It has a notification on screen, as far as we know. */
  readonly live: boolean;
  readonly told: { readonly at: number; readonly state: NotifiedState } | null;
  readonly lookedSince: number | null;
}

export interface Memory {
  /** What began before was found, and is not new. */
  readonly began: number;
  readonly quiet: boolean;
  readonly sessions: ReadonlyMap<SessionId, Followed>;
  /** Whose notification an earlier daemon has left: it is on screen again as soon as the session is seen. */
  readonly resumed: ReadonlySet<SessionId>;
}

export interface Decision {
  readonly memory: Memory;
  readonly tell: readonly Notice[];
  /** Sessions whose notification says nothing true any more, or was heeded. */
  readonly withdraw: readonly SessionId[];
  /** What is not told because it is quiet. */
  readonly missed: readonly Notice[];
  /** Quiet has just ended, and kept something back: all who need the user now. Else empty. */
  readonly summary: readonly SessionId[];
  /** In how many ms to decide again when nothing changes until then; null: not at all. */
  readonly again: number | null;
}

export function begin(now: number, quiet: boolean, resumed: ReadonlySet<SessionId> = new Set()): Memory {
  return { began: now, quiet, sessions: new Map(), resumed };
}

export function decide(memory: Memory, moment: Moment): Decision {
  const sessions = new Map<SessionId, Followed>();
  const tell: Notice[] = [];
  const withdraw: SessionId[] = [];
  const missed: Notice[] = [];
  const waiting: SessionId[] = [];
  let missedAny = false;
  let again: number | null = null;
  for (const session of moment.sessions) {
    const before = memory.sessions.get(session.id) ?? null;
    if (before !== null && goesOn(before, session)) {
      sessions.set(session.id, before);
      continue;
    }
    let after = followed(before, session, memory);
    const state = notified(session.state);
    const manner = state === null ? null : moment.manner(session, state);
    const lookedFor = after.lookedSince === null ? 0 : moment.now - after.lookedSince;
    after = { ...after, lookedSince: lookedSince(after, session, moment) };
    if (state === null || manner === null || (after.lookedSince !== null && lookedFor >= LOOK)) {
      after = { ...after, due: false, missed: false, live: false };
    } else if (after.due) {
      const notice: Notice = { session: session.id, state, prompt: oldestPrompt(session), manner };
      const wait = waits(after, notice, moment);
      if (state === 'review' && after.worked < manner.minWork) {
        after = { ...after, due: false };
      } else if (wait > 0) {
        again = Math.min(again ?? wait, wait);
      } else if (moment.quiet && !(manner.breaksQuiet && manner.urgency === 'critical')) {
        missed.push(notice);
        after = { ...after, due: false, missed: true };
      } else {
        tell.push(notice);
        after = { ...after, due: false, live: manner.show, told: { at: moment.now, state } };
      }
    }
    if (after.live && after.lookedSince !== null) {
      const left = after.lookedSince + LOOK - moment.now;
      again = Math.min(again ?? left, left);
    }
    if (memory.quiet && !moment.quiet) {
      missedAny ||= after.missed;
      if (manner !== null) waiting.push(session.id);
      after = { ...after, missed: false };
    }
    const wasLive = before === null ? memory.resumed.has(session.id) : before.live;
    if (wasLive && !after.live) withdraw.push(session.id);
    sessions.set(session.id, after);
  }
  for (const [id, { live }] of memory.sessions) if (live && !sessions.has(id)) withdraw.push(id);
  const next: Memory = { ...memory, quiet: moment.quiet, sessions };
  return { memory: next, tell, withdraw, missed, summary: missedAny ? waiting : [], again };
}

/** It wants nothing, as before, and nobody looks at it. */
function goesOn(before: Followed, session: Session): boolean {
  return (
    before.state === session.state &&
    notified(session.state) === null &&
    session.prompts.length === 0 &&
    before.prompts.size === 0 &&
    !(before.due || before.missed || before.live) &&
    before.lookedSince === null &&
    !isLookedAt(session)
  );
}

/** The user has answered: what the session asks next is no flapping. */
export function answered(memory: Memory, id: SessionId): Memory {
  const known = memory.sessions.get(id);
  if (known === undefined) return memory;
  return { ...memory, sessions: new Map(memory.sessions).set(id, { ...known, told: null }) };
}

/** The prompt that a notification is about: those of one session are asked one after the other. */
function oldestPrompt(session: Session): PromptId | null {
  return session.prompts[0]?.id ?? null;
}

const stranger: Followed = {
  state: 'unknown',
  entered: 0,
  worked: 0,
  prompts: new Set(),
  due: false,
  missed: false,
  live: false,
  told: null,
  lookedSince: null,
};

/** What is known of a session after it was seen once more; what to do about it is decided from that. */
function followed(before: Followed | null, session: Session, memory: Memory): Followed {
  const { began, quiet, resumed } = memory;
  const last = before ?? stranger;
  const same = last.state === session.state;
  const prompts = new Set(session.prompts.map(({ id }) => id));
  // What a session that nobody knew anything of is found with is old, unless it bears a date.
  const found = last.state === 'unknown';
  const asks = session.prompts.some(({ id, since }) => !last.prompts.has(id) && (!found || since >= began));
  const entered = same ? last.entered : session.since;
  const fresh = session.state === 'needs-input' ? asks : session.state === 'review' && !same && !found;
  return {
    ...last,
    state: session.state,
    entered,
    worked: worked(last, session),
    prompts,
    due: fresh || (same && last.due),
    // Over a restart of the daemon it is forgotten what was kept back: all that is found then may have been.
    missed: before === null ? quiet && notified(session.state) !== null : same && last.missed,
    live: before === null ? resumed.has(session.id) && notified(session.state) !== null : same && last.live,
  };
}

function worked(last: Followed, session: Session): number {
  if (last.state === session.state) return last.worked;
  if (last.state === 'busy') return last.worked + Math.max(0, session.since - last.entered);
  const turnGoesOn = last.state === 'needs-input' || last.state === 'unknown';
  return turnGoesOn ? last.worked : 0;
}

function notified(state: State): NotifiedState | null {
  return state === 'needs-input' || state === 'review' ? state : null;
}

function lookedSince(last: Followed, session: Session, { now, locked, hidden }: Moment): number | null {
  if (locked || hidden.has(session.id) || !isLookedAt(session)) return null;
  // A clock that was set back must not make the look last longer.
  return Math.min(last.lookedSince ?? now, now);
}

/**
 * ms until it may be told. While its window has the focus that is until the user has looked for long enough not to be
 * told at all, or has gone: a pointer that only passes by gives the focus too.
 */
function waits(after: Followed, notice: Notice, { now }: Moment): number {
  if (after.lookedSince !== null) return after.lookedSince + LOOK - now;
  const { told } = after;
  // A prompt after a finish is more urgent than what was told last; a clock that was set back proves nothing.
  if (told === null || now < told.at || (told.state === 'review' && notice.state === 'needs-input')) return 0;
  return told.at + notice.manner.cooldown - now;
}
