import type { KindName } from '../kinds.ts';

/** What the process of a bar must know of its kind; the rest is the daemon's, and costs memory. */
export interface ClientKind {
  /** The line that the bar shows while no daemon is there. */
  readonly away: string;
  /** The bar keeps the client's stdin open as long as it runs; i3blocks 1.5 writes clicks into it. */
  readonly writesToClient: boolean;
  /**
   * The bar is our parent, and its end may show nowhere else: Waybar 0.9.17 hands each module the reading ends of the
   * pipes of all modules before it, so that writing into them does not fail while one of those lives.
   */
  readonly endsWithParent?: true;
}

/** All but i3bar, whose client merges the wrapped program's blocks in. */
export const clientKinds: Readonly<Record<Exclude<KindName, 'i3bar'>, ClientKind>> = {
  waybar: {
    away: '{"text":"tsmux off","tooltip":"","alt":"away","class":["away"],"percentage":0}',
    writesToClient: false,
    endsWithParent: true,
  },
  polybar: { away: 'tsmux off', writesToClient: true },
  i3blocks: { away: '{"full_text":"tsmux off","short_text":"tsmux off"}', writesToClient: true },
  'i3status-rs': {
    away: '{"icon":"","text":"tsmux off","short_text":"tsmux off","state":"Idle"}',
    writesToClient: false,
  },
  tmux: { away: 'tsmux off', writesToClient: false },
  json: {
    away: '{"version":1,"line":0,"state":"away","text":"tsmux off","counts":{},"blocks":[],"sessions":[]}',
    writesToClient: false,
  },
};
