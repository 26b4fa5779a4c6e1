import { mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import pino from 'pino';
import type { Log } from '../system/log.ts';

/** A log that has grown beyond this at a start of the daemon is put aside, bytes. */
const LARGEST = 4 * 1024 * 1024;

/**
 * The daemon's log: JSON lines in `$XDG_STATE_HOME/tsmux/log`, 0600; the one before it as `log.1`. Where it cannot
 * be written it goes to stderr, and where stderr is gone, nowhere.
 */
export function openLog(path: string, level: string): Log {
  const options = { level, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime };
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > LARGEST) renameSync(path, `${path}.1`);
    const file = pino.destination({ dest: path, mode: 0o600, sync: true });
    // A full disk must not end the daemon.
    file.on('error', () => {});
    return pino(options, file);
  } catch {
    const stderr = pino.destination({ dest: 2, sync: true });
    stderr.on('error', () => {});
    return pino(options, stderr);
  }
}
