import { i3bar } from './i3bar.ts';
import { i3blocks } from './i3blocks.ts';
import { i3statusRs } from './i3status-rs.ts';
import { json } from './json.ts';
import type { BarKind } from './kind.ts';
import { polybar } from './polybar.ts';
import { tmux } from './tmux.ts';
import { waybar } from './waybar.ts';

/** The bars that tsmux draws: a new one is a file, and a line here. The names are those of the commands. */
export const kinds = {
  i3bar,
  waybar,
  polybar,
  i3blocks,
  'i3status-rs': i3statusRs,
  tmux,
  json,
} as const satisfies Readonly<Record<string, BarKind>>;

export type KindName = keyof typeof kinds;

export function isKind(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}
