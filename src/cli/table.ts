import { isSimple } from '../bars/text.ts';

export interface Cell {
  /** One safe line. */
  readonly text: string;
  /** Puts colour on what is left of the text when it has been cut; it must not change its width. */
  readonly paint?: (text: string) => string;
}

const GAP = '  ';
/** What is cut to fit keeps at least this much, columns; where there is no room for it, the last cells are left out. */
const LEAST = 8;

type Measure = Pick<typeof import('../bars/width.ts'), 'widthOf' | 'cutEnd'>;

/** Enough for nearly all tables, and the tables of Unicode take longer to read than all the rest. */
const simple: Measure = {
  widthOf: (text) => text.length,
  cutEnd: (text, columns) => (text.length <= columns ? text : `${text.slice(0, columns - 1)}…`),
};

/**
 * Aligned lines, each ending in a newline. Where the lines would be longer than `columns` the widest cells are cut
 * first; null: nothing is cut, as for a pipe.
 */
export async function table(rows: readonly (readonly Cell[])[], columns: number | null): Promise<string> {
  const isAllSimple = isSimple(rows.flatMap((row) => row.map(({ text }) => text)).join(''));
  const { widthOf, cutEnd } = isAllSimple ? simple : await import('../bars/width.ts');
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => widthOf(row[at]?.text ?? ''))));
  if (columns !== null) {
    while (widths.length > 1 && lineWidth(widths.map((width) => Math.min(width, LEAST))) > columns)
      widths.pop();
    shrink(widths, columns - GAP.length * (widths.length - 1));
  }
  return rows
    .map((row) => {
      const cells = row.slice(0, widths.length).map((cell, at) => {
        const width = widths[at] ?? 0;
        const text = widthOf(cell.text) > width ? cutEnd(cell.text, width) : cell.text;
        return (cell.paint?.(text) ?? text) + ' '.repeat(width - widthOf(text));
      });
      return `${cells.join(GAP).trimEnd()}\n`;
    })
    .join('');
}

function shrink(widths: number[], room: number): void {
  for (let over = sum(widths) - room; over > 0; over = sum(widths) - room) {
    const widest = Math.max(...widths);
    if (widest <= LEAST) return;
    const rest = widths.filter((width) => width < widest);
    const many = widths.length - rest.length;
    const down = Math.max(LEAST, ...rest, widest - Math.ceil(over / many));
    for (const [at, width] of widths.entries()) if (width === widest) widths[at] = Math.min(down, widest - 1);
  }
}

function lineWidth(widths: readonly number[]): number {
  return sum(widths) + GAP.length * (widths.length - 1);
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
