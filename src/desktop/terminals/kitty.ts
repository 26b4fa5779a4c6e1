/**
 * kitty (observed with 0.26.5), where the user has set `allow_remote_control` and `listen_on`: what `kitty @ ls`
 * asks is asked at its socket (kitty docs, "The kitty remote control protocol"), in 2 ms instead of 300.
 *
 * KITTY_LISTEN_ON and KITTY_WINDOW_ID may be inherited from another kitty: the socket must be one of the owner's
 * own, and the kitty window is the one whose child is on the PTY. Under Wayland `platform_window_id` is null; then
 * the title tells, where it is the only one.
 */
import { connect } from 'node:net';
import * as z from 'zod/mini';
import type { Outside } from '../outside.ts';
import { sharedAnswers } from '../shared-answers.ts';
import { given, type Terminal, type TerminalQuestion } from './terminal.ts';

const KittyWindow = z.object({
  id: z.number(),
  pid: z.number(),
  is_active: z.optional(z.boolean()),
  is_focused: z.optional(z.boolean()),
});
const Tab = z.object({
  id: z.number(),
  is_active: z.optional(z.boolean()),
  active_window_history: z.optional(z.array(z.number())),
  title: z.string(),
  windows: z.array(KittyWindow),
});
const OsWindows = z.array(z.object({ platform_window_id: z.nullish(z.number()), tabs: z.array(Tab) }));
export type KittyState = z.infer<typeof OsWindows>;

const Reply = z.object({ ok: z.boolean(), data: z.optional(z.unknown()) });

/** `unix:/path`, `unix:@name`; anything else (tcp:) is not followed. */
function addressOf(listenOn: string): string | null {
  return /^unix:(.+)$/.exec(listenOn)?.[1] ?? null;
}

/** One command, one reply, each `ESC P @kitty-cmd JSON ESC \`. Null where remote control is off, or needs a password. */
export function askKitty(
  address: string,
  command: string,
  payload: object,
  outside: Outside,
): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = connect(address.startsWith('@') ? `\0${address.slice(1)}` : address);
    let text = '';
    const end = (answer: unknown) => {
      stop();
      socket.destroy();
      resolve(answer);
    };
    const stop = outside.clock.after(2000, () => end(null));
    socket.setEncoding('utf8');
    socket.on('error', () => end(null));
    socket.on('close', () => end(null));
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > 8 << 20) return end(null);
      const reply = /\x1bP@kitty-cmd(.*?)\x1b\\/s.exec(text)?.[1];
      if (reply !== undefined) end(readReply(reply));
    });
    const message = { cmd: command, version: [0, 26, 0], no_response: false, payload };
    socket.write(`\x1bP@kitty-cmd${JSON.stringify(message)}\x1b\\`);
  });
}

function readReply(text: string): unknown {
  try {
    const reply = z.safeParse(Reply, JSON.parse(text));
    return reply.success && reply.data.ok ? (reply.data.data ?? true) : null;
  } catch {
    return null;
  }
}

/** The data of `ls` is JSON in a string. */
export function parseKittyState(data: unknown): KittyState | null {
  if (typeof data !== 'string') return null;
  try {
    const read = z.safeParse(OsWindows, JSON.parse(data));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

const states = sharedAnswers<KittyState | null>(100);

function stateOf(address: string, outside: Outside): Promise<KittyState | null> {
  return states(outside, address, async () => parseKittyState(await askKitty(address, 'ls', {}, outside)));
}

/** The kitty window whose child is on the PTY, with what is around it. */
export function findIn(state: KittyState, question: TerminalQuestion) {
  const pids = new Set(question.inside.map(({ pid }) => pid));
  for (const os of state) {
    for (const tab of os.tabs) {
      const window = tab.windows.find(({ pid }) => pids.has(pid));
      if (window === undefined) continue;
      const tabShown = tab.is_active ?? os.tabs.length === 1;
      const active = window.is_active ?? (tab.active_window_history?.at(-1) ?? window.id) === window.id;
      const byId = question.windows.filter(({ id }) => id !== null && id === os.platform_window_id);
      const byTitle = question.windows.filter(({ title }) => tabShown && title === tab.title);
      const windows = byId.length === 1 ? byId : byTitle;
      return { id: window.id, focused: tabShown && active, windows };
    }
  }
  return null;
}

export const kitty: Terminal = {
  name: 'kitty',

  is: (process) => process.comm === 'kitty',

  showsTitle: true,

  async ask(question, outside) {
    const address = addressOf(given(question, 'KITTY_LISTEN_ON', outside) ?? '');
    if (address === null || !outside.processes.sockets(question.process.pid).includes(address)) return null;
    const state = await stateOf(address, outside);
    const found = state === null ? null : findIn(state, question);
    if (found === null) return null;
    return {
      windows: found.windows.length === 1 || question.windows.length > 1 ? found.windows : question.windows,
      how: `kitty says that its window ${found.id} is there`,
      pane: {
        id: String(found.id),
        focused: found.focused,
        async show() {
          if (found.focused) return null;
          const done = await askKitty(address, 'focus-window', { match: `id:${found.id}` }, outside);
          return done === null ? `kitty could not show its window ${found.id}` : null;
        },
      },
    };
  },
};
