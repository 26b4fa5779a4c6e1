import type { Claude } from '../claude/claude.ts';
import type { Registry } from '../sessions/registry.ts';
import type { State } from '../sessions/session.ts';
import type { Cancel, Clock } from '../system/clock.ts';

/** How often to look which sessions run, ms: of a `kill -9` nobody tells. */
const LOOK = { working: 5_000, quiet: 20_000 };
/** With so many looks all sources are read again, although they tell by themselves what changes. */
const READ = { working: 8, quiet: 3 };

/** The safety net below what the sources tell by themselves. */
export interface Rounds {
  /** A session has another state, or the first look is due: the next one comes sooner when a session began to work. */
  plan(): void;
  stop(): void;
}

export function createRounds(parts: {
  readonly clock: Clock;
  readonly registry: Registry;
  readonly claude: Pick<Claude, 'refresh' | 'recheck'>;
  /** A look is over. */
  readonly looked: () => void;
}): Rounds {
  const { clock, registry, claude } = parts;
  let next: { readonly pace: keyof typeof LOOK; readonly cancel: Cancel } | null = null;
  let looks = 0;

  const has = (...states: readonly State[]) => registry.all().some(({ state }) => states.includes(state));

  function plan(): void {
    const pace = has('busy', 'needs-input', 'unknown') ? 'working' : 'quiet';
    if (next !== null && (next.pace === pace || pace === 'quiet')) return;
    next?.cancel();
    const wait = pace === 'quiet' ? clock.around : clock.after;
    next = { pace, cancel: wait(LOOK[pace], () => look(pace)) };
  }

  function look(pace: keyof typeof LOOK): void {
    next = null;
    looks += 1;
    // An older Claude Code tells nothing by itself: of a session of which nothing is known more is looked for.
    if (looks >= READ[pace] || has('unknown')) {
      looks = 0;
      claude.refresh();
    } else claude.recheck();
    parts.looked();
    plan();
  }

  return { plan, stop: () => next?.cancel() };
}
