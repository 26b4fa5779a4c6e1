import { columnsOf } from '../system/columns.ts';
import { isSimple, oneLine } from './text.ts';

/** Apart from text.ts, as the process of a bar needs no widths, and the tables for them cost memory there. */

const ELLIPSIS = '…';

/** Columns that the text takes in a monospaced font. Takes what `oneLine` gave. */
export function widthOf(text: string): number {
  return isSimple(text) ? text.length : columnsOf(text);
}

let segmenter: Intl.Segmenter | undefined;
function clustersOf(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter();
  return Array.from(segmenter.segment(text), (part) => part.segment);
}

/** One safe line of at most `columns` columns: `npm insta…`. Takes untrusted text; 0 columns: the empty text. */
export function cutEnd(text: string, columns: number): string {
  return cut(text, columns, columns - 1, 0);
}

/** One safe line of at most `columns` columns that shows both ends, for what they end in matters: `rm -rf…/etc`. */
export function cutMiddle(text: string, columns: number): string {
  const tail = Math.floor((columns - 1) / 2);
  return cut(text, columns, columns - 1 - tail, tail);
}

function cut(text: string, columns: number, headColumns: number, tailColumns: number): string {
  if (columns < 1) return '';
  const line = oneLine(shortened(text, columns));
  if (widthOf(line) <= columns) return line;
  if (isSimple(line)) {
    return `${line.slice(0, headColumns)}${ELLIPSIS}${line.slice(line.length - tailColumns)}`;
  }
  const clusters = clustersOf(line);
  const head = taken(clusters, headColumns);
  const tail = taken(clusters.slice(head.length).reverse(), tailColumns).reverse();
  return `${head.join('')}${ELLIPSIS}${tail.join('')}`;
}

/** As many clusters from the front as fit. */
function taken(clusters: readonly string[], columns: number): string[] {
  const fitting: string[] = [];
  let left = columns;
  for (const cluster of clusters) {
    left -= widthOf(cluster);
    if (left < 0) break;
    fitting.push(cluster);
  }
  return fitting;
}

/** A command can be megabytes long: what is far from both ends is never shown, and need not be looked at. */
function shortened(text: string, columns: number): string {
  const enough = columns * 8 + 256;
  return text.length <= 2 * enough ? text : `${text.slice(0, enough)}${ELLIPSIS}${text.slice(-enough)}`;
}
