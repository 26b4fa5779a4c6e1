/**
 * Polybar: a `custom/script` module with `tail = true`, whose blocks are `%{A…}` actions.
 *
 * | option | |
 * |---|---|
 * | `--slot SLOT` | one slot alone, as for Waybar; without it all blocks |
 * | `--output NAME` | only the sessions on this output, as Polybar's `monitor` calls it |
 * | `--once` | one line, then the end |
 *
 * Each block carries a command of its own for each button that the click map gives something to do; the command
 * names the block, and returns at once. Polybar has no escape for its tags: a `%{` in a name is shown as `% {`.
 *
 * Example: `exec = tsmux polybar` with `tail = true` in a module of `type = custom/script`.
 */

import { quoteForSh } from '../system/quote.ts';
import type { Block } from './block.ts';
import { actionOf } from './clicks.ts';
import type { BarKind, View } from './kind.ts';
import type { Face } from './theme.ts';

/** Left, middle, right, wheel, and the double clicks that Polybar has after them are none of ours. */
const buttons = [1, 2, 3, 4, 5] as const;

export const polybar: BarKind = {
  render(view) {
    // The line's number goes between the parts.
    const drawn = view.blocks.map((block, index) => {
      const next = view.blocks[index + 1];
      return `${drawBlock(block, view)}${next === undefined ? '' : next.role === 'option' ? '' : ' '}`;
    });
    return drawn.join('').split(LINE);
  },
};

/** Where the number of the line goes: no text has a NUL. */
const LINE = '\0';

function drawBlock(block: Block, view: View): string {
  const face = view.theme.faces[block.look];
  const space = ' '.repeat(face.padding);
  const text = coloured(`${space}${polybarText(block.text)}${space}`, face);
  return buttons.reduce((inside, button) => {
    if (actionOf({ instance: block.instance, button }, view.clicks).do === 'none') return inside;
    return `%{A${button}:${command(block.instance, button, view.program)}:}${inside}%{A}`;
  }, text);
}

function coloured(text: string, { color, background }: Face): string {
  const front = `%{F${argb(color)}}${text}%{F-}`;
  return background === null ? front : `%{B${argb(background)}}${front}%{B-}`;
}

/** `#rrggbbaa` → `#aarrggbb`, which is how Polybar writes it. */
function argb(color: string): string {
  return color.length === 9 ? `#${color.slice(7)}${color.slice(1, 7)}` : color;
}

/**
 * Run by `sh -c`, and a colon would end it. Polybar waits for the command before it draws again, so that it must not
 * take long (polybar/polybar#268).
 */
function command(instance: string, button: number, program: readonly string[]): string {
  const words = [
    ...program.map(quoteForSh),
    'click --bar polybar',
    `--instance ${instance} --button ${button} --line ${LINE}`,
  ];
  return `${words.join(' ')} >/dev/null 2>&1 &`.replaceAll(':', '\\:');
}

/** Safe text in which no tag of Polybar can open. */
export function polybarText(text: string): string {
  return text.replaceAll('%{', '% {');
}
