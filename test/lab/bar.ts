// A bar of the lab: what its status command wrote, what the bar sent back, and clicks on what stands there.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import type { I3, Rect, TreeNode } from './i3.ts';
import type { Screen } from './screen.ts';

/** One bar of the i3 configuration. */
export interface BarSpec {
  /** Run by i3bar through `sh -c`, with a recorder in between. */
  readonly command: string;
  /** `fake-0` (left) or `fake-1` (right); all outputs where it is not given. */
  readonly output?: string;
  readonly position?: 'top' | 'bottom';
  /** More lines of the `bar { }` section. */
  readonly config?: string;
  /** `false` lets i3bar run the command itself: no `lines()`, no `clicks()`. */
  readonly record?: boolean;
}

/** What the i3bar protocol says of a block, as far as the lab looks at it (i3bar-protocol(7)). */
export interface SentBlock {
  readonly full_text: string;
  readonly short_text?: string;
  readonly name?: string;
  readonly instance?: string;
  readonly color?: string;
  readonly background?: string;
  readonly border?: string;
  readonly border_left?: number;
  readonly border_right?: number;
  readonly min_width?: number | string;
  readonly separator?: boolean;
  readonly separator_block_width?: number;
  readonly urgent?: boolean;
  readonly markup?: string;
}

export interface SentClick {
  readonly name?: string;
  readonly instance?: string;
  readonly button: number;
  readonly modifiers: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly relative_x: number;
  readonly relative_y: number;
  readonly width: number;
  readonly height: number;
}

export interface Bar {
  readonly id: string;
  /** Every line that the status command has written, from its header on; only those of the one that runs now. */
  lines(): string[];
  /** How often the status command was started: it begins with a header. */
  starts(): number;
  /** The blocks that the bar shows now: those of the last whole line. */
  blocks(): SentBlock[];
  /** The one block whose instance or name is `which`, or whose text contains it; throws when there is none, or more. */
  block(which: string): BarBlock;
  /**
   * Waits until what the command wrote has stood for a while, ms. Blocks that have just appeared or moved are
   * inert: a click on them does nothing.
   */
  still(ms?: number): Promise<void>;
  /** What the bar has told the status command. */
  clicks(): SentClick[];
  /** What the status command wrote to stderr. */
  stderr(): string;
  /** Where the bar itself stands, on the first of its outputs or on this one. */
  rect(output?: string): Promise<Rect>;
}

export interface BarBlock {
  readonly sent: SentBlock;
  /** Where it must stand on the screen, by i3bar's own arithmetic. */
  rect(output?: string): Promise<Rect>;
  /** A press of the real pointer in its middle. */
  click(button?: number, options?: { output?: string; holding?: readonly string[] }): Promise<void>;
}

/**
 * DejaVu Sans Mono 9 at 96 dpi: every glyph of the font is 7 pixels wide in i3bar, and its symbols are part of
 * it. Text in other scripts comes from other fonts and cannot be measured in this way.
 */
export const barFont = 'pango:DejaVu Sans Mono 9';
const cell = 7;

function plain(block: SentBlock, text: string): string {
  if (block.markup !== 'pango') return text;
  return text.replace(/<[^>]*>/g, '').replace(/&(?:#\d+|#x[\da-f]+|\w+);/gi, '?');
}

const cells = (block: SentBlock, text: string) => [...plain(block, text)].length * cell;

/** i3bar/src/xcb.c, predict_statusline_length: text, borders, then the minimum width. */
function widthOf(block: SentBlock, text: string): number {
  const content = cells(block, text);
  const least =
    typeof block.min_width === 'string' ? cells(block, block.min_width) : (block.min_width ?? content);
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

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
}

const entries = <T>(lines: readonly string[]): T[] =>
  lines
    .filter((line) => /[{[].*[}\]]/.test(line))
    .map((line) => JSON.parse(line.replace(/^\s*[,[](?=[{[])/, '')));

export function barConfig(id: string, spec: BarSpec, folder: string, recorder: string): string {
  mkdirSync(folder, { recursive: true });
  const recorded = spec.record === false ? spec.command : `exec ${recorder} ${folder} ${spec.command}`;
  return [
    'bar {',
    `  id ${id}`,
    `  position ${spec.position ?? 'bottom'}`,
    `  status_command ${recorded}`,
    '  tray_output none',
    ...(spec.output === undefined ? [] : [`  output ${spec.output}`]),
    ...(spec.config === undefined ? [] : [spec.config]),
    '}',
  ].join('\n');
}

export function barOf(id: string, spec: BarSpec, folder: string, i3: I3, screen: Screen): Bar {
  const isHeader = (line: string) => line.startsWith('{"version"');
  const written = () => readLines(join(folder, 'lines'));
  const lines = () => {
    const all = written();
    return all.slice(Math.max(all.findLastIndex(isHeader), 0));
  };
  const blocks = () => {
    const last = lines().findLast((line) => /^,?\[.*\]$/.test(line));
    return last === undefined ? [] : (JSON.parse(last.replace(/^,/, '')) as SentBlock[]);
  };

  /** i3bar names its windows after their output; two bars there are told apart by their edge. */
  async function rect(output = spec.output): Promise<Rect> {
    const here = (bar: TreeNode) =>
      (output === undefined || bar.name?.endsWith(` ${output}`)) &&
      (spec.position === 'top') === (bar.rect.y === 0);
    const bar = await until(async () => (await i3.bars()).find(here), {
      why: `the window of ${id}`,
      saw: async () => (await i3.bars()).map((bar) => [bar.name, bar.rect]),
    });
    return bar.rect;
  }

  /** i3bar/src/xcb.c, draw_bars: right aligned; every block turns short at once; what is too wide loses its left end. */
  async function blockRect(sent: readonly SentBlock[], index: number, output?: string): Promise<Rect> {
    const bar = await rect(output);
    const full = layOut(sent, false);
    const { spans, width } = full.width <= bar.width ? full : layOut(sent, true);
    const span = spans[index];
    if (span === undefined || span.width === 0) throw new Error(`block ${index} is not drawn`);
    return { x: bar.x + bar.width - width + span.left, y: bar.y, width: span.width, height: bar.height };
  }

  function indexOf(all: readonly SentBlock[], which: string): number {
    const exact = all.flatMap((block, i) => (block.instance === which || block.name === which ? [i] : []));
    const found = exact.length > 0 ? exact : all.flatMap((b, i) => (b.full_text.includes(which) ? [i] : []));
    const [first] = found;
    if (first === undefined || found.length > 1)
      throw new Error(
        `${found.length} blocks are "${which}" among ${JSON.stringify(all.map((b) => b.full_text))}`,
      );
    return first;
  }

  return {
    id,
    lines,
    starts: () => written().filter(isHeader).length,
    blocks,
    rect,
    still: async (ms = 650) =>
      void (await until(() => Date.now() - statSync(join(folder, 'lines')).mtimeMs >= ms, {
        why: `a bar that stands still for ${ms} ms`,
        limit: 10_000,
        saw: () => lines().slice(-5),
      })),
    clicks: () => entries<SentClick>(readLines(join(folder, 'clicks'))),
    stderr: () => readLines(join(folder, 'stderr')).join('\n'),
    block(which) {
      const all = blocks();
      const index = indexOf(all, which);
      const sent = all[index] as SentBlock;
      return {
        sent,
        rect: (output) => blockRect(all, index, output),
        async click(button = 1, options = {}) {
          const at = await blockRect(all, index, options.output);
          const x = Math.floor(at.x + at.width / 2);
          await screen.pointer.click(x, Math.floor(at.y + at.height / 2), button, options.holding);
        },
      };
    },
  };
}
