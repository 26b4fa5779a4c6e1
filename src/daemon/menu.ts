import { type ChildProcess, spawn } from 'node:child_process';
import type { SessionId } from '../sessions/session.ts';
import type { Log } from '../system/log.ts';
import type { ClientEnvironment } from './wire.ts';

/** More than this of what it complains of is never read, characters. */
const LONGEST_COMPLAINT = 4_000;

/** `tsmux menu`, for those who click: in a process of its own, on the display of whoever called last. */
export interface Menu {
  learn(environment: ClientEnvironment): void;
  /** @param session whose choices it shows; null: those of all. While one is open, no other opens. */
  open(session: SessionId | null): void;
}

export function createMenu(parts: {
  readonly log: Log;
  /** What starts tsmux, with absolute paths. */
  readonly program: readonly string[];
  readonly say: (words: string) => void;
}): Menu {
  const [node = '', ...args] = parts.program;
  let display: Readonly<Record<string, string | undefined>> = {};
  let isOpen = false;
  return {
    learn({ DISPLAY, XAUTHORITY, WAYLAND_DISPLAY }) {
      if (DISPLAY === undefined && WAYLAND_DISPLAY === undefined) return;
      display = { DISPLAY, XAUTHORITY, WAYLAND_DISPLAY };
    },
    open(session) {
      if (isOpen) return;
      isOpen = true;
      const child: ChildProcess = spawn(node, [...args, 'menu', ...(session === null ? [] : [session])], {
        detached: true,
        env: { ...process.env, ...display },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      let complaint = '';
      // Where no descriptor is left there is no pipe either.
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        complaint = `${complaint}${text}`.slice(-LONGEST_COMPLAINT);
      });
      child.once('error', (error) => {
        isOpen = false;
        parts.log.warn({ error: error.message }, 'the menu does not start');
      });
      child.once('exit', () => {
        isOpen = false;
      });
      // Later, or never, where the launcher has left something behind that holds the pipe.
      child.once('close', (code) => {
        const words = /^tsmux: menu: (.+)$/m.exec(complaint)?.[1];
        if (code !== 0 && words !== undefined) parts.say(words);
      });
      child.unref();
    },
  };
}
