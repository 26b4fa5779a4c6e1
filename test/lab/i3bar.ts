// Where i3bar puts what it is sent, by its own arithmetic.
import { until } from '../support/until.ts';
import { type SentBlock, type Standing, textWidth } from './bar.ts';
import type { I3 } from './i3.ts';
import type { TreeNode } from './window-manager.ts';

/** i3bar/src/xcb.c, predict_statusline_length: text, borders, then the minimum width. */
function widthOf(block: SentBlock, text: string): number {
  const content = textWidth(block, text);
  const least =
    typeof block.min_width === 'string' ? textWidth(block, block.min_width) : (block.min_width ?? content);
  const borders = block.border === undefined ? 0 : (block.border_left ?? 1) + (block.border_right ?? 1);
  return Math.max(content, least) + (text === '' ? 0 : borders);
}

/** Left edges and widths, counted from the left end of the whole status line, and its width. */
function layOut(blocks: readonly SentBlock[], short: boolean) {
  let x = 0;
  const spans = blocks.map((block, index) => {
    const text = short ? (block.short_text ?? block.full_text) : block.full_text;
    const width = widthOf(block, text);
    const left = x;
    if (width > 0) x += width + (index < blocks.length - 1 ? (block.separator_block_width ?? 9) : 0);
    return { left, width };
  });
  return { spans, width: x };
}

export function i3barStandingOf(i3: I3): Standing {
  return {
    /** i3bar names its windows after their output; two bars there are told apart by their edge. */
    async bar(spec, output) {
      const here = (bar: TreeNode) =>
        (output === undefined || bar.name?.endsWith(` ${output}`)) &&
        (spec.position === 'top') === (bar.rect.y === 0);
      const bar = await until(async () => (await i3.bars()).find(here), {
        why: `the window of the bar with ${spec.command}`,
        saw: async () => (await i3.bars()).map((bar) => [bar.name, bar.rect]),
      });
      return bar.rect;
    },

    /** i3bar/src/xcb.c, draw_bars: right aligned; every block turns short at once; what is too wide loses its left end. */
    blocks(sent, bar) {
      const full = layOut(sent, false);
      const { spans, width } = full.width <= bar.width ? full : layOut(sent, true);
      return spans.map((span) => ({
        x: bar.x + bar.width - width + span.left,
        y: bar.y,
        width: span.width,
        height: bar.height,
      }));
    },
  };
}
