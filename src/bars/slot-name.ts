/**
 * For bars whose modules are one text and one click target each: a module is a slot.
 *
 * | slot | shows |
 * |---|---|
 * | `1`, `2`, … | one session, and that one as long as it lives |
 * | `summary` | how many sessions are in each state; what tsmux itself has to say when there are none |
 * | `prompt` | the session whose prompt the user has picked, else the one whose prompt is oldest, and what it asks |
 * | `option1`, `option2`, … | the options of that prompt |
 * | `quiet` | the quiet time |
 */
export type Slot =
  | { readonly kind: 'session'; readonly number: number }
  | { readonly kind: 'option'; readonly number: number }
  | { readonly kind: 'summary' | 'prompt' | 'quiet' };

/** What `slotOf` takes, in words for the user. */
export const slotNames = '1 to 99, summary, prompt, option1 to option99, or quiet';

/** null for a word that names no slot. */
export function slotOf(word: string): Slot | null {
  if (word === 'summary' || word === 'prompt' || word === 'quiet') return { kind: word };
  const [, option, digits] = /^(option)?([1-9]\d?)$/.exec(word) ?? [];
  if (digits === undefined) return null;
  const number = Number(digits);
  return option === undefined ? { kind: 'session', number } : { kind: 'option', number };
}
