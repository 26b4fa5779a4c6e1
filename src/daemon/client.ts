import type { Socket } from 'node:net';
import { Failure, failureCode } from '../system/failure.ts';
import { version } from '../system/version.ts';
import { checkRuntimeDir, isListening, lockHolder, lockPath, openRuntimeDir, takeLock } from './instance.ts';
import { createReplyReader, type ReplyHead } from './reply-reader.ts';
import { type Caller, sendRequest } from './request.ts';
import type { WireHealth } from './wire.ts';

export interface ClientParts extends Caller {
  /** The program to start as the daemon; null: none is started, and no daemon is `no-daemon`. */
  readonly entry: string | null;
  /** Something that the user would like to know while he waits. */
  readonly say: (words: string) => void;
}

export interface Client {
  /**
   * One request and its whole reply: JSON, or null where the reply is empty.
   * @throws Failure: what the daemon says, or `no-daemon`.
   */
  request(method: string, path: string, body?: unknown): Promise<unknown>;
  /**
   * The lines of a stream, each without its newline, until it ends. While `onLine` keeps it waiting nothing is read.
   * @returns whether the daemon ended it (true), or it broke off (false).
   */
  lines(path: string, onLine: (line: string) => void | Promise<void>): Promise<boolean>;
  /** Ends the daemon. @returns false when there was none. */
  stop(): Promise<boolean>;
}

/** What is done with the lines of a reply. */
interface Take {
  readonly onLine: (line: string) => void | Promise<void>;
}

interface Reply extends ReplyHead {
  /** The body of a status that is an error. */
  readonly refusal: string;
  /** Whether the daemon ended it, and did not break off. */
  readonly whole: boolean;
}

/** How long a daemon may take until it listens, or until it has gone, ms. */
const PATIENCE = 10_000;
const LOOK_AGAIN = 20;
/** Before that much time nobody wonders, ms. */
const SAY_AFTER = 300;

export function createClient(parts: ClientParts): Client {
  const { paths, uid } = parts;

  /** The request's reply, from a daemon that is started, or replaced, where there is need. */
  async function ask(method: string, path: string, body: unknown, take: Take): Promise<Reply> {
    for (let attempt = 0; ; attempt++) {
      const reply = await send(method, path, body, take);
      if (reply === null) {
        if (parts.entry === null || attempt > 1) throw noDaemon();
        await start(parts.entry);
        continue;
      }
      if (reply.status < 400) return reply;
      const failure = failureOf(reply.refusal);
      if (failure.code !== 'older-daemon' || parts.entry === null || attempt > 1) throw failure;
      parts.say(`replacing the daemon of version ${reply.version} by ${version}`);
      const supervised = await stopRunning({ again: true });
      // A daemon that ends still takes connections for a moment, and replies to none.
      await awaitUntil(async () => (await isListening(paths.socket)) === supervised);
    }
  }

  /** Null when nobody listens. */
  function send(method: string, path: string, body: unknown, take: Take): Promise<Reply | null> {
    return new Promise((resolve, reject) => {
      let head: ReplyHead | null = null;
      let refusal = '';
      let whole = false;
      const socket = sendRequest(parts, method, path, body === undefined ? '' : JSON.stringify(body));
      const read = createReplyReader({
        onHead(told) {
          head = told;
          return true;
        },
        onLine(line) {
          if (head !== null && head.status >= 400) refusal += line;
          else pauseFor(socket, take.onLine(line));
        },
        onWhole() {
          whole = true;
          if (head !== null) resolve({ ...head, refusal, whole });
          // Whoever waits for the reply goes on first: taking a connection down takes longer than to print it.
          setImmediate(() => socket.destroy());
        },
        onRefused: () => socket.destroy(),
      });
      socket.on('data', read);
      socket.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(null);
      });
      socket.once('close', () => {
        if (head !== null) resolve({ ...head, refusal, whole });
        else reject(new Failure('failed', 'the daemon did not reply', 'see: tsmux doctor'));
      });
    });
  }

  /** Of all clients that find no daemon, one starts it and the others wait for it. */
  async function start(entry: string): Promise<void> {
    openRuntimeDir(paths.runtime, uid);
    const patience = setTimeout(() => parts.say('starting the daemon'), SAY_AFTER);
    try {
      await awaitUntil(async () => {
        if (await isListening(paths.socket)) return true;
        const lock = takeLock(`${paths.runtime}/start.lock`);
        if (!lock.held) return false;
        try {
          // It may have come up between the look and the lock, or be about to without our help.
          if (await isListening(paths.socket)) return true;
          if (lockHolder(lockPath(paths.runtime)) !== null) return false;
          const { spawnDaemon } = await import('./spawn.ts');
          await spawnDaemon(entry, parts.env);
          return true;
        } finally {
          lock.release();
        }
      });
    } finally {
      clearTimeout(patience);
    }
  }

  /** @returns whether a service manager will start the next one. */
  async function stopRunning(how: { readonly again: boolean }): Promise<boolean> {
    const holder = lockHolder(lockPath(paths.runtime));
    const lines: string[] = [];
    await send('POST', '/v1/stop', how, collecting(lines));
    const health = (lines.length === 0 ? null : JSON.parse(lines.join(''))) as WireHealth | null;
    // Its lock is the last thing that a daemon gives up.
    await awaitUntil(async () => lockHolder(lockPath(paths.runtime))?.pid !== holder?.pid || holder === null);
    return health?.supervised ?? false;
  }

  async function awaitUntil(condition: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + PATIENCE;
    while (!(await condition())) {
      if (Date.now() > deadline) {
        throw new Failure('no-daemon', 'the daemon does not come up or does not end', 'tsmux doctor');
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN));
    }
  }

  return {
    async request(method, path, body) {
      const lines: string[] = [];
      const { whole } = await ask(method, path, body, collecting(lines));
      if (!whole) throw new Failure('failed', 'the daemon broke off', 'try again');
      return lines.length === 0 ? null : (JSON.parse(lines.join('')) as unknown);
    },

    async lines(path, onLine) {
      const { whole } = await ask('GET', path, undefined, { onLine });
      return whole;
    },

    async stop() {
      checkRuntimeDir(paths.runtime, uid);
      if (!(await isListening(paths.socket))) return false;
      await stopRunning({ again: false });
      return true;
    },
  };
}

function noDaemon(): Failure {
  return new Failure('no-daemon', 'no daemon runs', 'start it with: tsmux daemon');
}

function collecting(lines: string[]): Take {
  return {
    onLine(line) {
      lines.push(line);
    },
  };
}

/** Nothing more is read until what was read is dealt with. */
function pauseFor(socket: Socket, dealt: void | Promise<void>): void {
  if (dealt === undefined) return;
  socket.pause();
  dealt.then(
    () => socket.resume(),
    (error: Error) => socket.destroy(error),
  );
}

function failureOf(text: string): Failure {
  try {
    const { error } = JSON.parse(text) as { error: { code: unknown; message: unknown; hint: unknown } };
    return new Failure(failureCode(error.code), String(error.message), String(error.hint));
  } catch {
    return new Failure('failed', 'the daemon replied something that is no error of tsmux', 'tsmux doctor');
  }
}
