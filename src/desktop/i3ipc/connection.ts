import { createConnection } from 'node:net';
import type { Cancel, Clock } from '../../system/clock.ts';
import { createDecoder, encode, type Message } from './codec.ts';
import { type EventName, eventName, type MessageType } from './types.ts';

export interface Connection {
  /**
   * The reply's payload. Replies come in the order of the requests, so one that is overdue makes the rest
   * unusable: the connection is closed then, and everything that still waits is rejected.
   */
  request(type: MessageType, payload?: string): Promise<Buffer>;
  close(): void;
}

export interface ConnectionOptions {
  readonly path: string;
  readonly clock: Clock;
  /** How long a connection attempt or a reply may take, in ms. */
  readonly timeLimit: number;
  /** Events that are not in `eventType` are left out. */
  readonly onEvent: (name: EventName, payload: Buffer) => void;
  /** Called once, for every end but close(). */
  readonly onEnd: (reason: Error) => void;
}

interface Waiting {
  readonly type: MessageType;
  readonly resolve: (payload: Buffer) => void;
  readonly reject: (reason: Error) => void;
}

/** Connects to the socket of i3 or sway; rejects where nobody listens (ENOENT, ECONNREFUSED, time limit). */
export function openConnection(options: ConnectionOptions): Promise<Connection> {
  const { path, clock, timeLimit } = options;
  const socket = createConnection(path);
  const decode = createDecoder();
  const waiting: Waiting[] = [];
  let ended: Error | null = null;
  let overdue: Cancel | undefined;

  return new Promise((resolve, reject) => {
    let connected = false;

    /** The time limit runs from when a request became the oldest one, which is when the WM can turn to it. */
    function watchOldest(): void {
      overdue?.();
      overdue =
        waiting.length > 0
          ? clock.after(timeLimit, () => end(new Error(`no reply within ${timeLimit} ms`)))
          : undefined;
    }

    function end(reason: Error, told = true): void {
      if (ended !== null) return;
      ended = reason;
      overdue?.();
      socket.destroy();
      for (const request of waiting.splice(0)) request.reject(reason);
      if (!connected) reject(reason);
      else if (told) options.onEnd(reason);
    }

    function take(message: Message): void {
      if (message.isEvent) {
        const name = eventName(message.type);
        if (name !== null) options.onEvent(name, message.payload);
        return;
      }
      const request = waiting[0];
      if (request?.type !== message.type) {
        end(new Error(`a reply of type ${message.type} that nobody asked for`));
        return;
      }
      waiting.shift();
      watchOldest();
      request.resolve(message.payload);
    }

    const connection: Connection = {
      request: (type, payload = '') =>
        new Promise((resolveReply, rejectReply) => {
          if (ended !== null) {
            rejectReply(ended);
            return;
          }
          waiting.push({ type, resolve: resolveReply, reject: rejectReply });
          if (waiting.length === 1) watchOldest();
          socket.write(encode(type, payload));
        }),
      close: () => end(new Error('the connection was closed'), false),
    };

    overdue = clock.after(timeLimit, () => end(new Error(`no connection within ${timeLimit} ms`)));
    socket.on('connect', () => {
      connected = true;
      watchOldest();
      resolve(connection);
    });
    socket.on('data', (chunk) => {
      try {
        for (const message of decode(chunk)) if (ended === null) take(message);
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)));
      }
    });
    socket.on('error', (error) => end(error));
    // sway says nothing before it goes.
    socket.on('close', () => end(new Error('the window manager closed the connection')));
  });
}
