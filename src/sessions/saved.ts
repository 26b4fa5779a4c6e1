import * as z from 'zod/mini';
import { type Facts, noFacts, type PromptFacts } from './facts.ts';
import type { PromptId } from './prompt.ts';
import { withoutBulk } from './prompts.ts';
import type { SessionKey } from './session.ts';
import { conditionOf } from './state.ts';

/** What is known of a session when the daemon ends and the next one begins. */
type Remembered = Omit<Facts, 'key' | 'process' | 'level' | 'placed' | 'goneAt' | 'prompts'> & {
  readonly key: SessionKey;
  readonly prompts: readonly Omit<PromptFacts, 'held' | 'dialog'>[];
};

/** ms since the epoch, within what a Date can hold. */
const time = z.number().check(z.minimum(0), z.maximum(8.64e15));
const maybeTime = z.nullable(time);
const text = z.string();
const maybeText = z.nullable(text);
const count = z.int().check(z.minimum(0));

const asked = z.object({
  kind: z.enum(['permission', 'question', 'plan', 'elicitation', 'dialog']),
  title: text,
  text,
  tool: maybeText,
  inputKey: maybeText,
  suggestions: z.array(text),
  questions: z.array(
    z.object({
      header: maybeText,
      text,
      multiSelect: z.boolean(),
      options: z.array(z.object({ label: text, description: maybeText })),
    }),
  ),
});

const facts: z.ZodMiniType<Remembered> = z.object({
  key: z.object({ bootId: text, pid: z.int(), startTime: z.number() }),
  knownSince: maybeTime,
  levelBusyAt: maybeTime,
  levelWaitingAt: z._default(maybeTime, null),
  levelIdleAt: maybeTime,
  starts: z.array(
    z.object({ at: time, promptId: maybeText, by: z.enum(['user', 'task']), hooked: z.boolean() }),
  ),
  ends: z.array(
    z.object({
      at: time,
      promptId: maybeText,
      source: z.enum(['hook', 'transcript']),
      how: z.enum(['finished', 'failed', 'interrupted', 'renewed']),
      reason: maybeText,
      // Not in what earlier versions have saved.
      agents: z._default(count, 0),
    }),
  ),
  queuedAt: z._default(maybeTime, null),
  commandAt: z._default(maybeTime, null),
  toolStarts: z.array(
    z.object({
      at: time,
      toolUseId: maybeText,
      agent: maybeText,
      tool: z.object({ name: text, summary: text }),
      inputKey: maybeText,
    }),
  ),
  toolEnds: z.array(
    z.object({ at: time, toolUseId: maybeText, agent: maybeText, tool: maybeText, inputKey: maybeText }),
  ),
  agentStops: z.array(z.object({ at: time, agent: text })),
  background: z.nullable(z.object({ at: time, agents: count, shells: count })),
  hooksAt: maybeTime,
  needsInputAt: maybeTime,
  prompts: z.array(
    z.object({
      id: z.custom<PromptId>((id) => typeof id === 'string' && /^p[a-z0-9]{3,}$/.test(id)),
      at: time,
      agent: maybeText,
      asked: z.nullable(asked),
      // Not in what earlier versions have saved.
      askedAt: z._default(maybeTime, null),
      waitingFor: maybeText,
      levelAt: maybeTime,
      retiredAt: maybeTime,
    }),
  ),
  compactingAt: maybeTime,
  compactedAt: maybeTime,
  session: z.nullable(z.object({ at: time, sessionId: text })),
  userName: z.nullable(z.object({ at: time, name: maybeText })),
  mode: z.nullable(z.object({ at: time, permissionMode: text })),
  lastMessage: z.nullable(z.object({ at: time, text })),
  transcript: z.nullable(
    z.object({
      type: z.literal('transcript'),
      at: time,
      sessionId: maybeText,
      model: maybeText,
      branch: maybeText,
      customTitle: maybeText,
      permissionMode: maybeText,
      lastMessage: maybeText,
      tokens: z.nullable(z.object({ input: count, output: count, cacheRead: count, cacheWrite: count })),
      contextPercent: z.nullable(z.number()),
    }),
  ),
  seenAt: maybeTime,
  ports: z.nullable(z.object({ type: z.literal('ports'), at: time, ports: z.array(count) })),
  label: z.nullable(z.object({ type: z.literal('labelled'), at: time, label: maybeText })),
  restored: z.nullable(
    z.object({
      at: time,
      state: z.enum(['idle', 'busy', 'needs-input', 'review', 'unknown']),
      since: time,
      reason: maybeText,
    }),
  ),
});

const saved = z.object({
  version: z.literal(1),
  sessions: z.array(z.unknown()),
  labels: z.array(z.unknown()),
});
const label = z.tuple([text, text]);

/** Labels of Claude's session ids, for a --resume later on; the oldest are forgotten. */
export const labelsKept = 200;

export interface Memory {
  readonly sessions: readonly Facts[];
  /** Labels of Claude's session ids. */
  readonly labels: readonly (readonly [string, string])[];
}

/** JSON that `remember` takes back. */
export function toSave({ sessions, labels }: Memory, now: number): unknown {
  return {
    version: 1,
    sessions: sessions.map((known) => ({
      ...known,
      prompts: known.prompts.map(withoutBulk),
      restored: known.restored ?? { at: now, ...conditionOf(known) },
    })),
    labels,
  };
}

/**
 * What a daemon before this one has saved. A session of it that is not whole, or of another version of tsmux, counts as
 * not there: what is kept is a convenience, the sources tell the truth. The session is shown again only when its process
 * is seen alive; its file and its place are read anew; holds ended with the daemon.
 */
export function remember(json: unknown): Memory {
  const read = saved.safeParse(json);
  if (!read.success) return { sessions: [], labels: [] };
  const sessions = read.data.sessions.flatMap((session) => {
    const kept = facts.safeParse(session);
    return kept.success ? [revived(kept.data)] : [];
  });
  const labels = read.data.labels.slice(-labelsKept).flatMap((pair) => {
    const kept = label.safeParse(pair);
    return kept.success ? [kept.data] : [];
  });
  return { sessions, labels };
}

function revived(kept: Remembered): Facts {
  const prompts = kept.prompts.map((prompt) => ({ ...prompt, held: null, dialog: null }));
  return { ...noFacts(kept.key), ...kept, prompts };
}
