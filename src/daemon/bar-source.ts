import { connect, type Socket } from 'node:net';
import type { BarSource } from '../bars/client/source.ts';
import { version } from '../system/version.ts';
import type { ClientParts } from './client.ts';
import { checkRuntimeDir, checkSocketPath } from './instance.ts';
import { createReplyReader } from './reply-reader.ts';
import { environmentHeaders } from './wire.ts';

/**
 * The daemon, as the process of a bar sees it. Nothing here throws or writes: a bar that cannot reach the daemon
 * shows that, and comes back. It speaks HTTP by hand, as node:http costs a bar more memory than all of its own.
 */
export function createBarSource(parts: ClientParts): { source: BarSource; startDaemon: () => void } {
  return {
    source: {
      open(path, onLine, onEnd) {
        let over = false;
        let orderly = false;
        const end = () => {
          if (over) return;
          over = true;
          socket?.destroy();
          onEnd(orderly);
        };
        const read = createReplyReader({
          onLine: (line) => {
            if (!over) onLine(line);
          },
          onWhole: () => {
            orderly = true;
            end();
          },
          onRefused: end,
        });
        const socket = send(parts, 'GET', path, '');
        socket?.on('data', read).on('close', end);
        if (socket === null) setImmediate(end);
        return () => {
          over = true;
          socket?.destroy();
        };
      },
      post(path, body) {
        // The daemon has logged what it refused, and the bar shows what came of the rest.
        const socket = send(parts, 'POST', path, JSON.stringify(body));
        socket?.once('data', () => socket.destroy());
      },
    },
    startDaemon() {
      // Any request of the real client starts a daemon, and replaces one that is older than this program.
      import('./client.ts')
        .then(({ createClient }) => createClient({ ...parts, say: () => {} }).request('GET', '/v1/health'))
        .catch(() => {});
    },
  };
}

/** null: the socket is not one that may be trusted, or there is none. */
function send({ paths, uid, env }: ClientParts, method: string, path: string, body: string): Socket | null {
  try {
    checkSocketPath(paths.socket);
    checkRuntimeDir(paths.runtime, uid);
  } catch {
    return null;
  }
  const headers = {
    host: 'tsmux',
    connection: 'close',
    ...environmentHeaders(env),
    'tsmux-version': version,
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(paths.socket);
  socket.on('error', () => {});
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return socket;
}
