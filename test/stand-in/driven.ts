import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { until } from '../support/until.ts';
import type { Key, Terminal } from './terminals.ts';

/** A Claude Code that a test drives as its user does: by its terminal, and by what it shows in its files. */
export interface DrivenClaude {
  readonly pid: number;
  readonly terminal: Terminal;
  readonly configDir: string;
  readonly cwd: string;
  /** Types a line into the prompt box and sends it. */
  type(text: string): Promise<void>;
  press(...keys: readonly Key[]): Promise<void>;
  /** Waits until a dialog stands on the screen and hears keys. */
  ready(): Promise<void>;
  /** Presses a key at a dialog, again if Claude did not take it, until the dialog is over. */
  answer(key: Key): Promise<void>;
  screen(): Promise<string>;
  /** The options of the dialog on the screen, as it numbers them: `1. Yes`. */
  options(): Promise<readonly string[]>;
  shows(text: string | RegExp): Promise<void>;
  /** What `sessions/<pid>.json` says; null when there is none, or only half of one. */
  sessionFile(): SessionFile | null;
  /** Waits until the session file says so. */
  is(status: string, waitingFor?: string): Promise<SessionFile>;
  /** The lines of a transcript; of that of the current conversation if no other is named. */
  transcript(sessionId?: string): readonly Line[];
  /** `/exit`, and waits until it is gone. */
  exit(): Promise<void>;
  /** A signal, SIGKILL if no other is named, and waits until it is gone. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  isAlive(): boolean;
}

export const SessionFile = z.looseObject({
  pid: z.number(),
  sessionId: z.string(),
  status: z.optional(z.string()),
  waitingFor: z.optional(z.string()),
  statusUpdatedAt: z.optional(z.number()),
});
export type SessionFile = z.infer<typeof SessionFile>;

const Line = z.looseObject({ type: z.string() });
export type Line = z.infer<typeof Line>;

/** How patient a test is with Claude Code, ms. Starting 400 MB of program on a busy machine takes a while. */
const LIMIT = 20_000;
/** An option list with its first option chosen, or a dialog without numbers. */
const DIALOG = /❯\s*\d\.|Esc to (cancel|exit)/;
/** A permission dialog ignores keys for up to 0.75 s after the status says `waiting` (seen with 2.1.332). */
const DEAF = 1500;
/** From when on a dialog that is on the screen hears for sure: nothing on it tells. */
const DEAF_FOR_SURE = 800;

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

export function drive(terminal: Terminal, configDir: string, cwd: string): DrivenClaude {
  const { pid } = terminal;

  function sessionFile(): SessionFile | null {
    try {
      return SessionFile.parse(JSON.parse(readFileSync(join(configDir, 'sessions', `${pid}.json`), 'utf8')));
    } catch {
      return null;
    }
  }

  function transcript(id = sessionFile()?.sessionId): readonly Line[] {
    const projects = join(configDir, 'projects');
    // The folder comes with the first prompt.
    for (const folder of existsSync(projects) ? readdirSync(projects) : []) {
      try {
        const text = readFileSync(join(projects, folder, `${id}.jsonl`), 'utf8');
        return text.split('\n').flatMap((line) => (line === '' ? [] : [Line.parse(JSON.parse(line))]));
      } catch {
        // In another folder, or a line is being written.
      }
    }
    return [];
  }

  const gone = () =>
    until(() => !isRunning(pid), { why: `the end of Claude Code (pid ${pid})`, limit: LIMIT });
  const shown = async (text: string | RegExp) => {
    const screen = await terminal.screen();
    return typeof text === 'string' ? screen.includes(text) : text.test(screen);
  };
  const shows = async (text: string | RegExp) =>
    void (await until(() => shown(text), {
      why: `"${text}" on the screen`,
      limit: LIMIT,
      saw: terminal.screen,
    }));

  async function type(text: string): Promise<void> {
    await terminal.write(text);
    // Enter right behind the text would be taken for a pasted line break.
    if (terminal.kind !== 'pty') await shows(text);
    await terminal.press('Enter');
  }

  return {
    pid,
    terminal,
    configDir,
    cwd,
    type,
    shows,
    sessionFile,
    transcript,
    ready: async () => {
      await shows(DIALOG);
      await new Promise((heard) => setTimeout(heard, DEAF_FOR_SURE));
    },
    press: async (...keys) => {
      for (const key of keys) await terminal.press(key);
    },
    answer: async (key) => {
      // A key that comes before the dialog lands in the prompt box, and the status says `waiting` first.
      const open = () => [undefined, 'waiting'].includes(sessionFile()?.status);
      await until(open, { why: 'a dialog', limit: LIMIT, saw: terminal.screen });
      await shows(DIALOG);
      const asked = sessionFile()?.statusUpdatedAt;
      const over = () => {
        const now = sessionFile();
        return now === null ? !isRunning(pid) : now.statusUpdatedAt !== asked;
      };
      for (let tries = 1; ; tries++) {
        await terminal.press(key);
        try {
          return void (await until(over, {
            why: `Claude Code to take ${key}`,
            limit: DEAF,
            saw: terminal.screen,
          }));
        } catch (error) {
          if (tries === 3) throw error;
        }
      }
    },
    screen: terminal.screen,
    options: async () => {
      await shows(DIALOG);
      const screen = await terminal.screen();
      return [...screen.matchAll(/^\s*❯?\s*(\d+\. .*\S)/gm)].map((match) => match[1] ?? '');
    },
    is: (status, waitingFor) =>
      until(
        () => {
          const file = sessionFile();
          return (
            file?.status === status && (waitingFor === undefined || file.waitingFor === waitingFor) && file
          );
        },
        { why: `status ${status}`, limit: LIMIT, saw: async () => [sessionFile(), await terminal.screen()] },
      ),
    exit: async () => {
      await type('/exit');
      await gone();
    },
    kill: async (signal = 'SIGKILL') => {
      process.kill(pid, signal);
      await gone();
    },
    isAlive: () => isRunning(pid),
  };
}
