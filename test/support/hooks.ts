import { readFileSync } from 'node:fs';
import { request } from 'node:http';

/** A hook as Claude Code sent it (recorded), with what the test changes. */
export function hookBody(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const recorded = JSON.parse(readFileSync(`test/fixtures/claude/hooks/${name}.json`, 'utf8'));
  return { ...recorded, ...more };
}

/** The program of a hook that waits for what to print. */
export interface WaitingHook {
  /** What it prints; null while it waits. */
  printed(): string | null;
  readonly ended: Promise<string>;
  /** Claude Code ends it. */
  kill(): void;
}

export function sendHook(
  socketPath: string,
  pid: number,
  body: Record<string, unknown>,
  start: number,
): WaitingHook {
  let printed: string | null = null;
  const headers = { 'claude-pid': pid, 'hook-start': start, connection: 'close' };
  const sent = request({ socketPath, method: 'POST', path: '/v1/hook', headers, agent: false });
  const ended = new Promise<string>((resolve) => {
    sent.once('response', (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      reply.once('end', () => {
        printed = text;
        resolve(text);
      });
    });
    // Like the script of the hook, which prints nothing then.
    sent.once('error', () => {
      printed = '';
      resolve('');
    });
  });
  sent.end(JSON.stringify(body));
  return { printed: () => printed, ended, kill: () => void sent.destroy() };
}
