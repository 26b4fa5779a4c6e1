/**
 * i3status-rust: a `custom` block with `json = true` and `persistent = true`; a slot is one block of it.
 *
 * | option | |
 * |---|---|
 * | `--slot SLOT` | one slot, as for Waybar; without it all blocks in one |
 * | `--output NAME` | only the sessions on this output |
 * | `--once` | one line, then the end |
 *
 * `state` is `Warning` for needs-input, `Info` for review, `Good` for busy, `Idle` for the rest, so that the block
 * has the colours of the user's own theme. The text is escaped for Pango, as the block's default format shows it as
 * markup. Clicks are commands in a `[[block.click]]`; with `hide_when_empty = true` an empty slot takes no room.
 *
 * Example: `command = "tsmux i3status-rs --slot 1"` with `block = "custom"`, `persistent = true` and `json = true`.
 */
import type { Block } from './block.ts';
import type { BarKind } from './kind.ts';
import { pango } from './text.ts';
import type { Look } from './theme.ts';

export const i3statusRs: BarKind = {
  render({ blocks }) {
    const [first] = blocks;
    if (first === undefined) return [line('', '', 'Idle')];
    const join = (text: (block: Block) => string) => pango(blocks.map(text).join('  '));
    return [
      line(
        join((block) => block.text),
        join((block) => block.shortText),
        STATES[first.look] ?? 'Idle',
      ),
    ];
  },
};

const STATES: Readonly<Partial<Record<Look, string>>> = {
  'needs-input': 'Warning',
  option: 'Warning',
  review: 'Info',
  busy: 'Good',
};

function line(text: string, short: string, state: string): string {
  return JSON.stringify({ icon: '', text, short_text: short, state });
}
