/**
 * i3blocks: a block with `format=json` (i3blocks(1)); a slot is one block of i3blocks.
 *
 * | option | |
 * |---|---|
 * | `--slot SLOT` | one slot, as for Waybar; without it all blocks in one |
 * | `--output NAME` | only the sessions on this output |
 * | `--once` | one line, then the end; where i3blocks says that the block was clicked, the click is sent first |
 *
 * i3blocks reads JSON in a simple way: a string ends at the first quote, also at an escaped one. So a quote in a name
 * is shown as `″`, and a backslash as `∖`.
 *
 * With `interval=persist` i3blocks 1.5 hands clicks to the client; i3blocks 1.4 hands none to a block that runs, so
 * that there a block with clicks needs `--once` and an interval of some seconds.
 *
 * Example: `command=tsmux i3blocks --slot 1` with `interval=persist` and `format=json`.
 */
import type { BarKind } from './kind.ts';
import { painted } from './pango-block.ts';

export const i3blocks: BarKind = {
  render(view) {
    const [first, ...more] = view.blocks;
    if (first === undefined) return [JSON.stringify({ full_text: '', short_text: '' })];
    if (more.length > 0) {
      const full_text = withoutQuotes(view.blocks.map((block) => painted(block, view)).join(' '));
      return [JSON.stringify({ full_text, short_text: full_text, markup: 'pango' })];
    }
    const { color, background, border, padding } = view.theme.faces[first.look];
    const space = ' '.repeat(padding);
    return [
      JSON.stringify({
        full_text: withoutQuotes(`${space}${first.text}${space}`),
        short_text: withoutQuotes(`${space}${first.shortText}${space}`),
        color,
        ...(background === null ? {} : { background }),
        ...(border === null ? {} : { border }),
      }),
    ];
  },
};

/** Safe text for whose JSON no character needs a backslash. */
export function withoutQuotes(text: string): string {
  return text.replaceAll('"', '″').replaceAll('\\', '∖');
}
