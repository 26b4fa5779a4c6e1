/**
 * GNU Screen (observed with 4.9.0). SCREEN owns the PTYs of its windows; the terminals on which it shows them are
 * those that it has open, and the `screen` process on each is the client. It tells nobody which of its windows
 * a display shows, so with several windows the session is never taken for the one that is looked at.
 */
import type { Outside } from '../outside.ts';
import { sharedAnswers } from '../shared-answers.ts';
import type { Multiplexer, PaneQuestion } from './multiplexer.ts';

/** STY and WINDOW are what SCREEN itself gave the window's first process; believed only when the pid in STY fits. */
function windowOf(question: PaneQuestion, { processes }: Outside) {
  for (const { pid } of question.inside) {
    const environment = processes.environment(pid);
    const sty = environment?.get('STY');
    const number = environment?.get('WINDOW');
    if (sty === undefined || number === undefined) continue;
    if (sty.startsWith(`${question.owner.pid}.`) && /^\d+$/.test(number)) return { sty, number };
  }
  return null;
}

interface Client {
  readonly pid: number;
  readonly pts: number;
}

const answers = sharedAnswers<readonly Client[]>(100);

/** The `screen` processes on the terminals that SCREEN has open, the one last typed in first. */
function clientsOf(server: number, outside: Outside): Promise<readonly Client[]> {
  const { processes } = outside;
  return answers(outside, String(server), async () => {
    const displays = new Set(processes.openTerminals(server));
    if (displays.size === 0) return [];
    return processes
      .pids()
      .flatMap((pid) => processes.stat(pid) ?? [])
      .flatMap(({ pid, comm, pts }) =>
        comm === 'screen' && pid !== server && pts !== null && displays.has(pts) ? [{ pid, pts }] : [],
      )
      .toSorted((a, b) => (processes.lastInput(b.pts) ?? 0) - (processes.lastInput(a.pts) ?? 0));
  });
}

export const screen: Multiplexer = {
  name: 'screen',

  owns: (owner) => owner.comm === 'screen',

  async follow(question, outside) {
    const { processes } = outside;
    const window = windowOf(question, outside);
    const at = `screen ${window?.sty ?? question.owner.pid}, window ${window?.number ?? '?'}`;
    const clients = await clientsOf(question.owner.pid, outside);
    const pane = { kind: 'screen', id: window?.number ?? `/dev/pts/${question.pts}` } as const;
    if (clients.length === 0) {
      return {
        type: 'not-shown',
        at,
        pane,
        reason: `screen ${window?.sty ?? `with pid ${question.owner.pid}`} is detached`,
        hint: `attach it in a terminal: screen -r ${window?.sty ?? question.owner.pid}`,
      };
    }
    const alone = (processes.masters(question.owner.pid)?.length ?? 0) === 1;
    return {
      type: 'shown',
      at,
      pane,
      viewers: clients.map((client) => ({
        pid: client.pid,
        how: `screen client on /dev/pts/${client.pts}`,
        focused: alone,
        async show() {
          if (alone || window === null) return null;
          const done = await outside.run('screen', ['-S', window.sty, '-X', 'select', window.number]);
          return done === null ? `screen could not show window ${window.number}` : null;
        },
      })),
    };
  },
};
