// Where swaybar puts what it is sent, by its own arithmetic.
import { until } from '../support/until.ts';
import { type SentBlock, type Standing, textWidth } from './bar.ts';
import type { Rect, WindowManager } from './window-manager.ts';

/** swaybar/render.c: `margin` of render_status_block, and what a separator takes if nothing is said. */
const margin = 3;
const separator = 9;

/** render_status_block: the text or its least width, and beside a border a margin. */
function widthOf(block: SentBlock, text: string): number {
  if (text === '') return 0;
  const least =
    typeof block.min_width === 'string' ? textWidth(block, block.min_width) : (block.min_width ?? 0);
  const side = (width = 1) => (block.border === undefined || width === 0 ? 0 : width + margin);
  return Math.max(textWidth(block, text), least) + side(block.border_left) + side(block.border_right);
}

/** Widths, and what stands right of each. */
function layOut(blocks: readonly SentBlock[], short: boolean) {
  let fromRight = margin;
  const spans = blocks
    .toReversed()
    .map((block) => {
      const width = widthOf(block, short ? (block.short_text ?? block.full_text) : block.full_text);
      if (width > 0 && fromRight > margin) fromRight += block.separator_block_width ?? separator;
      if (width > 0) fromRight += width;
      return { fromRight, width };
    })
    .toReversed();
  return { spans, width: fromRight };
}

export function swaybarStandingOf(manager: WindowManager): Standing {
  return {
    /** No tree shows a bar: it is where its output has no workspace. */
    async bar(spec, output) {
      const room = await until(() => roomOf(manager, output, spec.position ?? 'bottom'), {
        why: `the bar with ${spec.command}`,
        saw: manager.workspaces,
      });
      return room;
    },

    blocks(sent, bar) {
      const full = layOut(sent, false);
      const { spans } = full.width <= bar.width ? full : layOut(sent, true);
      return spans.map(({ fromRight, width }) => ({
        x: bar.x + bar.width - fromRight,
        y: bar.y,
        width,
        height: bar.height,
      }));
    },
  };
}

async function roomOf(
  manager: WindowManager,
  name: string | undefined,
  edge: 'top' | 'bottom',
): Promise<Rect | null> {
  const outputs = (await manager.tree()).nodes.filter(
    (node) => node.type === 'output' && node.name !== '__i3',
  );
  const output = outputs.find((one) => name === undefined || one.name === name);
  const workspace = (await manager.workspaces()).find((one) => one.visible && one.output === output?.name);
  if (output === undefined || workspace === undefined) return null;
  const { x, y, width, height } = output.rect;
  const top = workspace.rect.y - y;
  const bottom = y + height - workspace.rect.y - workspace.rect.height;
  const own = edge === 'top' ? top : bottom;
  return own > 0 ? { x, y: edge === 'top' ? y : y + height - own, width, height: own } : null;
}
