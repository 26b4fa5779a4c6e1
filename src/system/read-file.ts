import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';

/** What stands at the path is not to be read. `code` says why, in the place where node:fs has an errno. */
class UnreadableFile extends Error {
  readonly code: 'not a regular file' | 'too large';

  constructor(code: UnreadableFile['code']) {
    super(code);
    this.name = 'UnreadableFile';
    this.code = code;
  }
}

/**
 * Opens a regular file for reading, links followed. Anything may stand at a path that others write or tell: a FIFO
 * would stop the whole process until somebody writes to it, a device has no end, a terminal could become ours.
 *
 * @returns the descriptor, which the caller closes.
 * @throws UnreadableFile, and what node:fs throws.
 */
export function openRegularFile(path: string): number {
  return openRegular(path).fd;
}

function openRegular(path: string): { readonly fd: number; readonly size: number } {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  const stat = fstatSync(fd);
  if (stat.isFile()) return { fd, size: stat.size };
  closeSync(fd);
  throw new UnreadableFile('not a regular file');
}

/**
 * The whole content of a regular file of at most `limit` bytes.
 *
 * @throws UnreadableFile, and what node:fs throws.
 */
export function readRegularFile(path: string, limit: number): Buffer {
  const { fd, size } = openRegular(path);
  try {
    if (size > limit) throw new UnreadableFile('too large');
    return readRange(fd, 0, size);
  } finally {
    closeSync(fd);
  }
}

/** The bytes from `start` to `end`; fewer where the file ends before that. */
export function readRange(fd: number, start: number, end: number): Buffer {
  const buffer = Buffer.allocUnsafe(end - start);
  let done = 0;
  while (done < buffer.length) {
    const count = readSync(fd, buffer, done, buffer.length - done, start + done);
    if (count === 0) break;
    done += count;
  }
  return buffer.subarray(0, done);
}

/** Where the links in a path lead; the path itself where nothing stands there (yet). */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
