import * as z from 'zod/mini';

/** What is of another type than expected counts as not there: a newer Claude Code may say more, or otherwise. */
export function lenient<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T | undefined> {
  return z.catch(z.optional(schema), undefined);
}
