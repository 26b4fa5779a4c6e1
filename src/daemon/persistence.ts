import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { ensurePrivateDirectory } from '../system/atomic-write.ts';
import type { Cancel, Clock } from '../system/clock.ts';
import { hasCode } from '../system/error-code.ts';
import type { Log } from '../system/log.ts';
import { readRegularFile } from '../system/read-file.ts';

/** What survives the daemon: `$XDG_STATE_HOME/tsmux/state.json`, 0600. */
export interface Saved {
  /** Taken back by `createRegistry`, which checks it. */
  readonly registry: unknown;
  /** Taken back by `keepQuiet`, which checks it. */
  readonly quiet: unknown;
  /** Taken back by `keepSlots`, which checks it. */
  readonly slots: unknown;
  /** Taken back by `createTelling`, which checks it. */
  readonly told: unknown;
}

const schema = z.object({
  version: z.literal(1),
  registry: z.unknown(),
  quiet: z.optional(z.unknown()),
  slots: z.optional(z.unknown()),
  told: z.optional(z.unknown()),
});

/** Bytes; some hundred sessions have less. */
const LARGEST = 16 * 1024 * 1024;

/** How long to gather changes before they are written, ms: the sources tell again what is lost by a `kill -9`. */
const DELAY = { wish: 1_000, state: 20_000, detail: 60_000 };

/** Null where nothing was saved, or nothing that this tsmux understands. */
export function readSaved(path: string, log: Log): Saved | null {
  const read = readWritten(path, schema, log);
  if (read === null) return null;
  const { registry, quiet, slots, told } = read;
  return { registry, quiet, slots, told };
}

/** What `createPersistence` has written there, of this or an earlier daemon; null where there is nothing of the kind. */
export function readWritten<T extends z.ZodMiniType>(path: string, shape: T, log: Log): z.infer<T> | null {
  let text: string;
  try {
    text = readRegularFile(path, LARGEST).toString('utf8');
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) log.warn({ path, error: String(error) }, 'cannot read what was saved');
    return null;
  }
  try {
    return shape.parse(JSON.parse(text));
  } catch {
    log.warn({ path }, 'what was saved is not of this tsmux; it starts afresh');
    return null;
  }
}

export interface Persistence {
  /** Something worth keeping changed: what the user wished, or was told; a state; or one of the many details. */
  touch(what?: keyof typeof DELAY): void;
  /** Writes what is not written yet. */
  flush(): void;
  /** What is wrong with the place where the state is kept; null when it is written. */
  trouble(): string | null;
}

/**
 * Keeps the state on disk. Where it cannot be written (disk full, read-only) that is said once, tried again with
 * the next change, and costs nothing but the memory of it over a restart.
 */
export function createPersistence(parts: {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly save: () => object;
  /** Throws when it cannot. */
  readonly write: (path: string, text: string) => void;
}): Persistence {
  const { path, clock, log } = parts;
  let due: { readonly at: number; readonly cancel: Cancel } | null = null;
  let written = '';
  let trouble: string | null = null;

  function flush(): void {
    due?.cancel();
    due = null;
    const text = `${JSON.stringify({ version: 1, ...parts.save() })}\n`;
    if (text === written) return;
    try {
      ensurePrivateDirectory(dirname(path));
      parts.write(path, text);
      written = text;
      if (trouble !== null) log.info({ path }, 'the state is saved again');
      trouble = null;
    } catch (error) {
      if (trouble === null) log.warn({ path, error: String(error) }, 'cannot save the state; kept in memory');
      trouble = String(error);
    }
  }

  return {
    touch(what = 'wish') {
      const at = clock.now() + DELAY[what];
      if (due !== null && due.at <= at) return;
      due?.cancel();
      const wait = what === 'wish' ? clock.after : clock.around;
      due = { at, cancel: wait(DELAY[what], flush) };
    },
    flush,
    trouble: () => trouble,
  };
}
