import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

let counter = 0;

/**
 * Writes a file so that a reader, a crash or a full disk meets the old content or the new one, whole: a temporary
 * file in the same folder, fsync, rename. The mode of a file that is replaced is kept; `mode` is that of a new one.
 * Does not follow links: see `linkTarget`. Throws what node:fs throws, with nothing left behind.
 *
 * @param lastLook called right before the rename; what it throws stops the write.
 */
export function writeAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
  lastLook: () => void = () => {},
): void {
  const temporary = join(dirname(path), `.${process.pid}-${counter++}.tsmux-tmp`);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const kept = modeOf(path) ?? mode;
  const fd = openSync(temporary, 'wx', kept);
  try {
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    // The umask was taken off at open.
    chmodSync(temporary, kept);
    lastLook();
    renameSync(temporary, path);
  } catch (error) {
    try {
      unlinkSync(temporary);
    } catch {
      // It was never made, or has been renamed.
    }
    throw error;
  }
  syncDirectory(dirname(path));
}

/** The rename itself survives a power cut only when its folder is synced; some file systems refuse that. */
function syncDirectory(path: string): void {
  try {
    const fd = openSync(path, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    // The content is on disk all the same.
  }
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode & 0o7777;
  } catch {
    return null;
  }
}

/** Where a chain of links ends, which need not exist yet; the path itself when it is no link. */
export function linkTarget(path: string): string {
  let at = resolve(path);
  for (let hops = 0; hops < 40; hops++) {
    try {
      if (!lstatSync(at).isSymbolicLink()) return at;
    } catch {
      return at;
    }
    const next = readlinkSync(at);
    at = isAbsolute(next) ? next : join(dirname(at), next);
  }
  return at;
}

/** Makes the folder and its parents, 0700, where they do not exist. */
export function ensurePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
