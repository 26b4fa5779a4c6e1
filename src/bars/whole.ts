import type { Prompt } from '../sessions/prompt.ts';
import { oneLine } from './text.ts';
import { widthOf } from './width.ts';

/** Whether a bar that has room enough shows all of what the prompt asks, in so many columns. */
export function isShownWhole({ title, text, truncated }: Prompt, columns: number): boolean {
  return !truncated && widthOf(oneLine(`${title} ${text}`)) <= columns;
}
