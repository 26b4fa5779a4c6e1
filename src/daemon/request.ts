import { connect, type Socket } from 'node:net';
import type { Paths } from '../system/paths.ts';
import { version } from '../system/version.ts';
import { checkRuntimeDir, checkSocketPath } from './instance.ts';
import { CALLER_HEADER, environmentHeaders } from './wire.ts';

export interface Caller {
  readonly paths: Paths;
  readonly uid: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Sends one request to the daemon. HTTP by hand: node:http costs a bar's process more memory than all of its own,
 * and `tsmux list` a sixth of its time. `reply-reader.ts` reads what comes back.
 *
 * @throws Failure when the socket is not one that may be trusted. That nobody listens is an `error` of the socket.
 */
export function sendRequest({ paths, uid, env }: Caller, method: string, path: string, body: string): Socket {
  checkSocketPath(paths.socket);
  checkRuntimeDir(paths.runtime, uid);
  const headers = {
    host: 'tsmux',
    connection: 'close',
    ...environmentHeaders(env),
    'tsmux-version': version,
    [CALLER_HEADER]: `${process.pid}`,
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(paths.socket);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket;
}
