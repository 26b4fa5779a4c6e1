import type { Option } from '../sessions/prompt.ts';

/**
 * For a moment after a block appeared or moved, a click on it does nothing: the user aimed at what was there before.
 * Bars are right-aligned, so a block moves when a tsmux block right of it changes its width. What the wrapped status
 * program does right of them does not count: its clock would make everything inert for ever.
 *
 * What stands left of a block moves it too where the line becomes too long by it: i3bar and swaybar then show the short
 * texts of all blocks, and "1" where "3 No" was. How long a line may be only they know, so for an option any tsmux block
 * counts; for others a click goes to another window at worst.
 */

/** A line as it was sent to one bar. */
export interface SentLine {
  readonly line: number;
  /** When it was sent, ms. */
  readonly at: number;
  readonly blocks: readonly SentBlock[];
}

export interface SentBlock {
  readonly instance: string;
  readonly columns: number;
  /** What an option's block means; null for other blocks. A block that means something else has only just appeared. */
  readonly option: Option | null;
}

/** What was sent to one bar, oldest first. */
export type Sent = readonly SentLine[];

const inertFor = 500;
const kept = 50;

/** Remembers a line, and forgets what no click can refer to any more. */
export function afterSending(sent: Sent, line: SentLine): Sent {
  return [...sent, line].slice(-kept);
}

/**
 * Whether a click does nothing. `line` is the line that the bar showed, and `age` how many ms it had been out when
 * the click came (a stopped bar shows old lines). A line that is not remembered is too old to aim by.
 */
export function isInert(
  sent: Sent,
  click: { readonly instance: string; readonly line: number; readonly age: number },
): boolean {
  const shown = sent.findLastIndex((line) => line.line === click.line);
  const line = sent[shown];
  const around = line === undefined ? null : whatMovesIt(line, click.instance);
  if (line === undefined || around === null) return true;
  let since = line.at;
  for (let index = shown - 1; since > line.at - inertFor; index -= 1) {
    const before = sent[index];
    if (before === undefined || whatMovesIt(before, click.instance) !== around) break;
    since = before.at;
  }
  return click.age + (line.at - since) < inertFor;
}

/** The same bar with its blocks in the opposite order, for one that may be fixed at its left edge. */
export function mirrored(sent: Sent): Sent {
  return sent.map((line) => ({ ...line, blocks: line.blocks.toReversed() }));
}

/**
 * What the block means, and what stands between it and the bar's right edge, of an option on the whole line; null where
 * the line does not have the block.
 */
function whatMovesIt({ blocks }: SentLine, instance: string): string | null {
  const index = blocks.findIndex((block) => block.instance === instance);
  const option = blocks[index]?.option;
  if (option === undefined) return null;
  const others = option === null ? blocks.slice(index + 1) : blocks;
  return JSON.stringify([option, ...others.map((block) => [block.instance, block.columns])]);
}
