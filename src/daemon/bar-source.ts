import type { Socket } from 'node:net';
import type { BarSource } from '../bars/client/source.ts';
import type { ClientParts } from './client.ts';
import { createReplyReader } from './reply-reader.ts';
import { sendRequest } from './request.ts';

/**
 * The daemon, as the process of a bar sees it. Nothing here throws or writes: a bar that cannot reach the daemon
 * shows that, and comes back.
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
        // The bar shows what came of it, also why nothing did.
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
function send(parts: ClientParts, method: string, path: string, body: string): Socket | null {
  try {
    return sendRequest(parts, method, path, body).on('error', () => {});
  } catch {
    return null;
  }
}
