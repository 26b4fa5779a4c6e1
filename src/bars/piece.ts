import type { Block } from './block.ts';
import type { Theme } from './theme.ts';
import { widthOf } from './width.ts';

/** Blocks that belong together, measured. */
export interface Piece {
  readonly blocks: readonly Block[];
  readonly columns: number;
}

export function pieceOf(blocks: readonly Block[], theme: Theme): Piece {
  return { blocks, columns: columnsOf(blocks, theme) };
}

/** Columns that the blocks take together; what stands between them is not counted. */
export function columnsOf(blocks: readonly Block[], theme: Theme): number {
  return blocks.reduce((sum, block) => sum + widthOf(block.text) + 2 * theme.faces[block.look].padding, 0);
}
