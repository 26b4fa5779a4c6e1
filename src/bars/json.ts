/**
 * Plain JSON, a line for each change: for eww, AGS, Quickshell, yambar, and scripts.
 *
 * | option | |
 * |---|---|
 * | `--slot SLOT` | one slot alone, as for Waybar; without it all blocks |
 * | `--output NAME` | only the sessions on this output |
 * | `--once` | one line, then the end |
 *
 * ```json
 * {"version":1,"line":7,"state":"review","text":"● docs 2m","counts":{"review":1},
 *  "blocks":[{"instance":"k3f7q","role":"session","text":"● docs 2m","short":"● docs","session":"k3f7q","state":"review",
 *    "means":null,"color":"#7dcfff","background":"#1f2a38"}],
 *  "sessions":[{"id":"k3f7q","pid":4242,"name":"docs","state":"review","glyph":"●","workspace":"3: web","output":"HDMI-1",
 *    "pane":"%3","pinned":false}]}
 * ```
 *
 * `state` is the most urgent one, `none`, or `away` while there is no daemon. Texts are safe lines, not escaped for
 * any markup; what is not known is null. A click is `tsmux click --bar json --instance INSTANCE --line LINE --button 1`.
 *
 * Example: `(deflisten sessions :initial '{"blocks":[]}' "tsmux json")` for eww.
 */
import type { Session, State } from '../sessions/session.ts';
import type { Block } from './block.ts';
import type { BarKind, View } from './kind.ts';
import { oneLine } from './text.ts';

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
      blocks: blocks.map((block) => describedBlock(block, view)),
      sessions: sessions.map((session) => describedSession(session, view)),
    };
    return ['{"version":1,"line":', `,${JSON.stringify(rest).slice(1)}`];
  },
};

function describedBlock(block: Block, { sessions, theme }: View): object {
  const { instance, role, text, shortText: short, session: id, option } = block;
  const { color, background } = theme.faces[block.look];
  const state = sessions.find((session) => session.id === id)?.state ?? null;
  return { instance, role, text, short, session: id, state, means: option?.means ?? null, color, background };
}

function describedSession(session: Session, { names, theme }: View): object {
  const { id, pid, state, place, prompts } = session;
  return {
    id,
    pid,
    name: oneLine(names.get(id) ?? session.name),
    state,
    glyph: theme.faces[state].glyph,
    workspace: place.workspace === null ? null : oneLine(place.workspace.name),
    output: place.workspace?.output ?? null,
    pane: place.pane?.id ?? null,
    pinned: prompts.some((prompt) => prompt.pinned),
  };
}
