/**
 * Waybar: a `custom` module with `"return-type": "json"` (waybar-custom(5)), one module a slot.
 *
 * | option | |
 * |---|---|
 * | `--slot SLOT` | `1`, `2`, …, `summary`, `prompt`, `option1`, …, `quiet`; without it all blocks in one module |
 * | `--output NAME` | only the sessions on this output, as Waybar calls it |
 * | `--once` | one line, then the end |
 * | `--print-config` | writes the modules for Waybar's config, with absolute paths |
 * | `--slots N` | with `--print-config`: for how many sessions, 1 to 99; 5 where it is not said |
 *
 * `text` is escaped: Waybar keeps the old text when markup is not valid. `class` has the state (`needs-input`,
 * `review`, `busy`, `idle`, `unknown`), `pinned`, `option` with what it means (`allow`, `allow-always`, `deny`,
 * `choice`, `go`), `summary`, `quiet`, `notice`, `away`; `none` when there is nothing, which hides the module. `alt` is the first
 * of them, for `format-icons`. `percentage` is how much of the context is used. `tooltip`: the last message, the prompt,
 * the place and the ports.
 *
 * Example: `"custom/tsmux#1": {"exec": "tsmux waybar --slot 1", "return-type": "json", "on-click": "tsmux click --bar waybar --slot 1 --button 1"}`
 */
import type { Session } from '../sessions/session.ts';
import type { Block } from './block.ts';
import type { BarKind } from './kind.ts';
import { painted } from './pango-block.ts';
import { pango } from './text.ts';
import { tooltipOf } from './tooltip.ts';

export const waybar: BarKind = {
  render(view) {
    const { blocks } = view;
    const [first] = blocks;
    if (first === undefined) return [line('', '', ['none'], 0)];
    const session = view.sessions.find(({ id }) => id === first.session);
    const text =
      blocks.length === 1 ? pango(first.text) : blocks.map((block) => painted(block, view)).join(' ');
    return [
      line(
        text,
        tooltipOf(view).map(pango).join('\n'),
        classesOf(first, session),
        session?.contextPercent ?? 0,
      ),
    ];
  },
};

function line(text: string, tooltip: string, classes: readonly string[], percentage: number): string {
  const alt = classes[0] ?? 'none';
  return JSON.stringify({ text, tooltip, alt, class: classes, percentage: Math.round(percentage) });
}

function classesOf(block: Block, session: Session | undefined): string[] {
  if (block.role === 'option') return ['option', block.option?.means ?? 'choice'];
  const pinned = session?.prompts.some((prompt) => prompt.pinned) ?? false;
  return [block.look, ...(pinned ? ['pinned'] : [])];
}
