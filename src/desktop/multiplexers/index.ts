import type { Multiplexer } from './multiplexer.ts';
import { nvim } from './nvim.ts';
import { screen } from './screen.ts';
import { script } from './script.ts';
import { tmux } from './tmux.ts';
import { unfollowed } from './unfollowed.ts';

/** Who owns a PTY without showing it in a window of its own; looked for in this order. */
export const multiplexers: readonly Multiplexer[] = [tmux, screen, nvim, script, unfollowed];
