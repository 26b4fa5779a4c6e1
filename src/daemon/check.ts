import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import type { Check } from '../system/check.ts';
import { hasCode } from '../system/error-code.ts';
import { Failure } from '../system/failure.ts';
import type { Paths } from '../system/paths.ts';
import { version } from '../system/version.ts';
import { createClient } from './client.ts';
import { openRuntimeDir } from './instance.ts';
import type { WireHealth } from './wire.ts';

/** The daemon, its socket, and the folder of its state. Starts nothing, but makes the folder of the socket. */
export async function check(paths: Paths, uid: number): Promise<readonly Check[]> {
  return [await checkDaemon(paths, uid), checkState(paths.state)];
}

async function checkDaemon(paths: Paths, uid: number): Promise<Check> {
  const name = 'daemon';
  const client = createClient({ paths, uid, env: {}, entry: null, say: () => {} });
  try {
    // Where it cannot be had no command starts a daemon either.
    openRuntimeDir(paths.runtime, uid);
    const health = (await client.request('GET', '/v1/health')) as WireHealth;
    const detail = `version ${health.version}, pid ${health.pid}, ${health.sessions} sessions`;
    if (health.version !== version) {
      return { name, status: 'warning', detail, hint: `this is ${version}; end the other with: tsmux stop` };
    }
    if (health.trouble !== null) {
      return {
        name,
        status: 'warning',
        detail: `${detail}; cannot save: ${health.trouble}`,
        hint: 'make room',
      };
    }
    return { name, status: 'ok', detail, hint: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const absent = error.code === 'no-daemon' && error.message === 'no daemon runs';
    const hint = absent ? 'every command starts it' : error.hint;
    return { name, status: absent ? 'absent' : 'broken', detail: error.message, hint };
  }
}

function checkState(path: string): Check {
  const name = 'state';
  let folder = path;
  try {
    for (;;) {
      try {
        accessSync(folder, constants.W_OK | constants.X_OK);
        return { name, status: 'ok', detail: path, hint: null };
      } catch (error) {
        if (!hasCode(error, 'ENOENT') || folder === dirname(folder)) throw error;
        folder = dirname(folder);
      }
    }
  } catch {
    const detail = `${folder} cannot be written: labels and history are forgotten when the daemon ends`;
    return { name, status: 'warning', detail, hint: `chown it to yourself, or set XDG_STATE_HOME` };
  }
}
