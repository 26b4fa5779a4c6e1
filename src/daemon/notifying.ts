import { answered, begin, type Decision, decide, type Memory, type Notice } from '../attention/notify.ts';
import { mannerOf, type Wishes } from '../attention/rules.ts';
import { isLookedAt } from '../attention/seen.ts';
import type { Config } from '../config/schema.ts';
import { type Card, type Deed, sessionCard, summaryCard, withRefusal } from '../notifications/card.ts';
import type { Notifications } from '../notifications/notifications.ts';
import { displayNames } from '../sessions/labels.ts';
import type { Session, SessionId, Snapshot } from '../sessions/session.ts';
import type { Cancel, Clock } from '../system/clock.ts';
import { Failure } from '../system/failure.ts';
import type { Log } from '../system/log.ts';
import { runNotifyCommand } from './notify-command.ts';
import type { Prompts } from './prompts.ts';
import type { Snapshots } from './snapshots.ts';
import { wireSession } from './wire.ts';

/** Tells the user what deserves it (attention/notify.ts), and does what he asks of a notification. */
export interface Notifying {
  /** The sources were read: from now on, what happens is new. */
  begin(): void;
  /** The user pressed a button of a notification, or the notification itself. */
  deed(key: string, deed: Deed): void;
  stop(): void;
}

const SUMMARY = 'summary';

export function createNotifying(parts: {
  readonly clock: Clock;
  readonly log: Log;
  readonly config: () => Config;
  /** For `~` in the folders of rules. */
  readonly home: string;
  readonly snapshots: Snapshots;
  readonly notifications: Pick<Notifications, 'show' | 'update' | 'withdraw' | 'resume'>;
  /** What the notifications saved, of an earlier daemon. */
  readonly saved: unknown;
  readonly prompts: Pick<Prompts, 'answer' | 'missed'>;
  readonly isLocked: () => Promise<boolean>;
  readonly mayBeHidden: (id: SessionId) => boolean;
  readonly go: (session: Session) => Promise<void>;
  readonly next: () => Promise<unknown>;
  /** Tells the user on the bar. */
  readonly say: (words: string) => void;
}): Notifying {
  const { clock, log, snapshots, notifications } = parts;
  /** What each session as it is was told as: most of them stay as they are while others change. */
  const cards = new WeakMap<Session, { wishes: Wishes; name: string; card: Card | null }>();
  let memory: Memory | null = null;
  /** Whom the sum at the end of quiet time named. */
  let summary: readonly SessionId[] = [];
  let thinking = false;
  let thinkAgain = false;
  let later: Cancel | null = null;

  function isQuiet({ quiet }: Snapshot): boolean {
    return quiet.until !== null && quiet.until > clock.now();
  }

  async function think(): Promise<void> {
    thinkAgain = true;
    if (thinking) return;
    thinking = true;
    while (thinkAgain) {
      thinkAgain = false;
      const looked = snapshots.current().sessions.some(isLookedAt);
      const locked = looked && (await parts.isLocked());
      follow(snapshots.current(), locked);
    }
    thinking = false;
  }

  function follow(snapshot: Snapshot, locked: boolean): void {
    if (memory === null) return;
    const { sessions } = snapshot;
    const wishes = parts.config().notifications;
    const decision = decide(memory, {
      now: clock.now(),
      sessions,
      quiet: isQuiet(snapshot),
      locked,
      hidden: new Set(sessions.map(({ id }) => id).filter(parts.mayBeHidden)),
      manner: (session, state) => mannerOf(wishes, session, state, parts.home),
    });
    memory = decision.memory;
    later?.();
    later = decision.again === null ? null : clock.after(decision.again, () => void think());
    tell(decision, sessions);
  }

  function tell(decision: Decision, sessions: readonly Session[]): void {
    let names: ReturnType<typeof displayNames> | null = null;
    const nameOf = (id: SessionId) => {
      names ??= displayNames(sessions);
      return names.get(id) ?? id;
    };
    for (const id of decision.withdraw) notifications.withdraw(id);
    const told = new Map(decision.tell.map((notice) => [notice.session, notice]));
    for (const session of sessions.filter((one) => stateOf(one) !== null)) {
      const notice = told.get(session.id);
      const card = cardOf(session, nameOf(session.id));
      if (notice === undefined && card !== null) notifications.update(session.id, card);
      if (notice === undefined) continue;
      if (notice.manner.show && card !== null) notifications.show(session.id, card);
      if (notice.manner.command !== null) run(notice.manner.command, session, notice);
    }
    for (const { prompt } of decision.missed) if (prompt !== null) parts.prompts.missed(prompt);
    if (decision.summary.length > 0) {
      summary = decision.summary;
      notifications.show(SUMMARY, summaryCard(summary.map(nameOf)));
    } else if (summary.length > 0) {
      const needy = new Set(sessions.filter((one) => stateOf(one) !== null).map(({ id }) => id));
      summary = summary.filter((id) => needy.has(id));
      if (summary.length === 0) notifications.withdraw(SUMMARY);
      else notifications.update(SUMMARY, summaryCard(summary.map(nameOf)));
    }
  }

  function cardOf(session: Session, name: string): Card | null {
    const wishes = parts.config().notifications;
    const known = cards.get(session);
    if (known?.wishes === wishes && known.name === name) return known.card;
    const state = stateOf(session);
    const manner = state === null ? null : mannerOf(wishes, session, state, parts.home);
    const card =
      state === null || manner === null
        ? null
        : sessionCard(session, name, { session: session.id, state, manner });
    cards.set(session, { wishes, name, card });
    return card;
  }

  function run(command: readonly string[], session: Session, { state, prompt }: Notice): void {
    runNotifyCommand({ clock, log }, command, { version: 1, state, prompt, session: wireSession(session) });
  }

  async function answer(deed: Extract<Deed, { do: 'answer' }>): Promise<void> {
    if (memory !== null) memory = answered(memory, deed.session);
    const { question, option } = deed;
    try {
      const given = { keys: [option.key], text: null, step: true, question, shown: option };
      const { asking } = await parts.prompts.answer(deed.prompt, given);
      // Most servers close at a press, and there are more questions.
      if (asking !== null) again(deed, (card) => card);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      refuse(deed, error.message);
    }
  }

  /** Where the user looks just now: in the notification, or on the bar when there is no reason for one any more. */
  function refuse(deed: Extract<Deed, { do: 'answer' }>, why: string): void {
    if (!again(deed, (card) => withRefusal(card, why))) parts.say(why);
  }

  /** Shows the notification of a prompt once more. @returns false where it is settled. */
  function again(
    { session: id, prompt }: Extract<Deed, { do: 'answer' }>,
    changed: (card: Card) => Card,
  ): boolean {
    const { sessions } = snapshots.current();
    const session = sessions.find((one) => one.id === id);
    if (session?.prompts[0]?.id !== prompt) return false;
    const card = cardOf(session, displayNames(sessions).get(id) ?? session.name);
    if (card === null) return false;
    notifications.show(id, changed(card));
    return true;
  }

  async function go(key: string, id: SessionId): Promise<void> {
    const session = snapshots.current().sessions.find((one) => one.id === id);
    if (session === undefined) return;
    await parts.go(session);
    notifications.withdraw(key);
  }

  async function act(key: string, deed: Deed): Promise<void> {
    try {
      if (deed.do === 'answer') await answer(deed);
      else if (deed.do === 'go') await go(key, deed.session);
      else {
        notifications.withdraw(key);
        await parts.next();
      }
    } catch (error) {
      if (error instanceof Failure) parts.say(error.message);
      else log.error({ error: String(error) }, 'a notification could not do what was asked');
    }
  }

  /** Whose prompt still stands is told of again, without a sound; in quiet time by the sum at its end. */
  function resumed(snapshot: Snapshot): ReadonlySet<SessionId> {
    const keys = new Set(notifications.resume(parts.saved));
    const asking = isQuiet(snapshot)
      ? []
      : snapshot.sessions.filter(({ id, state }) => keys.has(id) && state === 'needs-input');
    const standing = new Set(asking.map(({ id }) => id));
    for (const key of keys) if (!standing.has(key as SessionId)) notifications.withdraw(key);
    return standing;
  }

  const unsubscribe = snapshots.subscribe(() => void think());
  return {
    begin() {
      const snapshot = snapshots.current();
      memory = begin(clock.now(), isQuiet(snapshot), resumed(snapshot));
      void think();
    },
    deed: (key, deed) => void act(key, deed),
    stop() {
      unsubscribe();
      later?.();
    },
  };
}

function stateOf({ state }: Session): Notice['state'] | null {
  return state === 'needs-input' || state === 'review' ? state : null;
}
