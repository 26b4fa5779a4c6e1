import { createKeys, type KeyOutcome } from '../answers/keys.ts';
import { movedOn } from '../answers/moved-on.ts';
import { isShownWhole } from '../bars/whole.ts';
import { decisionOf, type PermissionRequest } from '../claude/decisions.ts';
import type { Dialog } from '../claude/dialog.ts';
import type { Config } from '../config/schema.ts';
import type { Desktop, Whereabouts } from '../desktop/desktop.ts';
import type { Option, Prompt, PromptId } from '../sessions/prompt.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import type { Clock } from '../system/clock.ts';
import { Failure } from '../system/failure.ts';
import { type Asking, allAtOnce, isOneChoice, optionsNow, type Step, startAsking, stepOf } from './asking.ts';
import type { AnyAnswer, Held, Holding } from './holding.ts';
import type { Reading } from './reading.ts';

export interface Answer {
  /** One for each question, `1,3` for several choices of one; for other prompts the one option's. */
  readonly keys: readonly string[];
  /** Words of the user's own: for a question, or for Claude with a No. */
  readonly text: string | null;
  /** Only the question that is asked now is answered, with one key; the others are asked after it. */
  readonly step: boolean;
  /** Which of the questions the key is for, from 0; null: not said. */
  readonly question: number | null;
  /** The option as the user saw it; null: not known. */
  readonly shown: Option | null;
}

export type Way = 'hook' | 'keys' | 'go';

export interface Answered {
  readonly prompt: PromptId;
  /** Null where the questions had several answers, or words of the user's own. */
  readonly option: Option | null;
  readonly way: Way;
  /** There are more questions: this one is asked now, from 0. */
  readonly asking: number | null;
}

export interface Answering {
  /** @throws Failure `refused` when nothing was answered; `failed` when Claude did not take it. */
  answer(session: Session, prompt: Prompt, answer: Answer): Promise<Answered>;
  /** A hold of the prompt has begun, or its screen was read: tells what can be answered. */
  offer(prompt: PromptId): void;
  /** Which of its questions is asked now, from 0; null where they are not asked one after the other. */
  asking(prompt: PromptId): number | null;
  forget(prompt: PromptId): void;
}

/** A block, a button or a key does nothing for so long after it came to mean something else, ms. */
export const INERT = 500;
/** Claude Code takes a key within some tens of ms, and writes its file within 200 ms; ms. */
const MOVES_ON_WITHIN = 3_000;

export function createAnswering(parts: {
  readonly clock: Clock;
  readonly config: () => Config;
  readonly registry: Registry;
  readonly holding: Holding;
  readonly reading: Reading;
  readonly desktop: Desktop;
  readonly whereabouts: (session: Session) => Whereabouts | null;
  readonly go: (session: Session) => Promise<void>;
  /** It hears nothing for now. */
  readonly isStopped: (session: Session) => boolean;
  /** Whether its whole text was asked for. */
  readonly wasShown: (prompt: PromptId) => boolean;
  /** An answer is about to be given this way; or (null) it was not given after all. */
  readonly note: (prompt: PromptId, given: { option: Option | null; way: Way } | null) => void;
  readonly touch: () => void;
}): Answering {
  const { clock, registry, holding, reading } = parts;
  const keys = createKeys(clock);
  const askings = new Map<PromptId, Asking>();
  const isOpen = (id: PromptId) => registry.all().some(({ prompts }) => prompts.some((one) => one.id === id));

  function offer(id: PromptId): void {
    const held = holding.of(id);
    if (held === null) return;
    if (held.request.kind === 'questions') {
      const asking = askings.get(id) ?? startAsking(clock.now());
      askings.set(id, asking);
      holding.offer(id, optionsNow(held.request, asking));
      return;
    }
    const options = held.offers.map(({ option }) => option);
    // A tool's first option is Yes on every screen. What other keys mean, and all keys of a plan, the screen will say.
    const certain = held.request.kind === 'tool' ? options.slice(0, 1) : [];
    holding.offer(id, reading.isAwaited(id) ? certain : options);
  }

  async function answer(session: Session, prompt: Prompt, given: Answer): Promise<Answered> {
    const { id } = prompt;
    const [key = null] = given.keys;
    if (key === 'g' && given.keys.length === 1) {
      await parts.go(session);
      return { prompt: id, option: null, way: 'go', asking: null };
    }
    if (parts.isStopped(session)) {
      throw refused('its Claude Code is suspended, and would take no answer', 'bring it back there: fg');
    }
    const held = holding.of(id);
    if (held?.request.kind === 'questions') return answerQuestions(prompt, held, held.request, given);
    if (key === null || given.keys.length > 1) throw refused('it takes one key', `see: tsmux show ${id}`);
    const option = prompt.options.find((one) => one.key === key);
    if (option === undefined) throw noSuchOption(prompt, key);
    checkMeans(given.shown, option);
    if (given.text !== null && option.means !== 'deny') {
      throw refused(`"${option.label}" takes no text`, 'only a No does');
    }
    checkShown(prompt, option);
    const answer = held === null ? null : answerThroughHold(held, option, given.text);
    return answer === null || held === null
      ? answerByKey(session, prompt, option, given.text)
      : answerByHold(prompt, held.request, answer, option);
  }

  function noSuchOption(prompt: Prompt, key: string): Failure {
    if (reading.wasCut(prompt.id, key)) {
      return refused('what it would always allow is not shown whole', 'answer it in its terminal: key g');
    }
    const known = prompt.options.map((one) => one.key).join(', ');
    return refused(`the prompt has no option ${key}`, `it has: ${known}`);
  }

  /** Yes to a command that was not seen whole. */
  function checkShown(prompt: Prompt, { means }: Option): void {
    const isYes = means === 'allow' || means === 'allow-always' || means === 'mode';
    const { prompts, bar } = parts.config();
    if (!isYes || !prompts['show-before-yes'] || parts.wasShown(prompt.id)) return;
    if (isShownWhole(prompt, bar.widths.what)) return;
    throw refused('it is too long to be shown whole on a bar', `see it first: tsmux show ${prompt.id}`);
  }

  /** What an option of the screen, or of what was asked, means in the hook's words; null: only its key does it. */
  function answerThroughHold(held: Held, option: Option, text: string | null): AnyAnswer | null {
    const offered = reading.isRead(held.prompt)
      ? held.offers.find(({ option: { means } }) => means === option.means && isPlain(means))
      : held.offers.find((one) => one.option.key === option.key && one.option.label === option.label);
    const answer = offered?.answer ?? null;
    if (answer === null || text === null || answer.type !== 'deny') return answer;
    // Claude is told the words, so it goes on with them.
    return held.request.kind === 'plan'
      ? { type: 'keep-planning', words: text }
      : { ...answer, message: text, goOn: true };
  }

  function answerByHold(
    { id }: Prompt,
    request: PermissionRequest,
    answer: AnyAnswer,
    option: Option | null,
  ): Answered {
    parts.note(id, { option, way: 'hook' });
    if (!holding.answer(id, decisionOf(request, answer))) {
      parts.note(id, null);
      throw settled();
    }
    return { prompt: id, option, way: 'hook', asking: null };
  }

  function answerQuestions(
    prompt: Prompt,
    held: Held,
    request: Extract<PermissionRequest, { kind: 'questions' }>,
    given: Answer,
  ): Answered {
    const { id } = prompt;
    const now = clock.now();
    const asking = askings.get(id) ?? startAsking(now);
    const at = asking.picks.length;
    if (given.question !== null && given.question !== at) {
      throw refused('that question has been answered already', `see: tsmux show ${id}`);
    }
    const [key = null] = given.keys;
    const option = optionsNow(request, asking).find((one) => one.key === key) ?? null;
    if (given.shown !== null) checkMeans(given.shown, option);
    if (given.step && given.shown === null && at > 0 && now - asking.since < INERT) {
      throw refused('the next question has only just come up', 'press the key again');
    }
    const step: Step =
      given.step && given.keys.length < 2 && key?.includes(',') !== true
        ? stepOf(request, asking, { key, text: given.text, now })
        : allAtOnce(request, given.keys, given.text);
    switch (step.type) {
      case 'wrong':
        throw refused(step.why, `see: tsmux show ${id}`);
      case 'asks':
        askings.set(id, step.asking);
        holding.offer(id, optionsNow(request, step.asking));
        parts.touch();
        return { prompt: id, option, way: 'hook', asking: step.asking.picks.length };
      case 'answers':
        return answerByHold(
          prompt,
          request,
          { type: 'answers', answers: step.answers },
          isOneChoice(request) ? option : null,
        );
      case 'none': {
        const no = held.offers.find((one) => one.option.means === 'deny')?.answer ?? null;
        if (no === null) throw refused('it cannot be refused from here', 'answer it in its terminal: key g');
        const words =
          given.text === null || no.type !== 'deny' ? no : { ...no, message: given.text, goOn: true };
        return answerByHold(prompt, request, words, option);
      }
    }
  }

  async function answerByKey(
    session: Session,
    prompt: Prompt,
    option: Option,
    text: string | null,
  ): Promise<Answered> {
    const { id } = prompt;
    if (text !== null)
      throw refused('no words can be typed there from here', 'answer it in its terminal: key g');
    if (prompt.answerable === 'no' || !reading.isRead(id))
      throw refused('it can only be answered in its terminal', 'go there: key g');
    if (session.prompts.length > 1) {
      throw refused(
        'several prompts of that session are open, and only one is on its screen',
        'answer it in its terminal: key g',
      );
    }
    const where = parts.whereabouts(session);
    if (where === null) throw settled();
    const { desktop } = parts;
    parts.note(id, { option, way: 'keys' });
    const outcome = await keys.answer<Dialog>({
      mark: id,
      option,
      promptSince: prompt.since,
      ...reading.target(session, prompt),
      send: ({ lines }, key, mark) =>
        // The prompt may have been settled while its dialog was read.
        isOpen(id) ? desktop.sendKey(where, { mark, key, lines }) : Promise.resolve('refused'),
    });
    if (outcome.type !== 'sent' && outcome.type !== 'failed') {
      parts.note(id, null);
      if (!isOpen(id)) throw settled();
      if (outcome.type !== 'already-sent') reading.readAgain(session, id);
      throw refused(WHY[outcome.type], 'look at its terminal: key g');
    }
    if (!(await movedOn(id, { isOpen, subscribe: registry.subscribe }, clock, MOVES_ON_WITHIN))) {
      parts.note(id, null);
      throw new Failure(
        'failed',
        'the key was sent, but Claude did not go on',
        'look at its terminal: key g',
      );
    }
    return { prompt: id, option, way: 'keys', asking: null };
  }

  return {
    answer,
    offer,
    asking(id) {
      const held = holding.of(id);
      const asking = askings.get(id);
      if (held?.request.kind !== 'questions' || asking === undefined) return null;
      return held.request.questions.length > 1 ? asking.picks.length : null;
    },
    forget(id) {
      askings.delete(id);
      keys.forget(id);
    },
  };
}

const WHY: Readonly<Record<Exclude<KeyOutcome['type'], 'sent' | 'failed'>, string>> = {
  unreadable: 'its dialog could not be read',
  'other-dialog': 'another dialog is on its screen',
  'no-such-option': 'its dialog does not have that option any more',
  'takes-text': 'that option leads to a text field',
  changed: 'its screen had just changed, or the keys go elsewhere there (copy mode, synchronized panes)',
  'already-sent': 'that answer has been sent already',
};

/** What the hook says as well as the key. */
function isPlain(means: Option['means']): boolean {
  return means === 'allow' || means === 'deny';
}

/** The user must get what he saw, not what has come under its key since. */
function checkMeans(shown: Option | null, now: Option | null): void {
  if (shown === null || (shown.label === now?.label && shown.means === now.means)) return;
  throw refused(`that was "${shown.label}", and is not any more`, 'look again');
}

export function refused(why: string, hint: string): Failure {
  return new Failure('refused', why, hint);
}

export function settled(): Failure {
  return refused('the prompt has been settled already', 'see: tsmux prompts');
}
