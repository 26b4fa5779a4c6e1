import { inspect } from 'node:util';

export interface Patience {
  /** What is waited for, as the end of the sentence "waited for …". */
  readonly why: string;
  /** Milliseconds. A condition that is tried once more after the limit and holds then is still good. */
  readonly limit?: number;
  /** Milliseconds between two looks. */
  readonly every?: number;
  /** Looked at only when the wait has failed: what the outside world shows instead. */
  readonly saw?: () => unknown;
}

type Found<T> = Exclude<T, false | null | undefined | 0 | ''>;

/**
 * Waits until a condition gives something truthy and returns that. A condition may throw, as `expect` does: that
 * means "not yet", and the last error is told when the limit has passed.
 */
export async function until<T>(condition: () => T | Promise<T>, patience: Patience): Promise<Found<T>> {
  const limit = patience.limit ?? 5000;
  const deadline = performance.now() + limit;
  for (;;) {
    const late = performance.now() >= deadline;
    let last: unknown;
    try {
      const result = await condition();
      if (result) return result as Found<T>;
      last = result;
    } catch (error) {
      last = error;
    }
    if (late) {
      const seen = patience.saw === undefined ? last : await patience.saw();
      const text = seen instanceof Error ? seen.message : inspect(seen, { depth: 6, breakLength: 110 });
      throw new Error(`waited ${limit} ms for ${patience.why}; last saw: ${text}`, { cause: last });
    }
    await new Promise((resolve) => setTimeout(resolve, patience.every ?? 10));
  }
}
