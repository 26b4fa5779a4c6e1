import * as z from 'zod/mini';
import { entryOf, HISTORY_KEPT, type History, type HistoryEntry, remembered } from '../attention/history.ts';
import type { Option, Prompt, PromptId } from '../sessions/prompt.ts';
import type { Session } from '../sessions/session.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import { createPersistence, readWritten } from './persistence.ts';

/** Keeps what asked and what was answered, in `$XDG_STATE_HOME/tsmux/history.json`, 0600. */
export interface PromptHistory {
  all(): History;
  /** An answer is about to be given; or (null) it was not given after all. */
  note(
    prompt: PromptId,
    given: { readonly option: Option | null; readonly way: 'hook' | 'keys' } | null,
  ): void;
  /** It was not told, as it is quiet. */
  missed(prompt: PromptId): void;
  settled(session: Session, prompt: Prompt, sessionEnded: boolean): void;
  flush(): void;
}

const means = z.enum(['allow', 'allow-always', 'deny', 'choice', 'mode', 'go']);
/** ms since the epoch, within what a Date can hold. */
const time = z.number().check(z.minimum(0), z.maximum(8.64e15));
const entrySchema = z.object({
  at: time,
  since: time,
  session: z.string(),
  name: z.string(),
  prompt: z.string(),
  kind: z.enum(['permission', 'question', 'plan', 'elicitation', 'dialog']),
  title: z.string(),
  text: z.nullable(z.string()),
  agent: z.boolean(),
  missed: z._default(z.boolean(), false),
  outcome: z.discriminatedUnion('type', [
    z.object({
      type: z.literal('answered'),
      way: z.enum(['hook', 'keys']),
      means,
      label: z.nullable(z.string()),
    }),
    z.object({ type: z.literal('elsewhere') }),
    z.object({ type: z.literal('session-ended') }),
  ]),
});
const fileSchema = z.object({ version: z.literal(1), entries: z.array(z.unknown()) });

export function createPromptHistory(parts: {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly withCommands: () => boolean;
  readonly write: (path: string, text: string) => void;
}): PromptHistory {
  let history: History = readHistory(parts.path, parts.log);
  const given = new Map<PromptId, { readonly option: Option | null; readonly way: 'hook' | 'keys' }>();
  const missed = new Set<PromptId>();
  const persistence = createPersistence({ ...parts, save: () => ({ entries: history }) });
  let saved = history;
  return {
    all: () => history,
    note(prompt, answer) {
      if (answer === null) given.delete(prompt);
      else given.set(prompt, answer);
    },
    missed: (prompt) => void missed.add(prompt),
    settled(session, prompt, sessionEnded) {
      const answer = given.get(prompt.id);
      given.delete(prompt.id);
      const outcome: HistoryEntry['outcome'] =
        answer !== undefined
          ? {
              type: 'answered',
              way: answer.way,
              means: answer.option?.means ?? 'choice',
              label: answer.option?.label ?? null,
            }
          : { type: sessionEnded ? 'session-ended' : 'elsewhere' };
      const what = {
        at: parts.clock.now(),
        outcome,
        missed: missed.delete(prompt.id),
        withCommands: parts.withCommands(),
      };
      history = remembered(history, entryOf(session, prompt, what));
      persistence.touch();
    },
    flush() {
      if (history !== saved) persistence.flush();
      saved = history;
    },
  };
}

/** What cannot be understood is left out: it is only a memory. */
function readHistory(path: string, log: Log): History {
  const entries = readWritten(path, fileSchema, log)?.entries ?? [];
  return entries
    .flatMap((entry) => {
      const read = entrySchema.safeParse(entry);
      return read.success ? [read.data] : [];
    })
    .slice(-HISTORY_KEPT);
}
