import * as z from 'zod/mini';
import { checkQuiet, LONGEST_QUIET, type QuietTime, startQuiet } from '../attention/quiet.ts';
import type { Quiet } from '../sessions/session.ts';
import type { Cancel, Clock } from '../system/clock.ts';
import { Failure } from '../system/failure.ts';

/** Keeps the quiet time that the user asked for, over restarts of the daemon, sleep, and changes of the clock. */
export interface QuietKeeper {
  current(): Quiet;
  /** Instead of one that runs. @param minutes 1 to `LONGEST_QUIET`. */
  start(minutes: number): void;
  end(): void;
  /** The machine may have slept: looks at the clock. */
  check(): void;
  /** JSON that `keepQuiet` takes back. */
  save(): unknown;
  stop(): void;
}

const MINUTES = `a whole number from 1 to ${LONGEST_QUIET} is wanted`;

/** The body of `PUT /v1/quiet`: one of the two. */
export const quietBody = z.object({
  minutes: z.optional(
    z.int({ error: MINUTES }).check(z.gte(1, { error: MINUTES }), z.lte(LONGEST_QUIET, { error: MINUTES })),
  ),
  preset: z.optional(z.string()),
});

/** @throws Failure where neither is said, or there is no preset of that name. */
export function minutesOf(
  { minutes, preset = '' }: z.infer<typeof quietBody>,
  presets: Readonly<Record<string, number>>,
): number {
  const meant = minutes ?? (Object.hasOwn(presets, preset) ? presets[preset] : undefined);
  if (meant !== undefined) return meant;
  const names = Object.keys(presets).join(', ');
  throw new Failure('bad-request', `no time is called "${preset}"`, `say minutes, or one of: ${names}`);
}

/** A timer does not count while the machine sleeps, so the clock is looked at this often, ms. */
const LOOK = 30_000;

const savedSchema = z.object({ until: z.number(), checkedAt: z.number() });

/**
 * @param parts.saved what `save` gave, of this or an earlier daemon; anything else is no quiet.
 * @param parts.changed it began, ended, or has another end.
 */
export function keepQuiet(parts: {
  readonly clock: Clock;
  readonly saved: unknown;
  readonly changed: () => void;
}): QuietKeeper {
  const { clock } = parts;
  const saved = savedSchema.safeParse(parts.saved);
  let quiet: QuietTime | null = saved.success ? checkQuiet(saved.data, clock.now()) : null;
  let later: Cancel | null = null;

  function become(next: QuietTime | null): void {
    const before = quiet?.until ?? null;
    quiet = next;
    plan();
    if ((quiet?.until ?? null) !== before) parts.changed();
  }

  function plan(): void {
    later?.();
    later = quiet === null ? null : clock.after(Math.min(quiet.until - clock.now(), LOOK), check);
  }

  function check(): void {
    if (quiet !== null) become(checkQuiet(quiet, clock.now()));
  }

  plan();
  return {
    current: () => ({ until: checkQuiet(quiet, clock.now())?.until ?? null }),
    start: (minutes) => become(startQuiet(minutes, clock.now())),
    end: () => become(null),
    check,
    save: () => checkQuiet(quiet, clock.now()),
    stop: () => later?.(),
  };
}
