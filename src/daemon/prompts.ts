import type { History } from '../attention/history.ts';
import type { Config } from '../config/schema.ts';
import type { Desktop, Whereabouts } from '../desktop/desktop.ts';
import type { Observe } from '../sessions/observation.ts';
import type { Option, Prompt, PromptId } from '../sessions/prompt.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import type { Clock } from '../system/clock.ts';
import { Failure } from '../system/failure.ts';
import type { Log } from '../system/log.ts';
import { type Answer, type Answered, createAnswering, INERT, refused, settled } from './answering.ts';
import { createPromptHistory } from './history.ts';
import { createHolding, type HeardRequest, type Waiting } from './holding.ts';
import { createPinning, type OpenPrompt, openPrompts } from './pinning.ts';
import { createReading } from './reading.ts';

/**
 * Open prompts: held, read, pinned, answered, remembered (docs/prompts.md). Each of these has a file of its own;
 * this one follows the sessions for all of them, and finds the prompt that is meant.
 */
export interface Prompts {
  /** A PermissionRequest hook whose observations are out. */
  hold(heard: HeardRequest, waiting: Waiting): void;
  /** Oldest first. */
  open(): readonly OpenPrompt[];
  /** With its whole text; remembers that it was shown. @throws Failure: see `answer`. */
  show(query: string): OpenPrompt;
  /**
   * @param query a prompt's id; `pinned`; `only`: the only one that is open; or a session, for its only one.
   * @throws Failure `refused` when it is settled, inert, or has no such option; `no-such-prompt`, `not-unique`.
   */
  answer(query: string, answer: Answer): Promise<Answered>;
  /** Picks the oldest open prompt, or this one. @throws Failure: see `answer`. */
  pin(query: string | null): OpenPrompt;
  unpin(): void;
  history(): History;
  /** It was not told, as it is quiet. */
  missed(prompt: PromptId): void;
  /** As everybody is shown it: with the pin, and the question that is asked now. */
  marked(session: Session): Session;
  stop(): void;
}

/** When Claude Code has gone on after a prompt, its file says so within that time, ms. */
const TAKEN_WITHIN = 2_500;
/** Settled prompts whose ids are remembered, so that a late answer is told so. */
const SETTLED_KEPT = 200;

export function createPrompts(parts: {
  readonly clock: Clock;
  readonly log: Log;
  readonly config: () => Config;
  readonly registry: Registry;
  readonly observe: Observe;
  readonly factTime: () => number;
  readonly desktop: Desktop;
  readonly whereabouts: (session: Session) => Whereabouts | null;
  /** @throws Failure when no session is meant, or several. */
  readonly resolve: (query: string) => Session;
  readonly go: (session: Session) => Promise<void>;
  readonly isStopped: (session: Session) => boolean;
  /** Reads Claude Code's files again. */
  readonly reread: () => void;
  /** Something changed that a snapshot tells. */
  readonly touch: () => void;
  /** Tells the user on the bar. */
  readonly say: (words: string) => void;
  readonly historyPath: string;
  readonly write: (path: string, text: string) => void;
}): Prompts {
  const { clock, registry, config } = parts;
  /** When each open prompt, and the options that it has now, were first told; with those that it had before. */
  const told = new Map<
    PromptId,
    { since: number; options: readonly Option[]; before: readonly Option[]; changedAt: number }
  >();
  const shown = new Set<PromptId>();
  const settledIds = new Set<PromptId>();

  const pinning = createPinning(parts.touch);
  const history = createPromptHistory({
    path: parts.historyPath,
    clock,
    log: parts.log,
    withCommands: () => config().prompts['history-commands'],
    write: parts.write,
  });
  const holding = createHolding({ ...parts, began: (id) => began(id) });
  const reading = createReading({
    ...parts,
    isHeld: (id) => holding.of(id) !== null,
    done: (id) => answering.offer(id),
  });
  const answering = createAnswering({
    ...parts,
    holding,
    reading,
    wasShown: (id) => shown.has(id),
    note: (id, given) => {
      if (given === null) history.note(id, null);
      else if (given.way !== 'go') history.note(id, { option: given.option, way: given.way });
    },
  });

  /** The screen is asked first, so that the options that it will have are not told in other words before. */
  function began(id: PromptId): void {
    const session = registry.all().find(({ prompts }) => prompts.some((prompt) => prompt.id === id));
    if (session !== undefined) reading.follow(session);
    answering.offer(id);
  }

  function retire(session: Session, prompt: Prompt, sessionEnded: boolean): void {
    const { id } = prompt;
    history.settled(session, prompt, sessionEnded);
    pinning.settled(id);
    reading.forget(id);
    answering.forget(id);
    told.delete(id);
    shown.delete(id);
    settledIds.add(id);
    // If its file still waits then, it is for something else, or for this one after all: nothing has to change for that.
    if (!sessionEnded) clock.after(TAKEN_WITHIN, parts.reread);
    for (const old of settledIds) if (settledIds.size > SETTLED_KEPT) settledIds.delete(old);
  }

  function follow(session: Session, before: Session | null): void {
    const now = clock.now();
    for (const prompt of before?.prompts ?? []) {
      if (told.has(prompt.id) && !session.prompts.some(({ id }) => id === prompt.id)) {
        retire(session, prompt, false);
      }
    }
    for (const { id, options } of session.prompts) {
      const known = told.get(id);
      if (known === undefined) told.set(id, { since: now, options, before: options, changedAt: now });
      else if (known.options !== options) {
        told.set(id, { ...known, options, before: known.options, changedAt: now });
      }
    }
    holding.follow(session);
    reading.follow(session);
  }

  const unsubscribe = registry.subscribe((change) => {
    if (change.type === 'session') follow(registry.find(change.session.id) ?? change.session, change.before);
    else {
      holding.end(change.session.id);
      for (const prompt of change.session.prompts)
        if (told.has(prompt.id)) retire(change.session, prompt, true);
    }
  });

  function byId(id: string): OpenPrompt | undefined {
    return open().find(({ prompt }) => prompt.id === id);
  }

  function open(): readonly OpenPrompt[] {
    return openPrompts(registry.all());
  }

  /** `certain`: the user has named the very prompt, and no other that has taken its place. */
  function meant(query: string): OpenPrompt & { readonly certain: boolean } {
    if (query === 'pinned') {
      const found = byId(pinning.pinned() ?? '');
      if (found === undefined) throw refused('no prompt is pinned', 'pin one: tsmux pin');
      return { ...found, certain: true };
    }
    if (query === 'only') return { ...onlyOf(open(), 'no prompt is open'), certain: false };
    const found = byId(query);
    if (found !== undefined) return { ...found, certain: true };
    const id = query as PromptId;
    if (settledIds.has(id) || registry.asked(id) !== null) throw settled();
    if (/^p[a-z0-9]{3,}$/.test(query) && !isSession(query)) {
      throw new Failure('no-such-prompt', `there is no prompt ${query}`, 'see: tsmux prompts');
    }
    const session = parts.resolve(query);
    const prompts = session.prompts.map((prompt) => ({ session, prompt }));
    const name = session.label ?? session.name;
    return { ...onlyOf(prompts, `${name} asks nothing`), certain: false };
  }

  function isSession(query: string): boolean {
    try {
      return parts.resolve(query) !== undefined;
    } catch {
      return false;
    }
  }

  /** A prompt that has only just come is not what the user had in mind, or one that has come to mean another thing. */
  function checkInert({ prompt, certain }: OpenPrompt & { readonly certain: boolean }, answer: Answer): void {
    const known = told.get(prompt.id);
    if (known === undefined || answer.shown !== null) return;
    const now = clock.now();
    if (!certain && now - known.since < INERT) {
      throw refused('the prompt has only just come up', 'look at it, and answer again');
    }
    const was = known.before.find(({ key }) => key === answer.keys[0]);
    const is = known.options.find(({ key }) => key === answer.keys[0]);
    const isOther = was !== undefined && (was.label !== is?.label || was.means !== is.means);
    if (isOther && prompt.kind !== 'question' && now - known.changedAt < INERT) {
      throw refused('that option has only just changed', 'look at it, and answer again');
    }
  }

  /** Through a hold Claude Code says nothing back: if its file still waits, the answer was none. */
  function watchTaken(session: Session): void {
    const at = clock.now();
    clock.after(TAKEN_WITHIN, () => {
      const still = registry.find(session.id)?.prompts.find(({ since }) => since <= at);
      if (still === undefined || registry.asked(still.id) !== null) return;
      parts.say(`${session.label ?? session.name}: Claude did not take the answer`);
    });
  }

  return {
    hold: (heard, waiting) => holding.hold(heard, waiting),
    open,
    show(query) {
      const { session, prompt } = meant(query);
      shown.add(prompt.id);
      const text = registry.asked(prompt.id)?.text ?? prompt.text;
      return { session, prompt: { ...prompt, text, truncated: false } };
    },
    async answer(query, answer) {
      const found = meant(query);
      checkInert(found, answer);
      const answered = await answering.answer(found.session, found.prompt, answer);
      if (answered.way === 'hook' && answered.asking === null) watchTaken(found.session);
      return answered;
    },
    pin(query) {
      const [oldest] = open();
      if (query === null && oldest === undefined) {
        throw new Failure('no-such-prompt', 'no prompt is open', 'see: tsmux list');
      }
      const found = query === null ? oldest : meant(query);
      if (found === undefined) throw settled();
      pinning.pin(found.prompt.id);
      return { session: found.session, prompt: found.prompt };
    },
    unpin: () => pinning.pin(null),
    history: () => history.all(),
    missed: (prompt) => history.missed(prompt),
    marked(session) {
      const pinned = pinning.pinned();
      const isMarked = ({ id }: Prompt) => id === pinned || answering.asking(id) !== null;
      if (!session.prompts.some(isMarked)) return session;
      const prompts = session.prompts.map((prompt) => ({
        ...prompt,
        pinned: prompt.id === pinned,
        asking: answering.asking(prompt.id),
      }));
      return { ...session, prompts };
    },
    stop() {
      holding.stop();
      unsubscribe();
      history.flush();
    },
  };
}

function onlyOf(prompts: readonly OpenPrompt[], none: string): OpenPrompt {
  const [only, ...others] = prompts;
  if (only === undefined) throw new Failure('no-such-prompt', none, 'see: tsmux prompts');
  if (others.length === 0) return only;
  const ids = prompts.map(({ prompt, session }) => `${prompt.id} (${session.label ?? session.name})`);
  throw new Failure('not-unique', `several prompts are open: ${ids.join(', ')}`, 'say which: --to ID');
}
