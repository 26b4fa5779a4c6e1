import type { Block } from './block.ts';
import { pango } from './text.ts';
import type { Theme } from './theme.ts';

/** A block in its colours, for a text that several blocks share (https://docs.gtk.org/Pango/pango_markup.html). */
export function painted(block: Block, { theme }: { readonly theme: Theme }): string {
  const { color, background, padding } = theme.faces[block.look];
  const space = ' '.repeat(padding);
  const behind = background === null ? '' : ` background='${background}'`;
  return `<span foreground='${color}'${behind}>${space}${pango(block.text)}${space}</span>`;
}
