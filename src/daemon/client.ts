import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { Failure, failureCode } from '../system/failure.ts';
import type { Paths } from '../system/paths.ts';
import { version } from '../system/version.ts';
import {
  checkRuntimeDir,
  checkSocketPath,
  isListening,
  lockHolder,
  lockPath,
  openRuntimeDir,
  takeLock,
} from './instance.ts';
import { environmentHeaders, type WireHealth } from './wire.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface ClientParts {
  readonly paths: Paths;
  readonly uid: number;
  readonly env: Environment;
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
  lines(path: string, onLine: (line: string) => void | Promise<void>, signal?: AbortSignal): Promise<boolean>;
  /** Ends the daemon. @returns false when there was none. */
  stop(): Promise<boolean>;
}

/** How long a daemon may take until it listens, or until it has gone, ms. */
const PATIENCE = 10_000;
const LOOK_AGAIN = 20;
/** Before that much time nobody wonders, ms. */
const SAY_AFTER = 300;

export function createClient(parts: ClientParts): Client {
  const { paths, uid } = parts;

  async function connected(method: string, path: string, body: unknown, signal?: AbortSignal) {
    checkSocketPath(paths.socket);
    checkRuntimeDir(paths.runtime, uid);
    for (let attempt = 0; ; attempt++) {
      const reply = await send(method, path, body, signal);
      if (reply === null) {
        if (parts.entry === null || attempt > 1) throw noDaemon();
        await start(parts.entry);
        continue;
      }
      if (reply.statusCode !== undefined && reply.statusCode < 400) return reply;
      const failure = failureOf(await textOf(reply));
      if (failure.code !== 'older-daemon' || parts.entry === null || attempt > 1) throw failure;
      parts.say(`replacing the daemon of version ${reply.headers['tsmux-version']} by ${version}`);
      const supervised = await stopRunning({ again: true });
      if (supervised) await awaitUntil(() => isListening(paths.socket));
    }
  }

  /** Null when nobody listens. */
  function send(method: string, path: string, body: unknown, signal?: AbortSignal) {
    return new Promise<IncomingMessage | null>((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body);
      const options: RequestOptions & { servername: string } = {
        socketPath: paths.socket,
        method,
        path,
        agent: false,
        headers: {
          ...environmentHeaders(parts.env),
          'tsmux-version': version,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        },
        // Else Node.js looks whether the name of the host is an address, for 10 ms.
        servername: '',
        ...(signal === undefined ? {} : { signal }),
      };
      const call = request(options);
      call.once('response', resolve);
      call.once('error', (error) => {
        if ('code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED')) resolve(null);
        else reject(new Failure('failed', `the daemon did not reply: ${error.message}`, 'tsmux doctor'));
      });
      call.end(text);
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
    const reply = await send('POST', '/v1/stop', how);
    const health = reply === null ? null : (JSON.parse(await textOf(reply)) as WireHealth);
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
      const text = await textOf(await connected(method, path, body));
      return text === '' ? null : (JSON.parse(text) as unknown);
    },

    async lines(path, onLine, signal) {
      const reply = await connected('GET', path, undefined, signal);
      let rest = '';
      reply.setEncoding('utf8');
      try {
        for await (const chunk of reply) {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) await onLine(line);
        }
      } catch {
        // It broke off, or the caller has had enough.
      }
      return reply.complete;
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

async function textOf(reply: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of reply) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function failureOf(text: string): Failure {
  try {
    const { error } = JSON.parse(text) as { error: { code: unknown; message: unknown; hint: unknown } };
    return new Failure(failureCode(error.code), String(error.message), String(error.hint));
  } catch {
    return new Failure('failed', 'the daemon replied something that is no error of tsmux', 'tsmux doctor');
  }
}
