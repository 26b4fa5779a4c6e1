import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Cancel, Clock } from '../system/clock.ts';
import { hasCode, isFull, isShortage } from '../system/error-code.ts';
import type { Log } from '../system/log.ts';
import { readRegularFile } from '../system/read-file.ts';
import { modifiedAt } from '../system/tail.ts';
import { watchDirectory } from '../system/watch.ts';
import { DAEMON, hookTime } from './hook-script.ts';
import { type HookSender, hookBodyLimit } from './hooks.ts';

/** Where hooks leave what happened: one file for each event, of which the script tells the form. */
export interface Inbox {
  /** Whoever comes later is told that nobody reads here; what is left stays for the next daemon. */
  close(): void;
}

export interface InboxOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** One event, in the order of their times as far as they are there together. */
  readonly take: (body: string, sender: HookSender) => void;
}

/** The script writes within moments; what is still no JSON after that never will be, ms. */
const PATIENCE = 40_000;

/** Whoever sweeps it away is not to find it again while he is at it, ms. */
const SWEPT = 5_000;

/** Where no daemon ran for so long, the session's own file tells more, ms. */
const OLDEST = 600_000;

/** Between its begin and its end a script takes no longer, ms. */
const SAME_CLOCK = 60_000;

/** What began so short a time ago by our clock was not told by another one, ms. */
const JUST_NOW = 5_000;

/** So many names of files that were taken are known: each is told of again as it is removed. */
const TAKEN_KEPT = 100;

/** How long until what could not be read is tried again, ms. */
const UNREADABLE = 1_000;

/** PID.UPTIME, as the script names it. */
const NAME = /^\d+\.(\d+(?:\.\d+)?)$/;

/** Where there is no room left it opens as soon as there is. @throws what else node:fs throws when the folder cannot be made. */
export function openInbox({ folder, clock, log, take }: InboxOptions): Inbox {
  const sign = join(folder, DAEMON);
  let closed = false;
  /** There is no room for its sign. */
  let full = false;
  let sweeping: Cancel | null = null;
  /** Files that were not whole yet, and when they are given up. */
  const halves = new Map<string, Cancel>();
  const taken = new Set<string>();
  prepare({ recursive: true });
  const watch = watchDirectory(folder, {
    clock,
    changed: (name) => (name === null ? sweep() : look(name)),
  });
  sweep();

  function prepare(how: { readonly recursive: boolean }): void {
    try {
      mkdirSync(folder, { ...how, mode: 0o700 });
      writeFileSync(sign, `${process.pid}\n`, { mode: 0o600 });
      full = false;
    } catch (error) {
      if (!isFull(error)) throw error;
      if (!full) log.warn({ error: String(error) }, 'hooks can leave nothing for now');
      full = true;
      clock.after(SWEPT, remake);
    }
  }

  function isSigned(): boolean {
    try {
      return readFileSync(sign, 'utf8').trim() === String(process.pid);
    } catch {
      return false;
    }
  }

  function sweep(): void {
    const names = listed().filter((name) => NAME.test(name));
    for (const name of names.sort((a, b) => uptimeIn(a) - uptimeIn(b))) look(name);
  }

  /** Where somebody has swept the folder away there is a new one soon, unless all around it has gone. */
  function listed(): readonly string[] {
    try {
      return readdirSync(folder);
    } catch (error) {
      if (isShortage(error)) sweepLater();
      else clock.after(SWEPT, remake);
      return [];
    }
  }

  function remake(): void {
    if (closed || isSigned()) return;
    try {
      // The folder may be there, without its sign; what is around it is not made again.
      prepare({ recursive: existsSync(folder) });
    } catch (error) {
      log.info({ error: String(error) }, 'hooks can leave nothing');
    }
  }

  function look(name: string): void {
    if (taken.has(name) || !NAME.test(name)) return;
    const path = join(folder, name);
    try {
      const text = readRegularFile(path, hookBodyLimit).toString('utf8');
      const body = bodyIn(text);
      if (body === null) wait(name);
      else {
        halves.get(name)?.();
        halves.delete(name);
        takeWhole(name, body, senderIn(text, path, clock.now()));
      }
    } catch (error) {
      if (isShortage(error)) sweepLater();
      else if (!hasCode(error, 'ENOENT')) drop(path, String(error));
    }
  }

  function takeWhole(name: string, body: string, sender: HookSender): void {
    const path = join(folder, name);
    if (sender.start === null) drop(path, 'it is too old');
    else {
      unlinkSync(path);
      taken.add(name);
      for (const old of taken) if (taken.size > TAKEN_KEPT) taken.delete(old);
      handOver(body, sender);
    }
  }

  /** What cannot be read for want of descriptors is left where it is. */
  function sweepLater(): void {
    sweeping ??= clock.after(UNREADABLE, () => {
      sweeping = null;
      sweep();
    });
  }

  /** A fault that one event brings to light must not cost those behind it, and not stay unknown. */
  function handOver(body: string, sender: HookSender): void {
    try {
      take(body, sender);
    } catch (error) {
      log.error(
        { error: error instanceof Error ? error.stack : String(error) },
        'an event was not understood',
      );
    }
  }

  function wait(name: string): void {
    if (halves.has(name)) return;
    const giveUp = clock.around(PATIENCE, () => {
      halves.delete(name);
      drop(join(folder, name), 'it is no JSON');
    });
    halves.set(name, giveUp);
  }

  function drop(path: string, why: string): void {
    try {
      unlinkSync(path);
      log.info({ why }, 'what a hook left says nothing');
    } catch {
      // It has gone by itself.
    }
  }

  return {
    close() {
      closed = true;
      sweeping?.();
      watch.close();
      try {
        if (!isSigned()) return;
        unlinkSync(sign);
        rmdirSync(folder);
      } catch {
        // What is left stays for the next daemon; or the folder was swept away.
      }
    },
  };
}

const uptimeIn = (name: string): number => Number(NAME.exec(name)?.[1]);

/** What Claude Code said; null while there is only a part of it, for a part of an object is no JSON. */
function bodyIn(text: string): string | null {
  const body = text.slice(text.indexOf('\n') + 1);
  if (!body.trimEnd().endsWith('}')) return null;
  try {
    JSON.parse(body);
    return body;
  } catch {
    return null;
  }
}

/**
 * The script's own line: PID UPTIME. In a time namespace (time_namespaces(7)), or a container that counts its uptime by
 * itself, that is of another clock: then the hook began about when its file was written.
 */
function senderIn(text: string, path: string, now: number): HookSender {
  const [pid, uptime] = text.slice(0, text.indexOf('\n')).split(' ');
  const parent = Number(pid);
  const began = hookTime({ 'hook-uptime': uptime }, now, OLDEST);
  const isJustNow = began !== null && now - began < JUST_NOW;
  return {
    pid: Number.isSafeInteger(parent) ? parent : null,
    start: isJustNow ? began : nearWriting(began, path, now),
  };
}

/** When it was written, where it did not begin near to that by our clock. */
function nearWriting(began: number | null, path: string, now: number): number | null {
  const written = hookTime({ 'hook-start': modifiedAt(path) }, now, OLDEST);
  const isOurs = began !== null && (written === null || Math.abs(written - began) < SAME_CLOCK);
  return isOurs ? began : written;
}
