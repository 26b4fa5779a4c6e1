import type { ServerResponse } from 'node:http';
import type { Clock } from '../system/clock.ts';

/** A reader that has taken nothing for so long while there was news is not coming back, ms. */
export const HOPELESS = 10 * 60_000;

/** What a stream says. */
export interface Lines {
  /**
   * The lines that bring the reader from what he was given last to how things are now, each ending in a newline;
   * '' when that is nothing.
   */
  take(): string;
  /** Calls back when `take` may have something. */
  subscribe(news: () => void): () => void;
}

/**
 * Writes lines as long as the reader is there. A slow reader is asked for nothing: what happens meanwhile is kept
 * by nobody, and when he has read what he was sent he gets how things are then. So what is buffered for him is
 * never more than one `take`.
 */
export function stream(response: ServerResponse, lines: Lines, clock: Clock): void {
  let stuckSince: number | null = null;

  function push(): void {
    if (stuckSince !== null) {
      if (clock.now() - stuckSince > HOPELESS) response.destroy();
      return;
    }
    const text = lines.take();
    if (text !== '' && !response.write(text)) stuckSince = clock.now();
  }

  response.on('drain', () => {
    stuckSince = null;
    push();
  });
  const unsubscribe = lines.subscribe(push);
  response.on('close', unsubscribe);
  // A reader that breaks off is no news.
  response.on('error', unsubscribe);
  response.flushHeaders();
  push();
}
