import type { Manner, Notice } from '../attention/notify.ts';
import { oneLine } from '../bars/text.ts';
import { cutEnd, cutMiddle, widthOf } from '../bars/width.ts';
import type { Option, Prompt, PromptId } from '../sessions/prompt.ts';
import type { Session } from '../sessions/session.ts';

/** What a notification says and offers, before any server's ways are looked at. All text is safe, none is escaped. */
export interface Card {
  readonly title: string;
  readonly lines: readonly string[];
  /** How to answer where there are no buttons; null where there is nothing to answer. */
  readonly answer: { readonly options: string; readonly command: string } | null;
  readonly buttons: readonly Button[];
  /** What a click on the notification itself does. */
  readonly whole: Button;
  readonly urgency: Manner['urgency'];
  readonly category: 'x-tsmux.needs-input' | 'x-tsmux.review' | 'x-tsmux.summary';
  /** Of the Sound Naming Specification; null: silent. */
  readonly sound: string | null;
  /** Until it is settled. */
  readonly stays: boolean;
}

/** A button's deed is its own: a key of a card that is gone means nothing on the card that took its place. */
export interface Button {
  readonly key: string;
  readonly label: string;
  readonly deed: Deed;
}

export type Deed =
  | { readonly do: 'go'; readonly session: Session['id'] }
  | { readonly do: 'next' }
  | {
      readonly do: 'answer';
      readonly session: Session['id'];
      readonly prompt: PromptId;
      /** Which of its questions, from 0. */
      readonly question: number;
      /** As the user was shown it. */
      readonly option: Option;
    };

/** Columns; what is longer is no text for a bubble. */
const LONGEST = { text: 240, rule: 60, choice: 40, word: 60 };
/** More do not fit beside each other. */
const MOST_BUTTONS = 5;
const GO_LABEL = 'Go to terminal';

/** Of a session that needs the user. @param name what the user knows it by, distinct from the others'. */
export function sessionCard(session: Session, name: string, { state, manner }: Omit<Notice, 'prompt'>): Card {
  const go: Button = {
    key: `${session.id}/go`,
    label: GO_LABEL,
    deed: { do: 'go', session: session.id },
  };
  const card = {
    lines: [whereabouts(session)],
    answer: null,
    buttons: [go],
    whole: go,
    urgency: manner.urgency,
  };
  if (state === 'review') {
    return {
      ...card,
      title: titled(name, session.reason ?? 'finished'),
      lines: [cutMiddle(session.lastMessage ?? '', LONGEST.text), ...card.lines].filter(
        (line) => line !== '',
      ),
      category: 'x-tsmux.review',
      sound: manner.sound ? 'complete' : null,
      stays: false,
    };
  }
  const [prompt, ...others] = session.prompts;
  const answers = prompt === undefined ? [] : answerButtons(session, prompt);
  return {
    ...card,
    title: titled(name, prompt?.title ?? session.reason ?? 'needs you'),
    lines: [
      cutMiddle(prompt === undefined ? '' : textOf(prompt), LONGEST.text),
      others.length === 0 ? '' : `and ${others.length} more`,
      ...card.lines,
    ].filter((line) => line !== ''),
    answer: prompt === undefined || answers.length === 0 ? null : inWords(prompt, answers),
    buttons: [...answers, go],
    category: 'x-tsmux.needs-input',
    sound: manner.sound ? 'dialog-question' : null,
    stays: true,
  };
}

/** Of all who need the user, when quiet time is over. @param names most urgent first; not empty. */
export function summaryCard(names: readonly string[]): Card {
  const next: Button = { key: 'summary/next', label: 'Go to the first', deed: { do: 'next' } };
  const count = names.length === 1 ? '1 session needs you' : `${names.length} sessions need you`;
  return {
    title: 'Quiet time is over',
    lines: [`${count}: ${cutEnd(names.join(', '), LONGEST.text)}`],
    answer: null,
    buttons: [next],
    whole: next,
    urgency: 'normal',
    category: 'x-tsmux.summary',
    sound: 'message-new-instant',
    stays: false,
  };
}

/** Its text after an answer that did not work. */
export function withRefusal(card: Card, why: string): Card {
  return { ...card, lines: [cutEnd(`Not answered: ${why}`, LONGEST.text), ...card.lines] };
}

/** Of several questions the one that is asked now. */
function textOf({ text, questions, asking }: Prompt): string {
  const question = asking === null ? undefined : questions[asking];
  return question === undefined ? text : `${(asking ?? 0) + 1}/${questions.length} ${question.text}`;
}

function titled(name: string, what: string): string {
  return `${cutMiddle(name, LONGEST.word)} · ${cutEnd(what, LONGEST.word)}`;
}

function whereabouts({ name, branch, place }: Session): string {
  const project = branch === null ? name : `${name} (${branch})`;
  const { workspace } = place;
  return cutMiddle(workspace === null ? project : `${project} · workspace ${workspace.name}`, LONGEST.text);
}

/**
 * As on the bar: what allows for good is offered only where its rule shows whole, and a change of Claude's mode is
 * never one click away.
 */
function answerButtons(session: Session, prompt: Prompt): readonly Button[] {
  if (prompt.answerable === 'no') return [];
  const buttons = prompt.options.flatMap((option): Button[] => {
    const label = labelOf(option);
    if (label === null) return [];
    const question = prompt.asking ?? 0;
    const deed = { do: 'answer', session: session.id, prompt: prompt.id, question, option } as const;
    return [{ key: `${prompt.id}/${question}/${option.key}`, label, deed }];
  });
  return buttons.length <= MOST_BUTTONS ? buttons : [];
}

function labelOf({ means, label }: Option): string | null {
  switch (means) {
    case 'mode':
    case 'go':
      return null;
    case 'allow-always':
      return label.length <= LONGEST.rule && widthOf(oneLine(label)) <= LONGEST.rule ? oneLine(label) : null;
    default:
      return cutEnd(label, LONGEST.choice);
  }
}

function inWords(prompt: Prompt, answers: readonly Button[]): Card['answer'] {
  const options = answers.map(({ label, deed }) => `${deed.do === 'answer' ? deed.option.key : ''} ${label}`);
  return { options: options.join(' · '), command: `tsmux answer --to ${prompt.id} KEY` };
}
