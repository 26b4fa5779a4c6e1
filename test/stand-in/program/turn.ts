import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Answer, type Failed, failed, type Said, type ToolCall } from '../../claude-code/scenarios.ts';
import { ask } from './ask.ts';
import { backgroundTasks, runBash, startAgent } from './background.ts';
import { mustAsk, serverOf } from './permission.ts';
import { MODEL, type Session, type Thread } from './session.ts';
import { type Result, runTool } from './tools.ts';

/** The model: its answers to a prompt, in order. */
export interface Script {
  answersTo(prompt: string): readonly Answer[];
  /** Resolves when the test lets what is said endlessly come to its end. */
  finished(): Promise<void>;
}

export type End =
  | { readonly how: 'done'; readonly lastMessage: string }
  | { readonly how: 'failed'; readonly error: string; readonly lastMessage: string }
  | { readonly how: 'interrupted' };

/** No model goes on sooner after a tool, ms; so who looks every few ms sees that the session works again. */
const THINKING = 50;

let count = 0;
/** `error` of StopFailure by the type of the API's error; what is not here is "unknown". */
const ERRORS: Readonly<Record<string, string>> = {
  authentication_error: 'authentication_failed',
  rate_limit_error: 'rate_limit',
  overloaded_error: 'server_error',
  api_error: 'server_error',
};

function writeAssistant(thread: Thread, messageId: string, said: Said, content: object, isCut = false): void {
  const usage = {
    input_tokens: 1200,
    cache_creation_input_tokens: 3000,
    cache_read_input_tokens: 15_000,
    output_tokens: 42,
    ...said.usage,
  };
  const stop_reason = isCut ? null : said.tools === undefined ? 'end_turn' : 'tool_use';
  const message = {
    id: messageId,
    type: 'message',
    role: 'assistant',
    model: MODEL,
    content: [content],
    stop_reason,
    usage,
  };
  thread.transcript.chained({ type: 'assistant', message, requestId: `req_${messageId}` });
}

const writeUser = (thread: Thread, content: unknown, more: object = {}) =>
  thread.transcript.chained({
    promptId: thread.promptId,
    type: 'user',
    message: { role: 'user', content },
    ...more,
  });

function interrupted(thread: Thread, forTool: boolean): End {
  const text = `[Request interrupted by user${forTool ? ' for tool use' : ''}]`;
  writeUser(thread, [{ type: 'text', text }]);
  return { how: 'interrupted' };
}

function failure(session: Session, thread: Thread, answer: Failed): End {
  const text = `API Error: ${answer.status} ${answer.message}`;
  const error = ERRORS[answer.error] ?? 'unknown';
  const message = {
    id: randomUUID(),
    type: 'message',
    role: 'assistant',
    model: '<synthetic>',
    content: [{ type: 'text', text }],
  };
  thread.transcript.chained({
    type: 'assistant',
    message,
    error,
    isApiErrorMessage: true,
    apiErrorStatus: answer.status,
  });
  session.screen.say('', `● ${text}`);
  return { how: 'failed', error, lastMessage: text };
}

/** From a prompt to the last word on it. */
export async function runTurn(
  session: Session,
  thread: Thread,
  script: Script,
  prompt: string,
  foreground: boolean,
): Promise<End> {
  const { signal } = thread.interrupt;
  let lastMessage = '';
  for (const [step, answer] of script.answersTo(prompt).entries()) {
    if (step > 0) await new Promise((thought) => setTimeout(thought, THINKING));
    if (failed(answer)) return failure(session, thread, answer);
    const messageId = `msg_standin${String(++count).padStart(4, '0')}`;
    if (answer.endless) {
      session.screen.say('', '● word word word');
      const stopped = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([script.finished(), stopped]);
      const isCut = signal.aborted && session.isNew;
      writeAssistant(thread, messageId, answer, { type: 'text', text: 'word word word' }, isCut);
    }
    if (signal.aborted) return interrupted(thread, false);
    if (answer.text !== undefined) {
      lastMessage = answer.text;
      writeAssistant(thread, messageId, answer, { type: 'text', text: answer.text });
      if (thread.agentId === null) session.screen.say('', `● ${answer.text}`);
    }
    const calls = (answer.tools ?? []).map((call, index) => ({
      ...withPlanFile(session, call),
      id: `toolu_${messageId}_${index}`,
    }));
    for (const call of calls) {
      writeAssistant(thread, messageId, answer, {
        type: 'tool_use',
        id: call.id,
        name: call.tool,
        input: call.input,
      });
    }
    const results: object[] = [];
    for (const call of calls) {
      const told = await runCall(session, thread, script, call, foreground);
      writeUser(
        thread,
        [{ type: 'tool_result', tool_use_id: call.id, content: told.text, is_error: told.isError }],
        told.more,
      );
      if (told.interrupt) return interrupted(thread, true);
      if (signal.aborted) return interrupted(thread, true);
      results.push({
        tool_name: call.tool,
        tool_input: call.input,
        tool_use_id: call.id,
        tool_response: told.text,
      });
    }
    if (results.length > 0) await session.hookAndWait('PostToolBatch', { tool_calls: results }, thread);
  }
  return { how: 'done', lastMessage };
}

/** Claude Code adds where the plan stands. */
function withPlanFile(session: Session, call: ToolCall): ToolCall {
  if (call.tool !== 'ExitPlanMode' || call.input.plan === undefined) return call;
  return { ...call, input: { ...call.input, planFilePath: join(session.configDir, 'plans/a-plan.md') } };
}

interface Told {
  readonly text: string;
  readonly isError: boolean;
  readonly interrupt: boolean;
  readonly more?: object;
}

async function runCall(
  session: Session,
  thread: Thread,
  script: Script,
  call: ToolCall & { readonly id: string },
  foreground: boolean,
): Promise<Told> {
  const server = serverOf(call.tool, session.isNew);
  const common = { tool_name: call.tool, tool_input: call.input, ...server };
  await session.hookAndWait('PreToolUse', { ...common, tool_use_id: call.id }, thread, call.tool);
  let { input } = call;
  if (mustAsk(call, session.mode, session.project, session.allowed())) {
    const verdict = await ask(session, thread, call, foreground);
    if (!verdict.allow) {
      if (verdict.by === 'user')
        session.screen.say('  Did not run 1 call', '  ⎿  Interrupted · What should Claude do instead?');
      const more = {
        toolUseResult: 'User rejected tool use',
        toolDenialKind: verdict.by === 'user' ? 'user-rejected' : 'permission-rule',
      };
      return { text: verdict.message, isError: true, interrupt: verdict.interrupt, more };
    }
    input = verdict.input;
  }
  const startedAt = Date.now();
  const result: Result =
    call.tool === 'Agent'
      ? await startAgent(session, thread, call, (agent, inForeground) =>
          runAgent(session, agent, script, String(call.input.prompt), inForeground),
        )
      : call.tool === 'Bash'
        ? await runBash(session, { ...call, input }, thread.interrupt.signal)
        : runTool({ tool: call.tool, input });
  const duration_ms = Date.now() - startedAt;
  const isPlan = session.isNew && call.tool === 'ExitPlanMode';
  const used = { tool_name: call.tool, tool_input: isPlan ? {} : input, ...server };
  if (result.failed) {
    const fields = {
      ...used,
      tool_use_id: call.id,
      error: result.text,
      is_interrupt: thread.interrupt.signal.aborted,
      duration_ms,
    };
    await session.hookAndWait('PostToolUseFailure', fields, thread, call.tool);
  } else {
    const fields = { ...used, tool_response: result.response, tool_use_id: call.id, duration_ms };
    await session.hookAndWait('PostToolUse', fields, thread, call.tool);
  }
  if (result.cwd !== undefined && result.cwd !== session.cwd) {
    const old = session.cwd;
    session.cwd = result.cwd;
    await session.hookAndWait('CwdChanged', { old_cwd: old, new_cwd: result.cwd }, thread);
  }
  return { text: result.text, isError: result.failed, interrupt: false };
}

/** A sub-agent, from what it was told to do to its end. */
async function runAgent(
  session: Session,
  thread: Thread,
  script: Script,
  prompt: string,
  foreground: boolean,
): Promise<End> {
  writeUser(thread, prompt);
  const end = await runTurn(session, thread, script, prompt, foreground);
  if (end.how === 'interrupted') return end;
  // The one that stops is still among the running tasks here.
  const fields = {
    stop_hook_active: false,
    agent_transcript_path: thread.transcript.path,
    last_assistant_message: end.lastMessage,
    background_tasks: backgroundTasks(session),
    session_crons: [],
  };
  await session.hookAndWait('SubagentStop', fields, thread);
  return end;
}
