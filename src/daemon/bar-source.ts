import type { BarSource } from '../bars/client/source.ts';
import { type ClientParts, createClient } from './client.ts';

/**
 * The daemon, as the process of a bar sees it. Nothing here throws or writes: a bar that cannot reach the daemon
 * shows that, and comes back.
 */
export function createBarSource(parts: ClientParts): { source: BarSource; startDaemon: () => void } {
  const passive = createClient({ ...parts, entry: null });
  const starting = createClient({ ...parts, say: () => {} });
  return {
    source: {
      open(path, onLine, onEnd) {
        const closed = new AbortController();
        passive.lines(path, onLine, closed.signal).then(
          (orderly) => {
            if (!closed.signal.aborted) onEnd(orderly);
          },
          () => {
            if (!closed.signal.aborted) onEnd(false);
          },
        );
        return () => closed.abort();
      },
      post(path, body) {
        // The daemon has logged why, and the bar shows what came of it.
        passive.request('POST', path, body).catch(() => {});
      },
    },
    startDaemon() {
      // Any request starts a daemon, and replaces one that is older than this program.
      starting.request('GET', '/v1/health').catch(() => {});
    },
  };
}
