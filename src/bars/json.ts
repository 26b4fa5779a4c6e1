/**
 * Plain JSON, a line for each change: for eww, AGS, Quickshell, yambar, and scripts.
 *
 * | option | |
 * |---|---|
 * | `--slot SLOT` | one slot alone, as for Waybar; without it all blocks |
 * | `--output NAME` | only the sessions on this output |
 * | `--once` | one line, then the end |
 *
 * `{"version":1,"line":7,"state":"review","text":"● docs 2m","counts":{"review":1},"blocks":[{"instance":"k3f7q",
 * "role":"session","text":"● docs 2m","short":"● docs","state":"review","means":null,"color":"#7dcfff",
 * "background":"#1f2a38","pid":4242,"pane":"%3","workspace":"3: web","output":"HDMI-1","pinned":false}]}`.
 * `state` is the most urgent one, or `none`, or `away` while there is no daemon. Texts are safe lines, not escaped for any markup. A field that is not
 * known is null. A click is `tsmux click --bar json --instance INSTANCE --line LINE --button 1`.
 *
 * Example: `(deflisten sessions :initial '{"blocks":[]}' "tsmux json")` for eww.
 */
import type { Session, State } from '../sessions/session.ts';
import type { Block } from './block.ts';
import type { BarKind, View } from './kind.ts';

export const json: BarKind = {
  render(view) {
    const { blocks, sessions } = view;
    const states: readonly State[] = ['needs-input', 'review', 'busy', 'idle', 'unknown'];
    const counted = states
      .map((state) => [state, sessions.filter((session) => session.state === state).length] as const)
      .filter(([, count]) => count > 0);
    const rest = {
      state: counted[0]?.[0] ?? 'none',
      text: blocks.map((block) => block.text).join('  '),
      counts: Object.fromEntries(counted),
      blocks: blocks.map((block) => described(block, view)),
    };
    return ['{"version":1,"line":', `,${JSON.stringify(rest).slice(1)}`];
  },
};

function described(block: Block, { sessions, theme }: View): object {
  const { instance, role, text, shortText: short, look, session: id, option } = block;
  const { color, background } = theme.faces[look];
  const session: Session | undefined = sessions.find((each) => each.id === id);
  return {
    instance,
    role,
    text,
    short,
    state: session?.state ?? null,
    means: option?.means ?? null,
    color,
    background,
    pid: session?.pid ?? null,
    pane: session?.place.pane?.id ?? null,
    workspace: session?.place.workspace?.name ?? null,
    output: session?.place.workspace?.output ?? null,
    pinned: session?.prompts.some((prompt) => prompt.pinned) ?? false,
  };
}
