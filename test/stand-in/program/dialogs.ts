import * as z from 'zod/mini';
import type { Asking } from './permission.ts';
import type { Key } from './screen.ts';

/** What the user chose in a dialog. */
export type Choice =
  | { readonly kind: 'option'; readonly index: number; readonly feedback?: string }
  | { readonly kind: 'answers'; readonly answers: Readonly<Record<string, string>> }
  | { readonly kind: 'cancel' };

export interface Dialog {
  lines(columns: number, place: { readonly number: number; readonly of: number }): readonly string[];
  /** Null: the dialog stays. */
  key(key: Key): Choice | null;
}

const isDigit = (key: Key) => /^[1-9]$/.test(key);
const rule = (columns: number, of: string) => of.repeat(columns);

export function permissionDialog(
  asking: Asking,
  options: { readonly isNew: boolean; readonly agentType: string | null; readonly plan: boolean },
): Dialog {
  let at = 0;
  /** The plan dialog's last option is a text field. */
  let feedback: string | null = null;
  const last = asking.options.length - 1;

  function choose(index: number): Choice | null {
    if (index > last) return null;
    if (options.plan && index === last) {
      at = last;
      feedback ??= '';
      return null;
    }
    return { kind: 'option', index };
  }

  return {
    lines: (columns, { number, of }) => {
      const who = options.agentType === null ? '' : ` · from the ${options.agentType} agent`;
      const count = of > 1 ? `   ${number} of ${of}` : '';
      const frame = options.isNew ? [rule(columns, '╌')] : [''];
      const list = asking.options.map((option, index) => {
        const words = feedback !== null && index === last && feedback !== '' ? feedback : option;
        return ` ${index === at ? '❯' : ' '} ${index + 1}. ${words}`;
      });
      return [
        rule(columns, '─'),
        ` ${asking.header}${who}${count}`,
        ...frame,
        ...asking.body.map((line) => `${options.isNew ? ' ' : '   '}${line}`),
        ...frame,
        ` ${asking.question}`,
        ...list,
        '',
        ` Esc to cancel · Tab to amend${options.isNew ? '' : ' · ctrl+e to explain'}`,
      ];
    },
    key: (key) => {
      if (key === 'Escape' || key === 'C-c') return { kind: 'cancel' };
      if (feedback !== null) {
        if (key === 'Enter') return { kind: 'option', index: last, feedback };
        if (key === 'Backspace') feedback = feedback.slice(0, -1);
        else if ([...key].length === 1) feedback += key;
        return null;
      }
      if (key === 'Up') at = Math.max(0, at - 1);
      if (key === 'Down') at = Math.min(last, at + 1);
      if (key === 'Enter') return choose(at);
      return isDigit(key) ? choose(Number(key) - 1) : null;
    },
  };
}

export const Questions = z.array(
  z.object({
    question: z.string(),
    header: z.string(),
    multiSelect: z.boolean(),
    options: z.array(z.object({ label: z.string(), description: z.string() })),
  }),
);

/** AskUserQuestion: a page for each question, and one to submit unless there is one question with one answer. */
export function questionDialog(questions: z.infer<typeof Questions>): Dialog {
  const answers = questions.map(() => new Set<number>());
  let page = 0;
  let at = 0;
  const simple = questions.length === 1 && questions[0]?.multiSelect === false;

  const chosen = (index: number) =>
    questions[index]?.options
      .filter((_, option) => answers[index]?.has(option))
      .map(({ label }) => label)
      .join(', ') ?? '';
  const submit = (): Choice => ({
    kind: 'answers',
    answers: Object.fromEntries(questions.map(({ question }, index) => [question, chosen(index)])),
  });

  function pick(option: number): Choice | null {
    const question = questions[page];
    if (question === undefined) return option === 0 ? submit() : { kind: 'cancel' };
    if (option >= question.options.length) return null;
    const picked = answers[page];
    at = option;
    if (question.multiSelect) {
      if (picked?.delete(option) === false) picked.add(option);
      return null;
    }
    picked?.clear();
    picked?.add(option);
    if (simple) return submit();
    page++;
    at = 0;
    return null;
  }

  return {
    lines: (columns) => {
      const question = questions[page];
      const tabs = questions.map(({ header }, index) => `${answers[index]?.size ? '☒' : '☐'} ${header}`);
      const head = [rule(columns, '─'), simple ? ` ${tabs[0]}` : `←  ${tabs.join('  ')}  ✔ Submit  →`, ''];
      const mark = (index: number) => (index === at ? '❯' : ' ');
      if (question === undefined) {
        const review = questions.flatMap((one, index) => [` ● ${one.question}`, `   → ${chosen(index)}`]);
        return [
          ...head,
          'Review your answers',
          '',
          ...review,
          '',
          `${mark(0)} 1. Submit answers`,
          `${mark(1)} 2. Cancel`,
        ];
      }
      const box = (index: number) =>
        question.multiSelect ? (answers[page]?.has(index) ? '[✔] ' : '[ ] ') : '';
      const count = question.options.length;
      return [
        ...head,
        question.question,
        '',
        ...question.options.flatMap(({ label, description }, index) => [
          `${mark(index)} ${index + 1}. ${box(index)}${label}`,
          `     ${description}`,
        ]),
        `  ${count + 1}. ${question.multiSelect ? '[ ] Type something' : 'Type something.'}`,
        rule(columns, '─'),
        `  ${count + 2}. Chat about this`,
        '',
        `Enter to select · ${questions.length > 1 ? 'Tab/Arrow keys' : '↑/↓'} to navigate · Esc to cancel`,
      ];
    },
    key: (key) => {
      if (key === 'Escape' || key === 'C-c') return { kind: 'cancel' };
      if (key === 'Tab' || key === 'Right') page = Math.min(questions.length, page + 1);
      if (key === 'Left') page = Math.max(0, page - 1);
      if (key === 'Tab' || key === 'Right' || key === 'Left') at = 0;
      if (key === 'Up') at = Math.max(0, at - 1);
      if (key === 'Down') at = Math.min((questions[page]?.options.length ?? 2) - 1, at + 1);
      if (key === 'Enter') return pick(at);
      return isDigit(key) ? pick(Number(key) - 1) : null;
    },
  };
}

/** A dialog that the user opened himself (/model), or that stands in the way at the start: only the choice counts. */
export function plainDialog(header: string, body: readonly string[], options: readonly string[]): Dialog {
  return permissionDialog(
    { header, body, question: '', options, suggestions: null, waitingFor: 'dialog open' },
    { isNew: true, agentType: null, plan: false },
  );
}
