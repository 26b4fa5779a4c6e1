/**
 * Any other program that owns a PTY and has a terminal itself: sudo, su, expect, a wrapper around Claude Code.
 * It passes its terminal through, or it is a server somebody started in a shell (ttyd, Jupyter, code-server) and
 * shows the PTY in a browser. The two are told apart by the terminal: who passes keys through has put his own
 * into raw mode, a server leaves it as the shell had it.
 */
import type { ProcessStat } from '../../system/proc.ts';
import type { Outside } from '../outside.ts';
import { sharedAnswers } from '../shared-answers.ts';
import type { Multiplexer } from './multiplexer.ts';

/** Known to pass through, also where the terminal may not be looked at. */
const known = new Set(['sudo', 'su', 'doas', 'runuser', 'expect', 'unbuffer']);

const answers = sharedAnswers<boolean>(5000);

function passes(owner: ProcessStat, outside: Outside): Promise<boolean> {
  if (known.has(owner.comm)) return Promise.resolve(true);
  return answers(outside, `${owner.pid}:${owner.startTime}`, async () => {
    // In the background it has no keys to pass, and the raw mode is the shell's own.
    if (owner.processGroup !== owner.foregroundGroup) return false;
    const settings = await outside.run('stty', ['-F', `/dev/pts/${owner.pts}`, '-a']);
    return settings?.split(/\s+/).includes('-icanon') ?? false;
  });
}

export const passThrough: Multiplexer = {
  name: 'pass-through',

  owns: (owner) => owner.pts !== null,

  async follow({ owner }, outside) {
    const at = `${owner.comm} (pid ${owner.pid})`;
    if (!(await passes(owner, outside))) {
      return {
        type: 'not-shown',
        at,
        reason: `${owner.comm} (pid ${owner.pid}) has its terminal and does not show it in a window here`,
        hint: 'a server shows it elsewhere, in a browser perhaps',
      };
    }
    return {
      type: 'shown',
      at,
      pane: null,
      viewers: [
        { pid: owner.pid, how: 'it passes its terminal through', focused: true, show: async () => null },
      ],
    };
  },
};
