import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { ToolCall } from '../../claude-code/scenarios.ts';
import { type Session, type Thread, taskOutput } from './session.ts';
import { bashDone, bashEnded, type Result, startBash } from './tools.ts';
import type { End } from './turn.ts';

type Call = ToolCall & { readonly id: string };

export const backgroundTasks = (session: Session) =>
  [...session.tasks.values()].map(({ id, type, description, more }) => ({
    id,
    type,
    status: 'running',
    description,
    ...more,
  }));

/** What Claude Code tells itself when something in the background has ended; a turn of its own begins with it. */
function notification(
  session: Session,
  id: string,
  toolUseId: string,
  status: string,
  summary: string,
): string {
  return [
    '<task-notification>',
    `<task-id>${id}</task-id>`,
    `<tool-use-id>${toolUseId}</tool-use-id>`,
    `<output-file>${taskOutput(session, id)}</output-file>`,
    `<status>${status}</status>`,
    `<summary>${summary}</summary>`,
    '</task-notification>',
  ].join('\n');
}

let take: (text: string) => void = () => {};
/** Who takes what the background has to tell. */
export function onNotification(taker: (text: string) => void): void {
  take = taker;
}

/** The session is idle for a moment before it tells itself (2.1.332: 0.1–0.2 s), ms. */
const PAUSE = 150;
const tell = (text: string) => setTimeout(() => take(text), PAUSE);

/** Lets a command run on beside the conversation. */
function letRunOn(session: Session, call: Call, child: ChildProcess, byUser: boolean): Result {
  const id = `b${randomBytes(4).toString('hex')}`;
  const command = String(call.input.command);
  const description = String(call.input.description);
  session.tasks.set(id, { id, type: 'shell', description, more: { command } });
  child.on('close', (code) => {
    session.tasks.delete(id);
    session.refresh();
    const summary = `Background command "${description}" completed (exit code ${code})`;
    tell(notification(session, id, call.id, code === 0 ? 'completed' : 'failed', summary));
  });
  const response = {
    ...{ stdout: '', stderr: '', interrupted: false, isImage: false, noOutputExpected: false },
    backgroundTaskId: id,
    ...(byUser && { backgroundedByUser: true }),
  };
  const text = byUser
    ? `Command was manually backgrounded by user with ID: ${id}.`
    : `Command running in background with ID: ${id}`;
  return { failed: false, response, text };
}

/** How long a command runs before Claude Code says how to move it to the background, ms. */
const OFFERED = 1000;

export async function runBash(session: Session, call: Call, signal: AbortSignal): Promise<Result> {
  const command = String(call.input.command);
  // A stand-in reaches out to nobody.
  if (/^npm /.test(command)) return bashDone('');
  const child = startBash(command, session.cwd, session.env());
  if (call.input.run_in_background === true) return letRunOn(session, call, child, false);
  const turn = new AbortController();
  const abort = () => turn.abort();
  signal.addEventListener('abort', abort);
  const moved = new Promise<'moved'>((resolve) => {
    session.moveToBackground = () => resolve('moved');
  });
  const offer = setTimeout(
    () => session.refresh('     (ctrl+b ctrl+b (twice) to run in background)'),
    OFFERED,
  );
  const first = await Promise.race([bashEnded(child, turn.signal), moved]);
  clearTimeout(offer);
  session.moveToBackground = null;
  signal.removeEventListener('abort', abort);
  if (first === 'moved') return letRunOn(session, call, child, true);
  const into = /^cd (\S+)/.exec(command)?.[1];
  return into === undefined || first.failed ? first : { ...first, cwd: resolve(session.cwd, into) };
}

/** @param run takes the sub-agent from its prompt to its end. */
export async function startAgent(
  session: Session,
  main: Thread,
  call: Call,
  run: (thread: Thread, foreground: boolean) => Promise<End>,
): Promise<Result> {
  const agentId = `a${randomBytes(8).toString('hex')}`;
  const agentType = String(call.input.subagent_type ?? 'general-purpose');
  const description = String(call.input.description);
  const prompt = String(call.input.prompt);
  // 2.1.332 runs every sub-agent in the background, 2.1.197 only when told so.
  const foreground = !session.isNew && call.input.run_in_background !== true;
  const thread: Thread = {
    agentId,
    agentType,
    promptId: main.promptId,
    transcript: session.openTranscript(agentId),
    interrupt: new AbortController(),
  };
  if (!foreground)
    session.tasks.set(agentId, {
      id: agentId,
      type: 'subagent',
      description,
      more: { agent_type: agentType },
    });
  await session.hookAndWait('SubagentStart', {}, thread);

  if (foreground) {
    const end = await run(thread, true);
    const text = end.how === 'interrupted' ? 'The sub-agent was interrupted.' : end.lastMessage;
    return { failed: end.how !== 'done', response: { status: 'completed', agentId, prompt }, text };
  }
  void run(thread, false).then((end) => {
    session.tasks.delete(agentId);
    session.refresh();
    const [status, words] =
      end.how === 'interrupted' ? ['killed', 'was stopped by user'] : ['completed', 'finished'];
    session.screen.say('', `● Agent "${description}" ${words}`);
    tell(notification(session, agentId, call.id, status, `Agent "${description}" ${words}`));
  });
  const response = {
    isAsync: true,
    status: 'async_launched',
    agentId,
    description,
    prompt,
    outputFile: taskOutput(session, agentId),
  };
  return { failed: false, response, text: 'Async agent launched successfully.' };
}
