import { basename } from 'node:path';
import { type Problem, problemLine } from '../config/load.ts';
import type { Cancel, Clock } from '../system/clock.ts';

/** What the user must know where there is no session to say it. */
export interface NoticeBoard {
  /** The newest words that were said, else a mistake in the configuration, else what is missing; null: nothing. */
  current(): string | null;
  /** Says it for a while, to a user who has no other place to read it. */
  say(words: string): void;
  /** Looks whether Claude Code is there. */
  look(): void;
  /** The same, where it was missing; costs nothing where it was not. */
  lookAgain(): void;
  stop(): void;
}

/** How long the bar says what became of a click, ms. */
const SAID_FOR = 8_000;

export function createNoticeBoard(parts: {
  readonly clock: Clock;
  /** What is wrong with the configuration. */
  readonly problems: () => readonly Problem[];
  /** What is missing of Claude Code; null when all is well. */
  readonly missing: () => string | null;
  readonly changed: () => void;
}): NoticeBoard {
  let said: { readonly words: string; readonly stop: Cancel } | null = null;
  let missing = parts.missing();

  /** Where the user looks: `config.toml:3:1: bar.budget: expected …`. */
  function mistake(): string | null {
    const [problem] = parts.problems();
    return problem === undefined ? null : problemLine({ ...problem, file: basename(problem.file) });
  }

  function look(): void {
    const now = parts.missing();
    if (now === missing) return;
    missing = now;
    parts.changed();
  }

  return {
    current: () => said?.words ?? mistake() ?? missing,
    say(words) {
      said?.stop();
      const stop = parts.clock.after(SAID_FOR, () => {
        said = null;
        parts.changed();
      });
      said = { words, stop };
      parts.changed();
    },
    look,
    lookAgain() {
      if (missing !== null) look();
    },
    stop: () => said?.stop(),
  };
}
