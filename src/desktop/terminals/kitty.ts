/**
 * kitty (observed with 0.26.5), where the user has set `allow_remote_control` and `listen_on`: what `kitty @ ls`
 * asks is asked at its socket (kitty docs, "The kitty remote control protocol").
 *
 * KITTY_LISTEN_ON and KITTY_WINDOW_ID may be inherited from another kitty: the socket must be one of the owner's
 * own, and the kitty window is the one whose child is on the PTY. Under Wayland `platform_window_id` is null; then
 * the title tells, where it is the only one.
 */
import { connect } from 'node:net';
import * as z from 'zod/mini';
import type { Outside } from '../outside.ts';
import type { PaneScreen } from '../pane-screen.ts';
import { sharedAnswers } from '../shared-answers.ts';
import { given, type Terminal, type TerminalQuestion } from './terminal.ts';

// 0.26 calls it is_active_window and is_active_tab, later versions is_active.
const KittyWindow = z.object({
  id: z.number(),
  pid: z.number(),
  is_active_window: z.optional(z.boolean()),
  is_active: z.optional(z.boolean()),
});
const Tab = z.object({
  title: z.string(),
  is_active_tab: z.optional(z.boolean()),
  is_active: z.optional(z.boolean()),
  windows: z.array(KittyWindow),
});
const OsWindows = z.array(z.object({ platform_window_id: z.nullish(z.number()), tabs: z.array(Tab) }));
export type KittyState = z.infer<typeof OsWindows>;

const Reply = z.object({ ok: z.boolean(), data: z.optional(z.unknown()) });

/** `unix:/path`, `unix:@name`; anything else (tcp:) is not followed. */
function addressOf(listenOn: string): string | null {
  return /^unix:(.+)$/.exec(listenOn)?.[1] ?? null;
}

type Command =
  | { readonly name: 'ls' }
  | { readonly name: 'focus-window'; readonly match: string }
  | { readonly name: 'get-text'; readonly match: string }
  | { readonly name: 'send-text'; readonly match: string; readonly text: string };

/** Null where remote control is off, or needs a password. */
function askKitty(address: string, command: Command, outside: Outside): Promise<unknown> {
  // Node.js 20 pads the name of an abstract socket with zeros, and so reaches nobody else's.
  return address.startsWith('@') ? askByProgram(address, command, outside) : askAt(address, command, outside);
}

function askByProgram(address: string, command: Command, outside: Outside): Promise<string | null> {
  const match = 'match' in command ? ['--match', command.match] : [];
  const text = 'text' in command ? [command.text] : [];
  return outside.run('kitty', ['@', '--to', `unix:${address}`, command.name, ...match, ...text]);
}

function payloadOf(command: Command): object {
  switch (command.name) {
    case 'ls':
      return {};
    case 'focus-window':
      return { match: command.match };
    case 'get-text':
      return { match: command.match, extent: 'screen' };
    case 'send-text':
      return { match: command.match, data: `text:${command.text}` };
  }
}

/** One command, one reply, each `ESC P @kitty-cmd JSON ESC \`. */
function askAt(path: string, command: Command, outside: Outside): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = connect(path);
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
    const payload = payloadOf(command);
    const message = { cmd: command.name, version: [0, 26, 0], no_response: false, payload };
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
/** The program takes 300 ms to start before kitty 0.30. */
const dearStates = sharedAnswers<KittyState | null>(3000);

function stateOf(address: string, outside: Outside): Promise<KittyState | null> {
  const share = address.startsWith('@') ? dearStates : states;
  return share(outside, address, async () =>
    parseKittyState(await askKitty(address, { name: 'ls' }, outside)),
  );
}

/** The kitty window whose child is on the PTY, with what is around it. */
export function findIn(state: KittyState, question: TerminalQuestion) {
  const pids = new Set(question.inside.map(({ pid }) => pid));
  for (const os of state) {
    for (const tab of os.tabs) {
      const window = tab.windows.find(({ pid }) => pids.has(pid));
      if (window === undefined) continue;
      const tabShown = tab.is_active_tab ?? tab.is_active ?? os.tabs.length === 1;
      const active = window.is_active_window ?? window.is_active ?? tab.windows.length === 1;
      const byId = question.windows.filter(({ id }) => id !== null && id === os.platform_window_id);
      const byTitle = question.windows.filter(({ title }) => tabShown && title === tab.title);
      const windows = byId.length === 1 ? byId : byTitle;
      return { id: window.id, focused: tabShown && active, windows };
    }
  }
  return null;
}

/**
 * kitty cannot test and send in one step: between the last look and the key its window may change. The prompt may
 * have been answered there in these milliseconds; then the key is typed into whatever comes next.
 */
function screenOf(address: string, match: string, outside: Outside): PaneScreen {
  const read = async () => {
    const text = await askKitty(address, { name: 'get-text', match }, outside);
    return typeof text === 'string' ? text : null;
  };
  return {
    read,
    async send({ key, lines }) {
      const shown = (await read())?.split('\n').map((line) => line.trimEnd()) ?? [];
      if (lines.length === 0 || !lines.every((line) => shown.includes(line.trimEnd()))) return 'refused';
      const sent = await askKitty(address, { name: 'send-text', match, text: key }, outside);
      return sent === null ? 'failed' : 'sent';
    },
  };
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
          const done = await askKitty(address, { name: 'focus-window', match: `id:${found.id}` }, outside);
          return done === null ? `kitty could not show its window ${found.id}` : null;
        },
        screen: screenOf(address, `id:${found.id}`, outside),
      },
    };
  },
};
