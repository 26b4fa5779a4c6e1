import { type BigIntStats, closeSync, fstatSync, statSync } from 'node:fs';
import { isShortage } from './error-code.ts';
import { openRegularFile, readRange } from './read-file.ts';

/** What a read of the tail brought. */
export interface TailRead {
  /** Whole lines without their newline, in order; invalid UTF-8 has become U+FFFD. */
  readonly lines: readonly string[];
  /** True for the first read, and when the file was replaced, truncated, or grew by more than is caught up with. */
  readonly fresh: boolean;
}

export interface Tail {
  /** What came since the last read. Nothing, when the file is not there: it may come (back). @throws a shortage. */
  read(): TailRead;
}

export interface TailLimits {
  /** Bytes from the end that a fresh read takes first. */
  readonly window: number;
  /** Up to how many bytes the window grows while `enough` says no. */
  readonly maxWindow: number;
  /** Longer lines are skipped. */
  readonly maxLine: number;
}

const tailLimits: TailLimits = { window: 64 * 1024, maxWindow: 1024 * 1024, maxLine: 8 * 1024 * 1024 };

const newline = 10;
const chunkSize = 256 * 1024;
const nothing: TailRead = { lines: [], fresh: false };

/**
 * Follows a file that only grows, by offset: time and memory depend on what is new, never on the size. The last
 * line is kept back until its newline is there. The file may vanish, come back, be replaced or truncated.
 *
 * @param enough tells from the lines of a fresh read whether the window must grow.
 */
export function createTail(
  path: string,
  enough: (lines: readonly string[]) => boolean = () => true,
  limits: TailLimits = tailLimits,
): Tail {
  /** Inode and birth: inode numbers are used again at once. */
  let identity: string | null = null;
  let offset = 0;
  /** Inside a line that is too long: everything up to the next newline is dropped. */
  let skipping = false;

  function readFresh(fd: number, size: number): TailRead {
    let window = limits.window;
    for (;;) {
      const start = Math.max(0, size - window);
      const bytes = readRange(fd, start, size);
      // A window that starts inside the file starts inside a line.
      const first = start === 0 ? 0 : bytes.indexOf(newline) + 1;
      const cut = start > 0 && first === 0;
      const lines = cut ? [] : splitLines(bytes, first);
      if (start === 0 || window >= limits.maxWindow || (!cut && enough(lines))) {
        const last = bytes.lastIndexOf(newline);
        skipping = cut && last < 0;
        offset = skipping ? size : start + (last < 0 ? 0 : last + 1);
        return { lines, fresh: true };
      }
      window *= 4;
    }
  }

  function readOn(fd: number, size: number): TailRead {
    const lines: string[] = [];
    let pending: Buffer[] = [];
    let pendingSize = 0;
    let at = offset;
    while (at < size) {
      const chunk = readRange(fd, at, Math.min(size, at + chunkSize));
      if (chunk.length === 0) break;
      const last = chunk.lastIndexOf(newline);
      if (last < 0) {
        pending.push(chunk);
        pendingSize += chunk.length;
      } else {
        const whole = Buffer.concat([...pending, chunk.subarray(0, last + 1)]);
        lines.push(...splitLines(whole, skipping ? whole.indexOf(newline) + 1 : 0));
        skipping = false;
        offset = at + last + 1;
        pending = [chunk.subarray(last + 1)];
        pendingSize = chunk.length - last - 1;
      }
      at += chunk.length;
      if (skipping || pendingSize > limits.maxLine) {
        skipping = true;
        pending = [];
        pendingSize = 0;
        offset = at;
      }
    }
    return { lines: lines.filter((line) => line.length <= limits.maxLine), fresh: false };
  }

  return {
    read() {
      let fd: number;
      try {
        // Most looks find it as it was, or not at all: they need not open it.
        const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
        if (stat === undefined || (identityOf(stat) === identity && Number(stat.size) === offset))
          return nothing;
        fd = openRegularFile(path);
      } catch (error) {
        if (isShortage(error)) throw error;
        return nothing;
      }
      try {
        const stat = fstatSync(fd, { bigint: true });
        const size = Number(stat.size);
        const found = identityOf(stat);
        const known = found === identity && size >= offset && size - offset <= 4 * limits.maxLine;
        identity = found;
        if (!known) {
          skipping = false;
          return readFresh(fd, size);
        }
        return size === offset ? nothing : readOn(fd, size);
      } catch {
        return nothing;
      } finally {
        closeSync(fd);
      }
    },
  };
}

function identityOf({ ino, birthtimeNs }: BigIntStats): string {
  return `${ino}:${birthtimeNs}`;
}

/** The whole lines from `start` on; empty ones are left out. */
function splitLines(bytes: Buffer, start: number): string[] {
  const lines: string[] = [];
  let from = start;
  for (let end = bytes.indexOf(newline, from); end >= 0; end = bytes.indexOf(newline, from)) {
    if (end > from) lines.push(bytes.toString('utf8', from, end));
    from = end + 1;
  }
  return lines;
}

/** Modification time in ms since the epoch; null where there is no such file. */
export function modifiedAt(path: string): number | null {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return null;
  }
}
