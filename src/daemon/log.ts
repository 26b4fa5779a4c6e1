import { mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import pino from 'pino';
import type { Log } from '../system/log.ts';

/** A log that has grown beyond this is put aside, bytes. */
const LARGEST = 4 * 1024 * 1024;

/**
 * The daemon's log: JSON lines in `$XDG_STATE_HOME/tsmux/log`, 0600; the one before it as `log.1`. Where it cannot
 * be written it goes to stderr, and where stderr is gone, nowhere.
 */
export function openLog(path: string, level: string): Log {
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime };
  try {
    return pino(options, openFile(path));
  } catch {
    const stderr = pino.destination({ dest: 2, sync: true });
    stderr.on('error', () => {});
    return pino(options, stderr);
  }
}

function openFile(path: string): pino.DestinationStream {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  let size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  const file = pino.destination({ dest: path, mode: 0o600, sync: true });
  // A full disk must not end the daemon.
  file.on('error', () => {});
  return {
    write(line) {
      if (size > LARGEST) {
        size = 0;
        putAside(path);
        file.reopen();
      }
      size += Buffer.byteLength(line);
      file.write(line);
    },
  };
}

/** In the place of the one that was put aside before. */
function putAside(path: string): void {
  try {
    renameSync(path, `${path}.1`);
  } catch {
    // It was swept away.
  }
}
