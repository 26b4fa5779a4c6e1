/**
 * i3bar and swaybar: the status_command, in the i3bar protocol (https://i3wm.org/docs/i3bar-protocol.html).
 *
 * | option | |
 * |---|---|
 * | `-- COMMAND…` | runs another status program and merges its blocks in, right of tsmux's unless `bar.wrapped` says otherwise |
 * | `--output NAME` | only the sessions on this output: one `bar { output NAME }` block for each |
 * | `--once` | one line, then the end |
 *
 * Example: `status_command exec tsmux i3bar -- i3status` in a `bar { }` of i3 or sway.
 */
import type { Block } from './block.ts';
import type { BarKind } from './kind.ts';
import type { Theme } from './theme.ts';

/**
 * A block as i3bar and swaybar take it (https://i3wm.org/docs/i3bar-protocol.html). Values are scalars only: i3bar
 * 4.22 draws "SPEC VIOLATION" for a key whose value is an object. Without `markup` the text is shown as it is.
 * Never `urgent`: it overrides the colours.
 */
export interface I3barBlock {
  readonly name: 'tsmux';
  /** Without a name and an instance swaybar sends no clicks. */
  readonly instance: string;
  readonly full_text: string;
  /** What i3bar shows when its line is too long; it then takes the short text of all blocks at once. */
  readonly short_text: string;
  readonly color: string;
  readonly background?: string;
  readonly border?: string;
  readonly separator: boolean;
  /** Pixels right of the block. */
  readonly separator_block_width: number;
}

/** One line of `GET /v1/bar/i3bar`: what the bar client writes, and what it tells with a click. */
export interface I3barLine {
  /** Counts up within one stream. */
  readonly line: number;
  readonly blocks: readonly I3barBlock[];
  /** On which side of these the wrapped program's blocks go. */
  readonly wrapped: 'left' | 'right';
}

export const i3bar: BarKind = {
  render({ blocks, theme, wrapped }) {
    const rest: Omit<I3barLine, 'line'> = { blocks: i3barBlocks(blocks, theme), wrapped };
    return ['{"line":', `,${JSON.stringify(rest).slice(1)}`];
  },
};

export function i3barBlocks(blocks: readonly Block[], theme: Theme): I3barBlock[] {
  return blocks.map((block, index) => {
    const { color, background, border, padding } = theme.faces[block.look];
    const space = ' '.repeat(padding);
    const next = blocks[index + 1];
    return {
      name: 'tsmux',
      instance: block.instance,
      full_text: `${space}${block.text}${space}`,
      short_text: `${space}${block.shortText}${space}`,
      color,
      ...(background === null ? {} : { background }),
      ...(border === null ? {} : { border }),
      separator: theme.separator && next?.role !== 'option',
      separator_block_width: gapAfter(block, next, theme),
    };
  });
}

/** A prompt and its options stand close together, and apart from the rest. */
function gapAfter(block: Block, next: Block | undefined, { gaps }: Theme): number {
  if (next?.role === 'option') return block.role === 'option' ? gaps.betweenOptions : gaps.beforeOptions;
  return block.role === 'option' ? gaps.afterOptions : gaps.others;
}
