import { randomUUID } from 'node:crypto';
import { backgroundTasks, onNotification } from './background.ts';
import { answerWhatWasLeft } from './commands.ts';
import type { Session, Thread } from './session.ts';
import { runTurn, type Script } from './turn.ts';

/** The main conversation: one turn after the other. */
export interface Conversation {
  /** What the user has typed and sent; done when its turn is over, or when it waits for the one that runs. */
  submit(text: string): Promise<void>;
  /** Esc. */
  interrupt(): void;
}

interface Prompt {
  readonly text: string;
  readonly promptId: string;
  readonly by: 'human' | 'task-notification';
  readonly queued: boolean;
}

const IDLE_REMINDER = 60_000;
/** Between two turns Claude Code is idle, however many prompts wait (2.1.332: 0.3 s, 2.1.197: 0.5 s), ms. */
const BETWEEN = 300;

export function createConversation(
  session: Session,
  script: Script,
  { isResumed }: { readonly isResumed: boolean },
): Conversation {
  let isLeft = isResumed;
  const queue: Prompt[] = [];
  let current: Thread | null = null;
  let nudge: NodeJS.Timeout | undefined;

  const threadOf = (promptId: string): Thread => ({
    agentId: null,
    agentType: null,
    promptId,
    transcript: session.transcript,
    interrupt: new AbortController(),
  });

  function queueLine(operation: 'enqueue' | 'dequeue', content?: string): void {
    const { sessionId } = session;
    const timestamp = new Date().toISOString();
    session.transcript.plain({ type: 'queue-operation', operation, timestamp, sessionId, content });
  }

  function work(on: boolean): void {
    session.working = on;
    session.refresh();
  }

  function writePrompt({ text, promptId, by, queued }: Prompt): void {
    const { sessionId, mode } = session;
    if (session.promptId === null) {
      session.transcript.plain({ type: 'mode', mode: 'normal', sessionId });
      session.transcript.plain({ type: 'permission-mode', permissionMode: mode, sessionId });
    }
    session.promptId = promptId;
    if (isLeft) answerWhatWasLeft(session);
    isLeft = false;
    const snapshot = { messageId: randomUUID(), snapshot: {}, isSnapshotUpdate: false };
    session.transcript.plain({ type: 'file-history-snapshot', ...snapshot });
    session.transcript.chained({
      promptId,
      type: 'user',
      message: { role: 'user', content: text },
      permissionMode: mode,
      ...(!session.print && { origin: { kind: by } }),
      promptSource: session.print ? 'sdk' : by !== 'human' ? 'system' : queued ? 'queued' : 'typed',
    });
  }

  async function take(prompt: Prompt): Promise<void> {
    clearTimeout(nudge);
    if (prompt.by === 'human') session.screen.say('', `❯ ${prompt.text}`);
    if (session.print || prompt.by !== 'human') queueLine('enqueue', prompt.text);
    if (session.working) {
      queue.push({ ...prompt, queued: true });
      if (prompt.by !== 'human') return;
      queueLine('enqueue', prompt.text);
      // 2.1.332 tells of it at once, under the prompt that is worked on; 2.1.197 when its turn begins.
      if (session.isNew && current !== null) await submitted(prompt.text, current);
      return;
    }
    work(true);
    await submitted(prompt.text, threadOf(prompt.promptId));
    await turn(prompt);
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      queueLine('dequeue');
      work(false);
      await new Promise((later) => setTimeout(later, BETWEEN));
      work(true);
      if (!session.isNew || next.by !== 'human') await submitted(next.text, threadOf(next.promptId));
      await turn(next);
    }
    work(false);
  }

  async function submitted(text: string, thread: Thread): Promise<void> {
    await session.hookAndWait('UserPromptSubmit', { prompt: text }, thread);
  }

  async function turn(prompt: Prompt): Promise<void> {
    const startedAt = Date.now();
    if (session.print || prompt.by !== 'human') queueLine('dequeue');
    writePrompt(prompt);
    const thread = threadOf(prompt.promptId);
    current = thread;
    const end = await runTurn(session, thread, script, prompt.text, false);
    current = null;
    const { sessionId } = session;
    session.transcript.plain({ type: 'last-prompt', lastPrompt: prompt.text, sessionId });
    // Nobody is told of an interruption: no Stop, nothing later either.
    if (end.how === 'interrupted') return;
    const last_assistant_message = end.lastMessage;
    if (end.how === 'failed') {
      await session.hookAndWait('StopFailure', { error: end.error, last_assistant_message }, thread);
      if (!session.isNew) writeDuration(startedAt);
    } else {
      const background_tasks = backgroundTasks(session);
      const told = { stop_hook_active: false, last_assistant_message, background_tasks, session_crons: [] };
      const hookCount = await session.hookAndWait('Stop', told, thread);
      if (hookCount > 0 && (session.isNew || !session.print)) {
        session.transcript.chained({
          type: 'system',
          subtype: 'stop_hook_summary',
          hookCount,
          hookErrors: [],
        });
      }
      if (!session.print) writeDuration(startedAt);
    }
    nudge = setTimeout(() => {
      const message = 'Claude is waiting for your input';
      session.hook('Notification', { message, notification_type: 'idle_prompt' });
    }, IDLE_REMINDER).unref();
  }

  function writeDuration(startedAt: number): void {
    const durationMs = Date.now() - startedAt;
    session.transcript.chained({ type: 'system', subtype: 'turn_duration', durationMs, isMeta: false });
  }

  const prompt = (text: string, by: Prompt['by']) =>
    take({ text, promptId: randomUUID(), by, queued: false });
  onNotification((text) => void prompt(text, 'task-notification'));
  return {
    submit: (text) => prompt(text, 'human'),
    interrupt: () => {
      if (current === null) return;
      session.screen.say('  ⎿  Interrupted · What should Claude do instead?');
      current.interrupt.abort();
    },
  };
}
