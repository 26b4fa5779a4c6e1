import * as z from 'zod/mini';

/** What is of another type than expected counts as not there: a newer Claude Code may say more, or otherwise. */
export function lenient<T>(schema: z.ZodMiniType<T>): z.ZodMiniType<T | undefined> {
  return z.catch(z.optional(schema), undefined);
}

/** A name, an id, a path. Everybody is sent it with each snapshot, so what is longer than a path can be is none. */
export const shortText = lenient(z.string().check(z.maxLength(4096)));

/** ms since the epoch, within what a Date can hold. */
export const time = lenient(z.number().check(z.minimum(0), z.maximum(8.64e15)));

/** More levels than any tool's input has; some thousands would overflow the stack of who walks through them. */
const deepest = 200;

/** Whatever JSON it is, unless it is nested too deep. */
export const anyJson = lenient(z.unknown().check(z.refine((value) => isWithin(value, deepest))));

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  return Object.values(value).every((field) => isWithin(field, levels - 1));
}
