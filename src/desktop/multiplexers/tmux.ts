/**
 * tmux (observed with 3.3a). The server owns the PTYs of all panes and has no terminal; its clients have one.
 *
 * One question to the server tells all: which pane has this PTY, in which sessions it is (a pane of grouped
 * sessions is listed once for each), and what each client shows just now. No control client stays attached: it
 * would count as attached, and keep sessions alive that the user has set `destroy-unattached` for.
 */
import * as z from 'zod/mini';
import type { ProcessStat } from '../../system/proc.ts';
import { quoteForSh } from '../../system/quote.ts';
import type { Outside } from '../outside.ts';
import type { PaneScreen } from '../pane-screen.ts';
import { sharedAnswers } from '../shared-answers.ts';
import type { Followed, Multiplexer, PaneQuestion, Viewer } from './multiplexer.ts';
import { sendIfShown } from './tmux-send.ts';

/** A pane as one of the sessions has it. */
interface TmuxPane {
  readonly tty: string;
  /** `%3` */
  readonly pane: string;
  /** `@2` */
  readonly window: string;
  /** `$1` */
  readonly session: string;
  readonly sessionName: string;
}

interface TmuxClient {
  readonly pid: number;
  readonly control: boolean;
  /** Seconds since the epoch. */
  readonly activity: number;
  readonly session: string;
  /** What it shows. */
  readonly window: string;
  readonly pane: string;
}

export interface TmuxServer {
  readonly panes: readonly TmuxPane[];
  readonly clients: readonly TmuxClient[];
}

/** The session's name comes last: it may hold whatever a user types. */
const paneFormat = 'pane #{pane_tty} #{pane_id} #{window_id} #{session_id} #{session_name}';
const clientFormat =
  'client #{client_pid} #{client_control_mode} #{client_activity} #{session_id} #{window_id} #{pane_id}';

const Line = z.union([
  z.tuple([
    z.literal('pane'),
    z.string().check(z.startsWith('/dev/')),
    z.string().check(z.regex(/^%\d+$/)),
    z.string().check(z.regex(/^@\d+$/)),
    z.string().check(z.regex(/^\$\d+$/)),
    z.string(),
  ]),
  z.tuple([
    z.literal('client'),
    z.coerce.number(),
    z.enum(['0', '1']),
    z.coerce.number(),
    z.string(),
    z.string(),
    z.string(),
  ]),
]);

/** What is not understood is left out: a newer tmux must not cost the rest. */
export function parseTmux(text: string): TmuxServer {
  const panes: TmuxPane[] = [];
  const clients: TmuxClient[] = [];
  for (const line of text.split('\n')) {
    const parts = line.split(' ');
    const fields = parts[0] === 'pane' ? [...parts.slice(0, 5), parts.slice(5).join(' ')] : parts;
    const read = z.safeParse(Line, fields);
    if (!read.success) continue;
    if (read.data[0] === 'pane') {
      const [, tty, pane, window, session, sessionName] = read.data;
      panes.push({ tty, pane, window, session, sessionName });
    } else {
      const [, pid, control, activity, session, window, pane] = read.data;
      clients.push({ pid, control: control === '1', activity, session, window, pane });
    }
  }
  return { panes, clients };
}

/** The pane in each session that has it, with the clients that are attached to one of them, the best first. */
function viewersOf(server: TmuxServer, tty: string) {
  const places = server.panes.filter((pane) => pane.tty === tty);
  const clients = server.clients
    .filter((client) => !client.control && places.some((place) => place.session === client.session))
    .toSorted((a, b) => {
      const shows = (client: TmuxClient) => Number(places.some((place) => place.window === client.window));
      return shows(b) - shows(a) || b.activity - a.activity;
    });
  return { place: places[0], places, clients };
}

const sockets = sharedAnswers<readonly string[]>(10_000);

/** The socket is one of the server's own; TMUX only chooses where a server has several. */
async function socketOf(question: PaneQuestion, outside: Outside): Promise<string | null> {
  const { pid: server, startTime } = question.owner;
  const own = await sockets(outside, `${server}:${startTime}`, async () =>
    outside.processes.sockets(server).filter((address) => address.startsWith('/')),
  );
  for (const { pid } of question.inside) {
    const [path, pidInTmux] = outside.processes.environment(pid)?.get('TMUX')?.split(',') ?? [];
    if (path === undefined || pidInTmux !== String(server)) continue;
    if (own.length === 0 || own.includes(path)) return path;
  }
  return own.find((path) => path.includes('tmux')) ?? own[0] ?? null;
}

const answers = sharedAnswers<TmuxServer | null>(100);

function ask(socket: string, outside: Outside): Promise<TmuxServer | null> {
  return answers(outside, socket, async () => {
    // -u: without a UTF-8 locale, which a daemon may not have, tmux prints `_` for every other letter.
    const question = ['list-panes', '-a', '-F', paneFormat, ';', 'list-clients', '-F', clientFormat];
    const text = await outside.run('tmux', ['-u', '-S', socket, ...question]);
    return text === null ? null : parseTmux(text);
  });
}

function isServer(owner: ProcessStat): boolean {
  return owner.comm === 'tmux: server' || owner.comm === 'tmux';
}

export const tmux: Multiplexer = {
  name: 'tmux',

  owns: isServer,

  async follow(question, outside): Promise<Followed> {
    const server = `tmux server (pid ${question.owner.pid})`;
    const socket = await socketOf(question, outside);
    const answer = socket === null ? null : await ask(socket, outside);
    if (socket === null || answer === null) {
      return {
        type: 'not-shown',
        at: server,
        reason:
          socket === null ? 'the socket of its tmux server is not known' : 'its tmux server does not answer',
        hint:
          socket === null
            ? 'is it the tmux of another user?'
            : `try: tmux -S ${quoteForSh(socket)} list-clients`,
      };
    }
    const { place, places, clients } = viewersOf(answer, `/dev/pts/${question.pts}`);
    if (place === undefined) {
      return {
        type: 'not-shown',
        at: server,
        reason: 'its tmux server knows no pane with its terminal',
        hint: 'it may just have been closed',
      };
    }
    const at = `tmux ${place.pane} in session ${place.sessionName}`;
    const pane = { kind: 'tmux', id: place.pane } as const;
    const screen = screenOf(place.pane, socket, outside);
    if (clients.length === 0) {
      return {
        type: 'not-shown',
        at,
        pane,
        screen,
        reason: `tmux session ${place.sessionName} has no client attached`,
        hint: `attach it in a terminal: tmux -S ${quoteForSh(socket)} attach -t ${quoteForSh(`=${place.sessionName}`)}`,
      };
    }
    return {
      type: 'shown',
      at,
      pane,
      screen,
      viewers: clients.map((client): Viewer => {
        const shows = places.some(({ window }) => window === client.window);
        return {
          pid: client.pid,
          how: `tmux client ${client.pid}, which ${shows ? 'shows that window' : 'shows another window'}`,
          focused: client.pane === place.pane,
          show: () => show(client, place, shows, socket, outside),
        };
      }),
    };
  },
};

function screenOf(pane: string, socket: string, outside: Outside): PaneScreen {
  return {
    read: () => outside.run('tmux', ['-u', '-S', socket, 'capture-pane', '-p', '-t', pane]),
    send: (press) => sendIfShown({ ...press, socket, pane }, outside),
  };
}

/** Changes no more than is needed, and only in the session of that client. */
async function show(
  client: TmuxClient,
  place: TmuxPane,
  shows: boolean,
  socket: string,
  outside: Outside,
): Promise<string | null> {
  const commands = [
    ...(shows ? [] : ['select-window', '-t', `${client.session}:${place.window}`, ';']),
    // -Z keeps a zoomed window zoomed, now on the wanted pane.
    ...(client.pane === place.pane ? [] : ['select-pane', '-Z', '-t', place.pane]),
  ];
  if (commands.length === 0) return null;
  const done = await outside.run('tmux', ['-S', socket, ...commands]);
  return done === null ? `tmux could not show pane ${place.pane}` : null;
}
