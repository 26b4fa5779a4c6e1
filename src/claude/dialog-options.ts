import type { Means } from '../sessions/prompt.ts';
import { unwrapped } from './dialog-frame.ts';

export interface DialogOption {
  /** The digit on the screen, which chooses it; null where the dialog has no digit for it. */
  readonly key: string | null;
  /** Claude's words. */
  readonly label: string;
  /** What Claude says of it in smaller letters. */
  readonly description: string | null;
  readonly means: Exclude<Means, 'go'>;
  readonly highlighted: boolean;
  /** The tick of a multi-select; null where there is none. */
  readonly checked: boolean | null;
  /** It is a text field, or its digit leads to one: choosing it is not yet an answer. */
  readonly takesText: boolean;
}

/** An option as it stands there, before anything is known of its meaning. */
export interface Listed {
  readonly number: number | null;
  readonly highlighted: boolean;
  /** The first line begins behind the number. */
  readonly lines: readonly string[];
  readonly column: number;
}

/** ` ❯ 1. Yes`, `   2. No`; narrow panes were seen to lose the dot: `2Yes`. */
const numbered = /^( *)(❯ )?((\d{1,2})(?:\. *|(?= ?(?:Yes|No)\b) ?))(\S.*)$/;
const unnumbered = /^( *)(❯ )?(\S.*)$/;

interface Start {
  readonly number: number;
  readonly column: number;
  readonly labelColumn: number;
  readonly text: string;
  readonly highlighted: boolean;
}

function startOf(line: string): Start | null {
  const match = numbered.exec(line);
  if (match === null) return null;
  const [, indent = '', marker = '', numberAndDot = '', number = '', text = ''] = match;
  const column = indent.length + marker.length;
  return {
    number: Number(number),
    column,
    labelColumn: column + numberAndDot.length,
    text,
    highlighted: marker !== '',
  };
}

/**
 * The numbered list that ends the lines (`toEnd`), or the last one among them: 1, 2, 3 … in one column, each with
 * its further lines indented, exactly one of all highlighted. `from` is the index of its first line.
 */
export function numberedList(
  lines: readonly string[],
  toEnd: boolean,
): { readonly from: number; readonly options: readonly Listed[] } | null {
  for (let from = lines.length - 1; from >= 0; from--) {
    if (startOf(lines[from] ?? '')?.number !== 1) continue;
    const options = listFrom(lines.slice(from), toEnd);
    if (options !== null) return { from, options };
  }
  return null;
}

function listFrom(lines: readonly string[], toEnd: boolean): readonly Listed[] | null {
  const first = startOf(lines[0] ?? '');
  if (first === null) return null;
  const end = lines.findLastIndex((line) => line !== '') + 1;
  const options: { number: number; highlighted: boolean; lines: string[]; column: number }[] = [];
  for (const line of lines.slice(0, end)) {
    if (line === '') {
      if (toEnd) return null;
      break;
    }
    const start = startOf(line);
    if (start !== null && start.column === first.column) {
      if (start.number !== options.length + 1) return null;
      const { number, highlighted, text, labelColumn } = start;
      options.push({ number, highlighted, lines: [text], column: labelColumn });
    } else if (line.search(/\S/) > first.column) {
      options.at(-1)?.lines.push(line);
    } else {
      return null;
    }
  }
  return options.length < 2 ? null : options;
}

/** A list without numbers at the end of the lines, as Claude's dialogs about trust have it: `❯ No, exit`. */
export function unnumberedList(
  lines: readonly string[],
): { readonly from: number; readonly options: readonly Listed[] } | null {
  const end = lines.findLastIndex((line) => line !== '') + 1;
  const from = lines.slice(0, end).lastIndexOf('') + 1;
  const options: { number: null; highlighted: boolean; lines: string[]; column: number }[] = [];
  let column: number | null = null;
  for (const line of lines.slice(from, end)) {
    const [, indent = '', marker = '', text = ''] = unnumbered.exec(line) ?? [];
    const at = indent.length + marker.length;
    column ??= at;
    if (at < column || (at > column && marker !== '')) return null;
    if (at === column) options.push({ number: null, highlighted: marker !== '', lines: [text], column });
    else options.at(-1)?.lines.push(line);
  }
  const highlighted = options.filter((option) => option.highlighted).length;
  return options.length < 2 || highlighted !== 1 ? null : { from, options };
}

/** All lines of an option are its label: a tool's dialog says nothing else about it. */
export function wholeLabel(option: Listed, width: number): string {
  return unwrapped(option.lines, option.column, width);
}

/**
 * The label, and under it its description, which begins in the same column: only a line whose first word would
 * not have fitted on the line before goes on with the label.
 */
export function labelAndDescription(
  option: Listed,
  width: number,
): { readonly label: string; readonly description: string | null } {
  const fits = (line: string, next: string) =>
    option.column + line.trim().length + 1 + (next.trim().split(' ', 1)[0]?.length ?? 0) <= width - 2;
  const { lines } = option;
  const after = lines.findIndex((line, at) => at > 0 && fits(lines[at - 1] ?? '', line));
  const end = after === -1 ? lines.length : after;
  const description = lines.slice(end);
  return {
    label: unwrapped(lines.slice(0, end), option.column, width),
    description: description.length === 0 ? null : unwrapped(description, option.column, width),
  };
}

const changesMode =
  /\b(?:auto(?:-accept| mode)|(?:accept|allow all|auto-accept) edits|bypass permissions|switch to)\b|\(shift\+tab\)/i;

/**
 * What an option of a tool's dialog does, by Claude's words. Whatever changes the permission mode counts as that,
 * even if it allows something as well.
 */
export function permissionMeans(label: string): DialogOption['means'] {
  if (/^No\b/.test(label)) return 'deny';
  if (label === 'Yes' || /^Yes, and tell Claude/.test(label)) return 'allow';
  if (!/^Yes\b/.test(label)) return 'choice';
  // The rule is named last and may hold any words, the name of a mode too.
  if (/^Yes, and don['’]t ask again for/.test(label)) return 'allow-always';
  return changesMode.test(label) ? 'mode' : 'allow-always';
}

export function planMeans(label: string): DialogOption['means'] {
  if (/^(?:No\b|Tell Claude|Type here)/.test(label)) return 'deny';
  if (/^Yes(?:$|, (?:and )?manually approve|, and switch to default)/.test(label)) return 'allow';
  return /^Yes\b/.test(label) ? 'mode' : 'choice';
}
