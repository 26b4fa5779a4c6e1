import type { I3barBlock } from '../i3bar.ts';
import { cutEnd, widthOf } from '../width.ts';

/** A bar drawn in a terminal. */
export interface Drawing {
  readonly lines: readonly string[];
  /** Which block is where. */
  readonly spots: readonly Spot[];
}

/** Row and columns count from 0; `to` is behind the last column. */
interface Spot {
  readonly instance: string;
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

/** About the width of a character of the font that bars use, px. */
const characterWidth = 7;
const reset = '\x1b[0m';

/** The blocks in their own colours (ECMA-48 SGR with 24 bits), in as many lines as they need. */
export function drawBar(
  blocks: readonly I3barBlock[],
  columns: number,
  options: { readonly selected: string | null; readonly color: boolean },
): Drawing {
  const lines: string[] = [''];
  const spots: Spot[] = [];
  let column = 0;
  for (const block of blocks) {
    const text = cutEnd(block.full_text, columns);
    const width = widthOf(text);
    if (column + width > columns) {
      lines.push('');
      column = 0;
    }
    const row = lines.length - 1;
    const gap = gapAfter(block, options.color);
    const drawn = options.color ? painted(block, text, block.instance === options.selected) : text;
    lines[row] = `${lines[row] ?? ''}${drawn}${gap}`;
    spots.push({ instance: block.instance, row, from: column, to: column + width });
    column += width + widthOf(gap);
  }
  return { lines: lines.map((line) => line.trimEnd()), spots };
}

/** Text in lines of at most so many columns, broken between words; a word that is longer than a line is cut. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer) <= columns) lines[lines.length - 1] = longer;
    else lines.push(cutEnd(word, columns));
  }
  return lines;
}

/** The blocks as text alone, for a pipe. */
export function plainBar(blocks: readonly I3barBlock[]): string {
  return blocks.map((block) => block.full_text.trim()).join('  ');
}

export function instanceAt(drawing: Drawing, row: number, column: number): string | null {
  const spot = drawing.spots.find((each) => each.row === row && each.from <= column && column < each.to);
  return spot?.instance ?? null;
}

function gapAfter(block: I3barBlock, color: boolean): string {
  if (block.separator) return color ? ' \x1b[2m│\x1b[22m ' : ' | ';
  return ' '.repeat(Math.ceil((block.separator_block_width - 1) / characterWidth));
}

function painted(block: I3barBlock, text: string, selected: boolean): string {
  const background = block.background === undefined ? '' : `;48;2;${rgb(block.background)}`;
  return `\x1b[38;2;${rgb(block.color)}${background}${selected ? ';1;4' : ''}m${text}${reset}`;
}

/** `#e0af68` → `224;175;104` */
function rgb(color: string): string {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)).join(';');
}

/** What the user did, from what a terminal sends. `row` and `column` count from 0; `button` as X11 counts. */
export type Input =
  | { readonly type: 'next' | 'previous' | 'go' | 'seen' | 'quit' }
  | { readonly type: 'click'; readonly button: number; readonly row: number; readonly column: number };

/** Turns on, and off again, mouse reports in SGR form (xterm's ctlseqs, "Mouse Tracking"). */
export const mouse = { on: '\x1b[?1000h\x1b[?1006h', off: '\x1b[?1006l\x1b[?1000l' };

const TOKEN = /\x1b\[<(\d+);(\d+);(\d+)([Mm])|\x1b[[O]([A-D])|\x1b\[[0-9;]*[ -/]*[@-~]|[\s\S]/g;

const KEYS: ReadonlyMap<string, Exclude<Input['type'], 'click'>> = new Map([
  ['j', 'next'],
  ['l', 'next'],
  ['\t', 'next'],
  ['B', 'next'],
  ['C', 'next'],
  ['k', 'previous'],
  ['h', 'previous'],
  ['A', 'previous'],
  ['D', 'previous'],
  ['\r', 'go'],
  ['\n', 'go'],
  ['s', 'seen'],
  ['q', 'quit'],
  ['\x03', 'quit'],
  ['\x04', 'quit'],
]);

export function inputsIn(chunk: string): Input[] {
  return Array.from(chunk.matchAll(TOKEN)).flatMap(([token, button, column, row, end, arrow]): Input[] => {
    if (button !== undefined) {
      const pressed = end === 'M' ? x11Button(Number(button)) : null;
      return pressed === null
        ? []
        : [{ type: 'click', button: pressed, row: Number(row) - 1, column: Number(column) - 1 }];
    }
    const key = arrow ?? (/[A-D]/.test(token) ? '' : token);
    const type = KEYS.get(key);
    return type === undefined ? [] : [{ type }];
  });
}

/** 0–2 are the buttons, 64 and 65 the wheel; modifiers are bits that are left out. */
function x11Button(code: number): number | null {
  const button = code & ~0b11100;
  if (button <= 2) return button + 1;
  return button === 64 || button === 65 ? button - 60 : null;
}
