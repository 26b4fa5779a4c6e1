import { type Answers, answersTo, type Pick, type QuestionsRequest } from '../claude/decisions.ts';
import type { Option, Question } from '../sessions/prompt.ts';

/**
 * Claude's questions, asked one after the other where there is no room for all of them: a bar, or keys that are
 * pressed one by one. Claude Code takes the answers to all of them at once, so they are gathered here.
 */
export interface Asking {
  /** One for each question that was answered so far. */
  readonly picks: readonly Pick[];
  /** What is ticked of the question that is asked now, where it takes several answers. */
  readonly ticked: readonly string[];
  /** When that question came up, ms since the epoch. */
  readonly since: number;
}

export type Step =
  | { readonly type: 'asks'; readonly asking: Asking }
  | { readonly type: 'answers'; readonly answers: Answers }
  /** The user answers none of them. */
  | { readonly type: 'none' }
  | { readonly type: 'wrong'; readonly why: string };

/** `g` is always "go", `t` stands for words of one's own. */
const KEYS = '123456789abcdefhijklmnopqrsuvwxyz';
const OWN_WORDS = 't';

export function startAsking(now: number): Asking {
  return { picks: [], ticked: [], since: now };
}

/** Whether one choice settles it all, so that there is nothing to gather. */
export function isOneChoice({ questions }: QuestionsRequest): boolean {
  return questions.length === 1 && questions[0]?.multiSelect === false;
}

/** The options of the question that is asked now. Their keys do not move while choices are ticked. */
export function optionsNow(request: QuestionsRequest, { picks, ticked }: Asking): readonly Option[] {
  const question = request.questions[picks.length];
  if (question === undefined) return [{ key: '1', label: 'No answer', means: 'deny' }];
  const { done, none } = keysOf(question);
  return [
    ...choicesOf(question).map(
      ({ key, label }): Option => ({
        key,
        label: ticked.includes(label) ? `✓ ${label}` : label,
        means: 'choice',
      }),
    ),
    ...(done === null ? [] : [{ key: done, label: 'Done', means: 'choice' } as const]),
    { key: none, label: 'No answer', means: 'deny' },
  ];
}

/** What comes of one key. `text` are words of the user's own, for this question. */
export function stepOf(
  request: QuestionsRequest,
  asking: Asking,
  press: { readonly key: string | null; readonly text: string | null; readonly now: number },
): Step {
  const question = request.questions[asking.picks.length];
  if (question === undefined) return press.key === '1' ? { type: 'none' } : wrong('it has no such choice');
  const { done, none } = keysOf(question);
  if (press.key === none) return { type: 'none' };
  const chosen = choicesOf(question).find(({ key }) => key === press.key)?.label ?? null;
  if (press.key !== null && press.key !== done && press.key !== OWN_WORDS && chosen === null) {
    return wrong(`"${question.text}" has no choice ${press.key}`);
  }
  if (chosen !== null && done !== null && press.text === null) {
    const { ticked } = asking;
    const toggled = ticked.includes(chosen) ? ticked.filter((one) => one !== chosen) : [...ticked, chosen];
    return { type: 'asks', asking: { ...asking, ticked: toggled } };
  }
  const choices = chosen === null ? asking.ticked : [...asking.ticked, chosen];
  if (choices.length === 0 && press.text === null) return wrong(`nothing of "${question.text}" is chosen`);
  const picks = [...asking.picks, { choices, ownWords: press.text }];
  if (picks.length < request.questions.length) {
    return { type: 'asks', asking: { picks, ticked: [], since: press.now } };
  }
  return asStep(answersTo(request, picks));
}

/**
 * All questions at once: one key for each, `1,3` for several choices of one. `t` stands for the text; where no key
 * does, it goes to the last question.
 */
export function allAtOnce(request: QuestionsRequest, keys: readonly string[], text: string | null): Step {
  const { questions } = request;
  const [first] = questions;
  if (first !== undefined && keys.length === 1 && keys[0] === keysOf(first).none) return { type: 'none' };
  const given = keys.map((key) => key.split(','));
  if (text !== null && !given.flat().includes(OWN_WORDS)) {
    if (given.length < questions.length) given.push([OWN_WORDS]);
    else given.at(-1)?.push(OWN_WORDS);
  }
  if (given.length !== questions.length) {
    const asked = questions.length === 1 ? 'one question is' : `${questions.length} questions are`;
    return wrong(`${asked} asked: say one key for each`);
  }
  const picks: Pick[] = [];
  for (const [at, question] of questions.entries()) {
    const choices: string[] = [];
    for (const key of given[at] ?? []) {
      if (key === OWN_WORDS) continue;
      const choice = choicesOf(question).find((one) => one.key === key);
      if (choice === undefined) return wrong(`"${question.text}" has no choice ${key}`);
      choices.push(choice.label);
    }
    picks.push({ choices, ownWords: given[at]?.includes(OWN_WORDS) === true ? text : null });
  }
  return asStep(answersTo(request, picks));
}

function asStep(made: ReturnType<typeof answersTo>): Step {
  return 'wrong' in made ? wrong(made.wrong) : { type: 'answers', answers: made.answers };
}

function wrong(why: string): Step {
  return { type: 'wrong', why };
}

function choicesOf({ options }: Question): readonly { readonly key: string; readonly label: string }[] {
  return options.slice(0, KEYS.length - 2).map(({ label }, at) => ({ key: KEYS.charAt(at), label }));
}

function keysOf(question: Question): { readonly done: string | null; readonly none: string } {
  const count = choicesOf(question).length;
  return question.multiSelect
    ? { done: KEYS.charAt(count), none: KEYS.charAt(count + 1) }
    : { done: null, none: KEYS.charAt(count) };
}
