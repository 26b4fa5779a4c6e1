/**
 * Sends one digit to a pane of tmux, if that pane still shows what it showed when it was read: tested, marked and
 * sent in one command, so that nothing comes in between (observed with tmux 3.3a; formats: tmux(1), FORMATS).
 *
 * The mark is a pane option. Without it the second of two clicks would be typed into the prompt box: Claude Code
 * has answered, but not yet drawn anew. Copy mode swallows keys, and synchronize-panes copies them into each pane
 * of the window: both are refused.
 */
import type { KeyPress, Sent } from '../desktop.ts';
import type { Outside } from '../outside.ts';

export interface TmuxKeyPress extends KeyPress {
  /** Path of the server's socket. */
  readonly socket: string;
  /** `%3` */
  readonly pane: string;
}

/** tmux 3.3a expands a format to a depth of 100 and takes 16 KiB of arguments; what is left out of both is for its own. */
const mostTests = 60;
const mostBytes = 10_000;

/** Never throws for what a screen may hold; throws for a pane, a mark or a key that is none. */
export async function sendIfShown(press: TmuxKeyPress, { run }: Pick<Outside, 'run'>): Promise<Sent> {
  const { socket, pane, mark, key, lines } = press;
  if (!/^%\d+$/.test(pane) || !/^[a-z0-9-]+$/.test(mark) || !/^[1-9]$/.test(key)) {
    throw new Error(`not a key for a pane: ${JSON.stringify({ pane, mark, key })}`);
  }
  const shown = testsOf(lines);
  if (shown.length === 0) return 'refused';
  const isSo = all([
    `#{!=:#{@tsmux_answered},${mark}}`,
    '#{?pane_dead,0,1}',
    '#{?pane_in_mode,0,1}',
    '#{?pane_synchronized,0,1}',
    '#{?pane_input_off,0,1}',
    ...shown,
  ]);
  const send = `set-option -p -t ${pane} @tsmux_answered ${mark} ; send-keys -l -t ${pane} ${key} ; display-message -p sent`;
  // -u: tmux reads its arguments as UTF-8, whatever the locale of a daemon is.
  const test = ['if-shell', '-F', '-t', pane, isSo, send, 'display-message -p refused'];
  const answer = (await run('tmux', ['-u', '-S', socket, ...test]))?.trim();
  return answer === 'sent' || answer === 'refused' ? answer : 'failed';
}

/** From the last line up, as many as fit. Rules and empty lines say nothing; an empty search would be true. */
function testsOf(lines: readonly string[]): readonly string[] {
  const tests: string[] = [];
  let bytes = 0;
  for (const line of lines.toReversed()) {
    if (!/[\p{L}\p{N}]/u.test(line)) continue;
    const test = `#{C/r:^${inFormat(inRegex(line.trimEnd()))}$}`;
    bytes += Buffer.byteLength(test);
    if (tests.length === mostTests || bytes > mostBytes) break;
    tests.push(test);
  }
  return tests;
}

/** `#{&&:a,b}` takes two operands; a third is ignored without a word. */
function all(conditions: readonly string[]): string {
  return conditions.reduceRight((rest, condition) => `#{&&:${condition},${rest}}`);
}

/** POSIX extended, regex(7). */
function inRegex(text: string): string {
  return text.replace(/[\\^$.[\]|()*+?{}]/g, '\\$&');
}

function inFormat(text: string): string {
  return text.replace(/[#,}]/g, '#$&');
}
