/**
 * Reads the dialog that Claude Code shows from the text of its terminal (`tmux capture-pane -p`).
 *
 * Knows no option numbers: "No" is 2, 3 or 4, and the list on screen cannot be derived from what a hook tells.
 * What does not have the frame, the question and the key hints of a dialog of Claude Code, at the very end of the
 * screen, is no dialog: an answer sent by mistake would be typed into the prompt box or, worse, approve something.
 * Observed with Claude Code 2.1.197 and 2.1.332, at 44 to 300 columns.
 */
import type { PromptKind } from '../sessions/prompt.ts';
import { type Frame, frameOf, isDashed, isRule, joined, screenOf } from './dialog-frame.ts';
import {
  type DialogOption,
  type Listed,
  labelAndDescription,
  numberedList,
  permissionMeans,
  planMeans,
  unnumberedList,
  wholeLabel,
} from './dialog-options.ts';

export type { DialogOption } from './dialog-options.ts';

/** One of several questions, at the top of the dialog. */
export interface Tab {
  readonly header: string;
  /** Answered already; for the last page, "Submit", always true. */
  readonly done: boolean;
}

export interface Dialog {
  readonly kind: PromptKind;
  /** `Bash command`; null where it is above the first line of the screen. */
  readonly title: string | null;
  /** The type of the sub-agent that asks (`general-purpose`); null for the main thread, or with no title. */
  readonly from: string | null;
  /** `1 of 2`, where several sub-agents wait. */
  readonly queue: { readonly position: number; readonly length: number } | null;
  /** What is between title and question, without indentation, empty lines and rules. */
  readonly body: readonly string[];
  /** The part of the body over the first dashed rule: the file's path. All of it where there is none. */
  readonly above: readonly string[];
  /** The part of the body that stands between dashed rules: the command, the change; null where there is none. */
  readonly framed: readonly string[] | null;
  /** `Do you want to proceed?`; null where nothing is asked in words. */
  readonly question: string | null;
  readonly tabs: readonly Tab[];
  readonly multiSelect: boolean;
  /** In Claude's order. Empty where the dialog has none that could be read (a form). */
  readonly options: readonly DialogOption[];
  /** How many lines did not fit in the pane and are left out at the top (`↑ 3 more lines`). */
  readonly hidden: number;
  /** A text field has the cursor: a digit would be typed into it, and choose nothing. */
  readonly typing: boolean;
  /** The lines of the terminal that it is in, but for empty ones: whole, also where something else is beside it. */
  readonly lines: readonly string[];
}

/** The dialog on the screen; null where there is none, or none that can be read with certainty. */
export function readDialog(text: string): Dialog | null {
  const screen = screenOf(text);
  const frame = frameOf(screen);
  if (frame === null) return null;
  const inQuestion = frameOf(screen, 1);
  return (
    permission(frame) ??
    (inQuestion === null ? null : question(inQuestion)) ??
    review(frame) ??
    plan(frame) ??
    (inQuestion === null ? null : plan(inQuestion)) ??
    elicitation(frame) ??
    otherDialog(frame)
  );
}

const nothingSpecial = {
  above: [],
  from: null,
  queue: null,
  framed: null,
  question: null,
  tabs: [],
  multiSelect: false,
  typing: false,
} as const;

/** Of a tool: title, what it is about, "Do you want …?", and a list from Yes to No. */
function permission(frame: Frame): Dialog | null {
  if (frame.top === 'panel' || (frame.footer !== null && !/^Esc to cancel(?: ·|$)/.test(frame.footer)))
    return null;
  const list = numberedList(frame.inside, true) ?? listUnderQuestion(frame.inside);
  if (list === null) return null;
  const askedAt = frame.inside.slice(0, list.from).findLastIndex((line) => asksPermission.test(line));
  const asked = joined(frame.inside.slice(askedAt, list.from));
  if (askedAt === -1 || list.from - askedAt > 4 || !asked.endsWith('?')) return null;

  const options = list.options.map((listed) => {
    const label = wholeLabel(listed, frame.width);
    return optionOf(listed, { label, description: null, means: permissionMeans(label) });
  });
  const [first, last] = [options.at(0), options.at(-1)];
  const inOrder = first?.means === 'allow' && last?.means === 'deny';
  const withoutNumbers = first?.key === null && options.some(({ means }) => means === 'deny');
  if ((!inOrder && !withoutNumbers) || !oneHighlighted(options)) return null;
  // Fetch has no key hints; its last option says itself what Esc does.
  if (frame.footer === null && last?.label.endsWith('(esc)') !== true) return null;

  const heading = headingOf(frame, askedAt);
  if (heading === null) return null;
  const typing = frame.footer !== null && !frame.footer.includes('· Tab to ');
  return {
    kind: 'permission',
    ...nothingSpecial,
    ...heading,
    question: asked,
    options,
    hidden: frame.hidden,
    typing,
    lines: frame.rows,
  };
}

const asksPermission = /^ {1,3}Do you want /;

/** Where auto mode cannot check an action, Claude Code asks with "No" first and no numbers. */
function listUnderQuestion(lines: readonly string[]): ReturnType<typeof unnumberedList> {
  const askedAt = lines.findLastIndex((line) => asksPermission.test(line));
  const end = lines.findIndex((line, at) => at >= askedAt && line.endsWith('?'));
  if (askedAt === -1 || end === -1) return null;
  const list = unnumberedList(lines.slice(end + 1));
  return list === null ? null : { from: end + 1 + list.from, options: list.options };
}

function optionOf(
  { number, highlighted }: Listed,
  facts: Pick<DialogOption, 'label' | 'description' | 'means'> & Partial<DialogOption>,
): DialogOption {
  const key = number !== null && number < 10 ? String(number) : null;
  return { key, highlighted, checked: null, takesText: false, ...facts };
}

const oneHighlighted = (options: readonly { readonly highlighted: boolean }[]) =>
  options.filter(({ highlighted }) => highlighted).length === 1;

const ofAgent = / ?· from the (\S+(?: \S+)*?) agent$/;

/** The title's line, which in a narrow pane goes on in the next, and what is between it and the question. */
function headingOf(
  { inside, top, hidden }: Frame,
  end: number,
): Pick<Dialog, 'title' | 'from' | 'queue' | 'body' | 'above' | 'framed'> | null {
  if (top === 'none') {
    if (hidden === 0) return null;
    return { title: null, from: null, queue: null, ...bodyOf(inside.slice(0, end)) };
  }
  const [first = '', second = ''] = inside.slice(0, end);
  if (!/^ {1,3}\S/.test(first)) return null;
  const [, position, length] = /\s(\d+) of (\d+)$/.exec(first) ?? [];
  const queue =
    position === undefined || length === undefined
      ? null
      : { position: Number(position), length: Number(length) };
  const ownLine = (queue === null ? first : first.replace(/\s+\d+ of \d+$/, '')).trim();
  const goesOn = ownLine.includes('· from the') && !ofAgent.test(ownLine);
  // A narrow pane shows the tool and the agent side by side, each wrapped by itself.
  const split = first.indexOf('· from the');
  const title = goesOn
    ? joined([
        first.slice(0, split),
        second.slice(0, split),
        ownLine.slice(ownLine.indexOf('· from the')),
        second.slice(split),
      ])
    : ownLine;
  const from = ofAgent.exec(title)?.[1] ?? null;
  return { title: title.replace(ofAgent, ''), from, queue, ...bodyOf(inside.slice(goesOn ? 2 : 1, end)) };
}

function bodyOf(lines: readonly string[]): Pick<Dialog, 'body' | 'above' | 'framed'> {
  const first = lines.findIndex(isDashed);
  const last = lines.findLastIndex(isDashed);
  const text = (part: readonly string[]) =>
    part.filter((line) => line !== '' && !isDashed(line)).map((line) => line.trim());
  const above = text(first === -1 ? lines : lines.slice(0, first));
  return { body: text(lines), above, framed: first === last ? null : text(lines.slice(first + 1, last)) };
}

/**
 * AskUserQuestion: tabs, the question, its options, and under a rule "Chat about this". The rule over it may be
 * above the first row: its tabs say where it begins.
 */
function question(frame: Frame): Dialog | null {
  if (!/^Enter to select · .*Esc to cancel$/.test(frame.footer ?? '')) return null;
  const tabs = tabsOf(frame.inside[0] ?? '');
  const ruleAt = frame.inside.findLastIndex(isRule);
  if (tabs === null || ruleAt === -1 || frame.top === 'panel') return null;

  const submit = /^ {2,}(❯ )?(Submit|Next)$/.exec(frame.inside[ruleAt - 1] ?? '');
  const choices = frame.inside.slice(0, submit === null ? ruleAt : ruleAt - 1);
  const list = numberedList([...choices, ...frame.inside.slice(ruleAt + 1)], true);
  const chosen = list?.options ?? [];
  const ownWordsAt = chosen.length - 2;
  const asked = joined(frame.inside.slice(1, list?.from ?? 0).map((line) => line.replace(/^│ /, '')));
  if (list === null || ownWordsAt < 0 || asked === '' || !/^Chat\b/.test(chosen.at(-1)?.lines[0] ?? '')) {
    return null;
  }
  const ticks = chosen.slice(0, -1).map((listed) => /^\[(.)\] */.exec(listed.lines[0] ?? ''));
  const multiSelect = ticks.every((tick) => tick !== null);
  if (!multiSelect && (ticks.some((tick) => tick !== null) || submit !== null)) return null;

  const options = chosen.map((listed, at) => {
    const tick = ticks[at] ?? null;
    const [firstLine = '', ...others] = listed.lines;
    const ticked = tick?.[0].length ?? 0;
    const plain = { ...listed, column: listed.column + ticked, lines: [firstLine.slice(ticked), ...others] };
    const checked = tick === null ? null : tick[1] !== ' ';
    const words = labelAndDescription(plain, frame.width);
    return optionOf(listed, { ...words, means: 'choice', checked, takesText: at === ownWordsAt });
  });
  const submitting: readonly DialogOption[] =
    submit === null
      ? []
      : [
          optionOf(
            { number: null, highlighted: submit[1] !== undefined, lines: [], column: 0 },
            { label: submit[2] ?? '', description: null, means: 'choice' },
          ),
        ];
  const all = [...options.slice(0, -1), ...submitting, ...options.slice(-1)];
  if (!oneHighlighted(all)) return null;
  return {
    kind: 'question',
    ...nothingSpecial,
    title: tabs.find(({ done }) => !done)?.header ?? tabs[0]?.header ?? null,
    body: [asked],
    question: asked,
    tabs,
    multiSelect,
    options: all,
    hidden: frame.hidden,
    typing: options[ownWordsAt]?.highlighted ?? false,
    lines: frame.rows,
  };
}

/** ` ☐ Database`, `←  ☒ Database  ☐ Features  ✔ Submit  →` */
function tabsOf(line: string): readonly Tab[] | null {
  const trimmed = line.trim();
  if (!/^(?:← +)?[☐☒✔] [^\s☐☒✔]/.test(trimmed)) return null;
  return [...trimmed.matchAll(/([☐☒✔]) +([^☐☒✔←→]+)/g)].map(([, mark, header = '']) => ({
    header: header.trim(),
    done: mark !== '☐',
  }));
}

/** The last page of several questions. It has no key hints. */
function review(frame: Frame): Dialog | null {
  const tabs = tabsOf(frame.inside[0] ?? '');
  const list = numberedList(frame.inside, true);
  if (tabs === null || list === null || frame.top !== 'rule' || frame.footer !== null) return null;
  const [heading, ...answers] = bodyOf(frame.inside.slice(1, list.from)).body;
  const options = list.options.map((listed) =>
    optionOf(listed, { ...labelAndDescription(listed, frame.width), means: 'choice' }),
  );
  const [submit, cancel] = options;
  if (heading !== 'Review your answers' || options.length !== 2 || !oneHighlighted(options)) return null;
  if (submit?.label !== 'Submit answers' || cancel?.label !== 'Cancel') return null;
  return {
    kind: 'question',
    ...nothingSpecial,
    title: heading,
    body: answers,
    tabs,
    options: [submit, { ...cancel, means: 'deny' }],
    hidden: frame.hidden,
    lines: frame.rows,
  };
}

/**
 * ExitPlanMode: the plan between dashed rules, or a small dialog where none was written. A panel in 2.1.332; in
 * 2.1.197 the rule before the question goes over the whole width.
 */
function plan(frame: Frame): Dialog | null {
  const list = numberedList(frame.inside, true);
  if (frame.top === 'none' || list === null) return null;
  const titleAt = frame.inside.findIndex((line) => line !== '' && !isRule(line));
  const title = frame.inside[titleAt]?.trim() ?? '';
  const above = frame.inside.slice(titleAt + 1, list.from);
  const ruleAt = above.findLastIndex(isRule);
  const asked = joined(above.slice(ruleAt + 1));
  const written =
    title === 'Ready to code?' && /^ctrl[+-]g to edit\b/.test(frame.footer ?? '') && asked.endsWith('?');
  const empty = title === 'Exit plan mode?' && frame.footer === null;
  if (!written && !empty) return null;

  const options = list.options.map((listed) => {
    const words = labelAndDescription(listed, frame.width - 4);
    const means = planMeans(words.label);
    return optionOf(listed, { ...words, means, takesText: written && means === 'deny' });
  });
  if (!oneHighlighted(options) || options.at(-1)?.means !== 'deny') return null;
  if (options.some(({ means }) => means === 'choice')) return null;
  return {
    kind: 'plan',
    ...nothingSpecial,
    title,
    ...bodyOf(written ? above.slice(0, ruleAt) : above),
    question: written ? asked : title,
    options,
    hidden: frame.hidden,
    typing: options.some(({ highlighted, takesText }) => highlighted && takesText),
    lines: frame.rows,
  };
}

/** A form of an MCP server: it has no digits, and can only be filled in at the terminal. */
function elicitation(frame: Frame): Dialog | null {
  const [title, ...body] = bodyOf(frame.inside).body;
  if (frame.top !== 'rule' || !/^MCP server “.*” requests your input$/.test(title ?? '')) return null;
  if (!/^Esc to cancel · .*\bto navigate\b/.test(frame.footer ?? '')) return null;
  return {
    kind: 'elicitation',
    ...nothingSpecial,
    title: title ?? null,
    body,
    options: [],
    hidden: frame.hidden,
    lines: frame.rows,
  };
}

/** Claude's own (trust, settings, auto mode) and those that the user opened (/model, /add-dir). */
function otherDialog(frame: Frame): Dialog | null {
  const hints = (frame.footer ?? '').split(' · ');
  const enter = hints.find((key) => key.startsWith('Enter to '));
  // "Enter to select" is of a question, which would have been read if it were whole.
  if (!hints.includes('Esc to cancel') || enter === undefined || enter === 'Enter to select') return null;
  if (frame.top === 'none') return null;
  const first = frame.inside.findIndex((line) => line !== '');
  if (!/^ {1,4}\S/.test(frame.inside[first] ?? '')) return null;
  const body = frame.inside.slice(first + 1);
  const list = numberedList(body, false) ?? unnumberedList(body);
  const listed = list?.options ?? [];
  if (listed.length > 0 && !oneHighlighted(listed)) return null;
  return {
    kind: 'dialog',
    ...nothingSpecial,
    title: frame.inside[first]?.trim() ?? null,
    body: bodyOf(list === null ? body : body.slice(0, list.from)).body,
    options: listed.map((option) =>
      optionOf(option, { ...labelAndDescription(option, frame.width), means: 'choice' }),
    ),
    hidden: frame.hidden,
    lines: frame.rows,
  };
}
