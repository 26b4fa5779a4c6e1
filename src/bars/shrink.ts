/** How much the blocks may say. */
export interface Room {
  /** Sessions that are idle, busy or unknown. */
  readonly calm: Size;
  /** Sessions in review. */
  readonly review: Size;
  /** Columns for what a prompt asks; null: as configured. */
  readonly what: number | null;
  /** Columns for the name of a session with an open prompt; null: as configured. */
  readonly label: number | null;
  /** The option "go to the terminal" is always shown. */
  readonly options: 'labels' | 'digits' | 'none';
}

/** `label`: the short format; `summed`: no block of its own, only counted in the summary. */
export type Size = 'full' | 'label' | 'glyph' | 'summed';

export const whole: Room = { calm: 'full', review: 'full', what: null, label: null, options: 'labels' };
const onlyPrompts: Room = { ...whole, calm: 'summed', review: 'summed' };
const shortWhats = [40, 34, 28, 24, 20, 16, 12];

/**
 * From all that there is to say down to the least, in the order in which things may go: first the words of sessions
 * that want nothing, then those in review; an open prompt last: its command, its options' labels, its options, then its name.
 * Nobody can aim at an option that stands beside no name.
 */
export const levels: readonly Room[] = [
  whole,
  { ...whole, calm: 'label' },
  { ...whole, calm: 'glyph' },
  { ...whole, calm: 'summed' },
  { ...whole, calm: 'summed', review: 'label' },
  { ...whole, calm: 'summed', review: 'glyph' },
  onlyPrompts,
  ...shortWhats.map((what): Room => ({ ...onlyPrompts, what })),
  ...[null, ...shortWhats].map((what): Room => ({ ...onlyPrompts, what, options: 'digits' })),
  { ...onlyPrompts, what: 8, label: 12, options: 'digits' },
  { ...onlyPrompts, what: 0, label: 12, options: 'digits' },
  { ...onlyPrompts, what: 0, label: 6, options: 'digits' },
  { ...onlyPrompts, what: 0, label: 6, options: 'none' },
  { ...onlyPrompts, what: 0, label: 0, options: 'none' },
];
