import type { Prompt } from '../sessions/prompt.ts';
import { oneLine } from './text.ts';
import { widthOf } from './width.ts';

/** Columns that a bar with room enough gives to what a prompt asks. */
export const longestWhat = 48;

/** Whether a bar with room enough shows all of what the prompt asks. */
export function showsWhole({ title, text, truncated }: Prompt): boolean {
  return !truncated && widthOf(oneLine(`${title} ${text}`)) <= longestWhat;
}
