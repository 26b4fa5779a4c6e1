import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { ensurePrivateDirectory, linkTarget, writeAtomically } from '../system/atomic-write.ts';
import { readRegularFile } from '../system/read-file.ts';

/** Bytes of settings.json. */
const largest = 16 * 1024 * 1024;

/** The file as it is: `null` bytes when there is none. A read that fails is no empty file. */
export type ReadSettings =
  | { readonly ok: true; readonly bytes: Buffer | null; readonly target: string }
  | { readonly ok: false; readonly code: string };

export function readSettings(file: string): ReadSettings {
  const target = linkTarget(file);
  try {
    return { ok: true, bytes: readRegularFile(target, largest), target };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    return code === 'ENOENT' ? { ok: true, bytes: null, target } : { ok: false, code };
  }
}

/**
 * Why the file must not be written: home-manager and the like put links into a store where nothing may change, and a
 * user who took the write permission away meant it (root would be let through).
 */
export function readOnlyReason(target: string): string | null {
  if (target.startsWith('/nix/store/') || target.startsWith('/gnu/store/'))
    return 'it is in a read-only store';
  const file = statSync(target, { throwIfNoEntry: false });
  if (file !== undefined && (file.mode & 0o200) === 0) return 'it is write-protected';
  const folder = statSync(dirname(target), { throwIfNoEntry: false });
  if (folder !== undefined && (folder.mode & 0o200) === 0) return 'its folder is write-protected';
  return null;
}

/** Claude Code wrote the file in the meantime (/model and others do). */
export class SettingsChanged extends Error {}

/**
 * Writes through the link, whole or not at all; a new file is the user's own (0600). Throws SettingsChanged when the
 * file is not `expected` any more, else what node:fs throws.
 */
export function writeSettings(target: string, bytes: Uint8Array, expected: Uint8Array | null): void {
  ensurePrivateDirectory(dirname(target));
  writeAtomically(target, bytes, 0o600, () => {
    const now = existsSync(target) ? readRegularFile(target, largest) : null;
    const isExpected = expected === null ? now === null : now?.equals(expected) === true;
    if (!isExpected) throw new SettingsChanged();
  });
}

const Record = z.object({
  file: z.string(),
  /** sha256 of the file as tsmux left it. */
  installed: z.string(),
  /** Base64 of the file as it was before; null when there was none. */
  original: z.nullable(z.string()),
});
type Record = z.infer<typeof Record>;

/**
 * What settings.json was before tsmux, so that removing the hooks gives back the very bytes. One JSON file for each
 * settings file, in the state folder; `<name>.backup` beside it is the first original ever, for the user.
 */
export interface Originals {
  /** The bytes of before, if the file is still as tsmux left it; `undefined` when it is not. */
  before(file: string, now: Uint8Array): Buffer | null | undefined;
  /** Keeps the bytes of before; `undefined`: they are not known any more. */
  keep(file: string, original: Uint8Array | null | undefined, installed: Uint8Array): void;
  backupOf(file: string): string;
}

export function originalsIn(stateDir: string): Originals {
  const folder = join(stateDir, 'settings');
  const nameOf = (file: string): string => join(folder, sha256(Buffer.from(file)).slice(0, 16));

  function record(file: string): Record | null {
    try {
      return Record.parse(JSON.parse(readRegularFile(`${nameOf(file)}.json`, 3 * largest).toString('utf8')));
    } catch {
      return null;
    }
  }

  return {
    before(file, now) {
      const known = record(file);
      if (known === null || known.installed !== sha256(now)) return undefined;
      return known.original === null ? null : Buffer.from(known.original, 'base64');
    },
    keep(file, original, installed) {
      ensurePrivateDirectory(folder);
      if (original !== undefined && original !== null && !existsSync(`${nameOf(file)}.backup`)) {
        writeAtomically(`${nameOf(file)}.backup`, original);
      }
      const kept: Record = {
        file,
        installed: original === undefined ? '' : sha256(installed),
        original:
          original === undefined || original === null ? null : Buffer.from(original).toString('base64'),
      };
      writeAtomically(`${nameOf(file)}.json`, JSON.stringify(kept));
    },
    backupOf: (file) => `${nameOf(file)}.backup`,
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
