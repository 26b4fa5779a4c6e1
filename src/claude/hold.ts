/** What every hook that asks does alike: the installed script, and `tsmux hook`, to which it falls back. */

/** Where it asks; with that query the daemon says now and then that it is well. */
export const HOLD_PATH = '/v1/hook?keep-alive=1';

/**
 * A daemon that holds a prompt says something every few seconds. One that is silent for so long hangs, and keeps nobody
 * waiting: of a sub-agent in the background Claude Code draws the dialog only when its hook has ended. Seconds.
 */
export const SILENCE = 20;
