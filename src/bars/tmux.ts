/**
 * tmux: the blocks in a status line, by `#(…)`, whose newest line tmux shows; and a mark on each window and pane.
 *
 * | option | |
 * |---|---|
 * | `--slot SLOT` | one slot alone, as for Waybar; without it all blocks |
 * | `--output NAME` | only the sessions on this output |
 * | `--once` | one line, then the end |
 * | `--marks` | also sets the option `@tsmux` of each window and pane that sessions run in to the glyph of the most urgent one |
 *
 * tmux expands what a command prints (tmux(1), FORMATS), so that each `#` of a name is written twice. The status
 * line takes no clicks: bind a key to `tsmux next`.
 *
 * Example: `set -g status-right '#(tsmux tmux --marks)'` and `#{@tsmux}` in `window-status-format`.
 */
import type { BarKind } from './kind.ts';

export const tmux: BarKind = {
  render({ blocks, theme }) {
    const drawn = blocks.map((block) => {
      const { color, background, padding } = theme.faces[block.look];
      const space = ' '.repeat(padding);
      const behind = background === null ? 'default' : background.slice(0, 7);
      return `#[fg=${color.slice(0, 7)},bg=${behind}]${space}${tmuxText(block.text)}${space}#[default]`;
    });
    return [drawn.join(' ')];
  },
};

/** Safe text in which no format or style of tmux can open. */
function tmuxText(text: string): string {
  return text.replaceAll('#', '##');
}
