import type { Means, Prompt, PromptKind } from '../sessions/prompt.ts';
import type { Session } from '../sessions/session.ts';
import { shortened } from '../sessions/shortened.ts';

/** What became of prompts, for `tsmux history`. Plain JSON: it is kept over a restart. */
export interface HistoryEntry {
  /** When it was settled, ms since the epoch. */
  readonly at: number;
  /** When it came. */
  readonly since: number;
  readonly session: string;
  /** Label or name of the session at that time. */
  readonly name: string;
  readonly prompt: string;
  readonly kind: PromptKind;
  /** The tool's name, or what the dialog was about. */
  readonly title: string;
  /** What it asked, at most 500 characters; null where the configuration does not want commands to be kept. */
  readonly text: string | null;
  readonly agent: boolean;
  /** It came while it was quiet, and nobody was told. */
  readonly missed: boolean;
  readonly outcome: Outcome;
}

export type Outcome =
  /** By tsmux. `label` is null where it may hold a command's words that are not to be kept. */
  | {
      readonly type: 'answered';
      readonly way: 'hook' | 'keys';
      readonly means: Means;
      readonly label: string | null;
    }
  /** In the terminal, or by another program. */
  | { readonly type: 'elsewhere' }
  /** The session ended first. */
  | { readonly type: 'session-ended' };

/** Oldest first. */
export type History = readonly HistoryEntry[];

export const HISTORY_KEPT = 500;
const LONGEST_TEXT = 500;

export function remembered(history: History, entry: HistoryEntry): History {
  return [...history, entry].slice(-HISTORY_KEPT);
}

export function entryOf(
  session: Session,
  prompt: Prompt,
  what: {
    readonly at: number;
    readonly outcome: Outcome;
    readonly missed: boolean;
    readonly withCommands: boolean;
  },
): HistoryEntry {
  return {
    at: what.at,
    since: prompt.since,
    session: session.id,
    name: session.label ?? session.name,
    prompt: prompt.id,
    kind: prompt.kind,
    title: prompt.title,
    text: what.withCommands ? shortened(prompt.text, LONGEST_TEXT) : null,
    agent: prompt.agent !== null,
    missed: what.missed,
    outcome: what.withCommands ? what.outcome : discreet(what.outcome),
  };
}

/** Only Yes and No are the same for every command. */
function discreet(outcome: Outcome): Outcome {
  if (outcome.type !== 'answered' || outcome.means === 'allow' || outcome.means === 'deny') return outcome;
  return { ...outcome, label: null };
}
