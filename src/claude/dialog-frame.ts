/**
 * Where on a screen the dialog of Claude Code begins and ends (observed with 2.1.197 and 2.1.332, in their
 * fullscreen and classic renderers).
 *
 * A dialog is the last thing on the screen: a rule over the whole width, the dialog, and in most cases one line of
 * key hints. A tool's dialog may show dashed rules inside. Everything above the rule is the conversation, which may
 * hold any text at all, pictures of dialogs included.
 *
 * In a wide terminal 2.1.332 shows the files that were changed in a panel at the right of the conversation, from the
 * first row to the last; a dialog is then drawn left of it (but a plan's, over all of it).
 */
import { columnsOf } from '../system/columns.ts';

/** Shorter lines may be part of a text; a pane this narrow shows no dialog that could be read. */
const solid = /^[─▔]{20,}$/;
const indentedRule = /^ *─{20,}$/;
const dashed = /^ *╌{20,}$/;

const hiddenAbove = /^ *↑ (\d+) more lines?$/;
const hiddenBelow = /^ *↓ \d+ more lines?$/;

/** A key and what it does: `Esc to cancel`, `Tab/Arrow keys to navigate`, `ctrl+x ctrl+k twice to stop …`. */
const hint = /^(?:\S+|Tab\/Arrow keys|ctrl\+x ctrl\+k twice) to [a-z]/;
/** The hints of a plan end with the file that it is in. */
const planFile = /^[~/]\S*\.md$/;

/** The part of a screen that Claude Code talks in. */
export interface Screen {
  /** Without what is beside it, without blanks at the ends of lines, and without empty lines at its end. */
  readonly lines: readonly string[];
  /** The same lines as the terminal has them, whole. */
  readonly rows: readonly string[];
}

export interface Frame {
  /** Columns of the pane, or of its part left of the panel. */
  readonly width: number;
  /** `panel`: under `▔`, with its content in a frame of its own. `none`: the top is above the screen's first row. */
  readonly top: 'rule' | 'panel' | 'none';
  /** What is inside, blank lines kept, as on the screen but for blanks at the ends of lines. */
  readonly inside: readonly string[];
  /** Those of the terminal's lines in which there is something of it. */
  readonly rows: readonly string[];
  /** The key hints in one line; null where there are none. */
  readonly footer: string | null;
  /** How many lines Claude Code says it left out at the top. */
  readonly hidden: number;
}

export function screenOf(text: string): Screen {
  const all = text.split('\n').map((line) => line.trimEnd());
  const rows = all.slice(0, all.findLastIndex((line) => line !== '') + 1);
  const column = columnOfPanel(rows[0] ?? '');
  const lines = column === null ? [] : rows.map((row) => leftOf(row, column));
  return { rows, lines: lines.length > 0 && lines.every((line) => line !== null) ? lines : rows };
}

/** The panel's first row has nothing but its button. */
function columnOfPanel(row: string): number | null {
  const [panel = null] = /│ {20,}✕$/.exec(row) ?? [];
  return panel === null ? null : columnsOf(row.slice(0, -panel.length));
}

/** What is in the columns before the panel's edge; null where its edge is not there. */
function leftOf(row: string, column: number): string | null {
  let end = row.indexOf('│');
  while (end !== -1 && columnsOf(row.slice(0, end)) < column) end = row.indexOf('│', end + 1);
  return end === -1 || columnsOf(row.slice(0, end)) > column ? null : row.slice(0, end).trimEnd();
}

/**
 * The part of the screen that a dialog would be in, under the last rule but `rulesInside`. Says nothing about
 * whether it is a dialog.
 */
export function frameOf({ lines, rows }: Screen, rulesInside = 0): Frame | null {
  const footerAt = startOfFooter(lines);
  const before = footerAt === null ? lines.length : footerAt;
  const marks = lines.slice(0, before).flatMap((line, at) => (hiddenAbove.test(line) ? [at] : []));
  const mark = marks.at(-1);
  // The mark stands under the options, just above the hints; the same words elsewhere are text.
  const marked = mark !== undefined && lines.slice(mark + 1, before).every((line) => line === '');
  const end = marked ? mark : before;
  if (lines.slice(Math.max(0, end - 3)).some((line) => hiddenBelow.test(line))) return null;

  const hidden = marked ? Number(hiddenAbove.exec(lines[mark] ?? '')?.[1] ?? 0) : 0;
  const rules = lines.slice(0, end).flatMap((line, at) => (solid.test(line) ? [at] : []));
  const top = rules.at(-1 - rulesInside);
  const footer = footerAt === null ? null : joined(lines.slice(footerAt));
  const topLine = top === undefined ? '' : (lines[top] ?? '');
  const start = top === undefined ? 0 : top + 1;
  return {
    width: topLine === '' ? Math.max(...lines.map((line) => line.length)) : topLine.length,
    top: topLine === '' ? 'none' : topLine.startsWith('▔') ? 'panel' : 'rule',
    inside: lines.slice(start, end),
    rows: rows.slice(start, end).filter((_, at) => lines[start + at] !== ''),
    footer,
    hidden,
  };
}

/** Key hints may be wrapped, or cut at their end; before them is an empty line, or the mark of what is hidden. */
function startOfFooter(lines: readonly string[]): number | null {
  const above = (line: string) => line === '' || hiddenAbove.test(line);
  const start = lines.findLastIndex(above) + 1;
  const parts = joined(lines.slice(start)).split(' · ');
  const isHint = (part: string, at: number) =>
    hint.test(part) || planFile.test(part) || (at > 0 && at === parts.length - 1 && part.endsWith('…'));
  return start > 0 && lines.length - start <= 5 && parts.every(isHint) ? start : null;
}

export const isRule = (line: string): boolean => indentedRule.test(line);
export const isDashed = (line: string): boolean => dashed.test(line);

export function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

/**
 * One text that was wrapped at `width` columns into lines that begin at `column`. Words are kept whole unless they
 * are longer than a line: only then nothing was between the end of one line and the beginning of the next.
 */
export function unwrapped(lines: readonly string[], column: number, width: number): string {
  const room = width - column - 2;
  const [first = '', ...others] = lines.map((line) => line.trim());
  let text = first;
  let before = first;
  for (const line of others) {
    const lastWord = text.slice(text.lastIndexOf(' ') + 1);
    const [firstWord = ''] = line.split(' ', 1);
    const broken = before.length >= room && lastWord.length + firstWord.length > room;
    text = broken ? `${text}${line}` : `${text} ${line}`;
    before = line;
  }
  return text;
}
