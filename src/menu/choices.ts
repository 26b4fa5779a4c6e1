import { oneLine } from '../bars/text.ts';
import { cutEnd, cutMiddle, widthOf } from '../bars/width.ts';
import type { Option, Prompt, PromptId } from '../sessions/prompt.ts';
import type { Session, SessionId } from '../sessions/session.ts';

/** What the menu shows of a session; the core's and the wire's both have it. */
export type MenuSession = Pick<Session, 'id' | 'state' | 'label' | 'name' | 'branch' | 'cwd' | 'place'> & {
  readonly prompts: readonly Omit<Prompt, 'since'>[];
};

export type Deed =
  | { readonly do: 'go' | 'seen'; readonly session: SessionId }
  | {
      readonly do: 'answer';
      readonly session: SessionId;
      readonly prompt: PromptId;
      /** As the user sees it. */
      readonly option: Option;
      /** Which of the prompt's questions it is of, from 0; null where they are not asked one after the other. */
      readonly question: number | null;
    };

/** `line` is one safe line, and no other's: ids end it, which nobody else can choose. */
export interface Choice {
  readonly line: string;
  readonly deed: Deed;
}

/** Columns. */
const WIDTHS = { name: 32, branch: 32, cwd: 60, text: 80 };
/** What a rule would always allow must be seen whole. */
const LONGEST_LABEL = 160;

export function switchChoices(sessions: readonly MenuSession[]): readonly Choice[] {
  return sessions.map((session) => ({ line: sessionLine(session), deed: { do: 'go', session: session.id } }));
}

/** The options of all open prompts, also those that are never on a bar. */
export function answerChoices(sessions: readonly MenuSession[]): readonly Choice[] {
  return sessions.flatMap((session) => session.prompts.flatMap((prompt) => optionChoices(session, prompt)));
}

/** What can be done with one session. Enter that was meant for another window takes the first line, so that only goes there. */
export function sessionChoices(session: MenuSession): readonly Choice[] {
  const others = answerChoices([session]).filter(({ deed }) => deed.do !== 'answer' || !isGo(deed.option));
  const seen: Choice = {
    line: words('Mark as seen', nameOf(session), session.id),
    deed: { do: 'seen', session: session.id },
  };
  return [
    { line: `Go to ${sessionLine(session)}`, deed: { do: 'go', session: session.id } },
    ...others,
    ...(session.state === 'review' ? [seen] : []),
  ];
}

/** The choice that the launcher has printed; null for anything but the whole line of one. */
export function chosen(choices: readonly Choice[], printed: string): Choice | null {
  const line = printed.replace(/\n$/, '');
  return choices.find((choice) => choice.line === line) ?? null;
}

function optionChoices(session: MenuSession, prompt: MenuSession['prompts'][number]): readonly Choice[] {
  const { id, title, text, questions, asking } = prompt;
  const asked = asking === null ? text : (questions[asking]?.text ?? text);
  const about = cutMiddle(`${title}: ${asked}`, WIDTHS.text);
  const shown = prompt.options.filter(isShownWhole);
  // Going there is harmless, so it is what a hasty Enter finds.
  return [...shown.filter(isGo), ...shown.filter((option) => !isGo(option))].map((option) => ({
    line: words(`${option.key} ${cutEnd(option.label, LONGEST_LABEL)}`, nameOf(session), about, id),
    deed: { do: 'answer', session: session.id, prompt: id, option, question: asking },
  }));
}

function isGo({ means }: Option): boolean {
  return means === 'go';
}

function isShownWhole({ means, label }: Option): boolean {
  return means !== 'allow-always' || widthOf(oneLine(label)) <= LONGEST_LABEL;
}

function sessionLine(session: MenuSession): string {
  const { state, branch, cwd, place, id } = session;
  return words(
    nameOf(session),
    state,
    cutEnd(branch ?? '', WIDTHS.branch),
    cutEnd(place.workspace?.name ?? '', WIDTHS.name),
    cutMiddle(cwd, WIDTHS.cwd),
    id,
  );
}

function nameOf({ label, name }: MenuSession): string {
  return cutEnd(label ?? name, WIDTHS.name);
}

/** Blanks in a row, or at the ends, are lost in some launchers, and the line with them. */
function words(...parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/\s+/gu, ' ').trim())
    .filter((part) => part !== '')
    .join(' · ');
}
