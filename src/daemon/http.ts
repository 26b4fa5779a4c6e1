import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cancel, Clock } from '../system/clock.ts';
import { Failure } from '../system/failure.ts';
import { jsonText } from '../system/json-text.ts';
import { version } from '../system/version.ts';

/** What a route gives back. */
export type Reply =
  | { readonly type: 'json'; readonly value: object | null }
  /** JSON that is written already. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'empty' }
  /** The route has taken the response, or will. */
  | { readonly type: 'taken' };

export const empty: Reply = { type: 'empty' };
export const taken: Reply = { type: 'taken' };
export function json(value: object | null): Reply {
  return { type: 'json', value };
}

/**
 * The body as text. A body that is longer than `limit` bytes is read to its end and dropped, so that the sender
 * gets to read why.
 *
 * @throws Failure `too-large`; `bad-request` where the sender breaks off.
 */
export function readBody(request: IncomingMessage, limit: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= limit) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.once('end', () => {
      if (length <= limit) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(new Failure('too-large', `the body has more than ${limit} bytes`, 'send less'));
    });
    request.once('error', () => reject(new Failure('bad-request', 'the body broke off', 'send all of it')));
  });
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Failure('bad-request', 'the body is not JSON', 'see docs/api.md');
  }
}

export function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'tsmux-version': version,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    // Clients come for one thing each, and nc(1) waits for the end of the connection.
    connection: 'close',
  });
  response.end(text);
}

export function sendFailure(response: ServerResponse, failure: Failure): void {
  const { code, message, hint } = failure;
  send(response, failure.status, `${jsonText({ error: { code, message, hint } })}\n`);
}

/** The head of a stream of lines; the lines are for the caller. */
export function startLines(response: ServerResponse): void {
  startBody(response, 'application/x-ndjson');
}

/** How often whoever waits for an answer is told that the daemon is well, ms; curl(1) must be told a byte a second. */
const BEAT_EVERY = 5_000;
const BEAT = ' '.repeat(20);

/** Begins a reply that may come late: blanks stand before it, so that a daemon that hangs is found out. */
export function beatUntilAnswered(response: ServerResponse, clock: Clock): void {
  let next: Cancel | null = null;
  const beat = () => {
    if (response.writableEnded || response.destroyed) return;
    response.write(BEAT);
    next = clock.after(BEAT_EVERY, beat);
  };
  startBody(response, 'application/json');
  beat();
  response.once('close', () => next?.());
}

function startBody(response: ServerResponse, type: string): void {
  response.writeHead(200, { 'tsmux-version': version, 'content-type': type, connection: 'close' });
}

/** Whether version `a` is newer than `b`; what is no version is older than any. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => /^(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? []);
  for (let at = 0; at < 3; at++) {
    const difference = (left?.[at] ?? -1) - (right?.[at] ?? -1);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
