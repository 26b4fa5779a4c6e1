import * as z from 'zod/mini';
import type { Observation, SessionRenewed, ToolEnded } from '../sessions/observation.ts';
import type { AskedPrompt, PromptKind } from '../sessions/prompt.ts';
import type { SessionKey } from '../sessions/session.ts';
import { shortened } from '../sessions/shortened.ts';
import { type PermissionRequest, permissionRequestOf } from './decisions.ts';
import { anyJson, lenient, shortText } from './lenient.ts';
import { decisionText, inputKeyOf, titleOf, toolOf } from './tool-summary.ts';

/**
 * The events that every supported version of Claude Code knows (seen with 2.1.197 and 2.1.332). No other may be
 * installed: an unknown name greets the user with a warning dialog at every start of Claude Code.
 */
export const hookEvents = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'Notification',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'CwdChanged',
  'Elicitation',
  'ElicitationResult',
] as const;

/** Bytes of a hook's body. A Write of a large file carries all of it. */
export const hookBodyLimit = 8 * 1024 * 1024;

const longText = lenient(z.string());

const BackgroundTask = z.object({ id: shortText, type: shortText, status: shortText });

const ToolCall = z.object({ tool_name: shortText, tool_use_id: shortText, tool_input: anyJson });

const HookBody = z.object({
  hook_event_name: z.string(),
  session_id: shortText,
  transcript_path: shortText,
  prompt_id: shortText,
  permission_mode: shortText,
  agent_id: shortText,
  source: shortText,
  reason: shortText,
  prompt: longText,
  tool_name: shortText,
  tool_use_id: shortText,
  tool_input: anyJson,
  permission_suggestions: lenient(z.array(anyJson)),
  tool_calls: lenient(z.array(ToolCall)),
  notification_type: shortText,
  message: longText,
  error: shortText,
  last_assistant_message: longText,
  background_tasks: lenient(
    z.array(z.catch(BackgroundTask, { id: undefined, type: undefined, status: 'malformed' })),
  ),
  mcp_server_name: shortText,
});

/** One hook's stdin. All but the event's name may be missing. */
export type HookBody = z.infer<typeof HookBody>;

export function parseHook(json: string): { readonly body: HookBody } | { readonly error: string } {
  if (json.length > hookBodyLimit) return { error: `the hook's body is longer than ${hookBodyLimit} bytes` };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { error: "the hook's body is not JSON" };
  }
  const parsed = HookBody.safeParse(value);
  return parsed.success ? { body: parsed.data } : { error: "the hook's body has no hook_event_name" };
}

/** What a PermissionRequest asks, and what ties it to the prompt that it makes. */
export interface Asks {
  readonly inputKey: string;
  readonly request: PermissionRequest;
}

/** Null for any other event. */
export function asksIn(body: HookBody): Asks | null {
  if (body.hook_event_name !== 'PermissionRequest') return null;
  return { inputKey: inputKeyOf(body.tool_input), request: permissionRequestOf(body) };
}

/** Who sent a hook: as the headers of its request say, or the first line of what it left. */
export interface HookSender {
  /** Claude's own pid: the parent of the hook's script. */
  readonly pid: number | null;
  /** When the script began, ms since the epoch (`hookTime`). */
  readonly start: number | null;
}

export type HookHeard =
  | {
      readonly key: SessionKey;
      readonly event: string;
      readonly agent: string | null;
      /** What a PermissionRequest asks; null for any other event. */
      readonly asks: Asks | null;
    }
  | { readonly error: string };

export interface HookContext {
  /** When the hook's script began, ms since the epoch. */
  readonly at: number;
  /** Claude's session_id as it was known before; null where it was not. */
  readonly sessionId: string | null;
}

/** What a hook tells. Nothing for events that change nothing (SubagentStart, CwdChanged, unknown ones). */
export function observationsOf(body: HookBody, { at, sessionId }: HookContext): readonly Observation[] {
  const renewed = renewal(body, at, sessionId);
  const mode = body.permission_mode;
  return [
    ...(renewed === null ? [] : [renewed]),
    ...(mode === undefined ? [] : [{ type: 'mode-seen', at, permissionMode: mode } as const]),
    ...eventOf(body, at),
  ];
}

function eventOf(body: HookBody, at: number): readonly Observation[] {
  const source = 'hook';
  const promptId = body.prompt_id ?? null;
  const agent = body.agent_id ?? null;
  const lastMessage = body.last_assistant_message ?? null;
  switch (body.hook_event_name) {
    case 'UserPromptSubmit':
      return [{ type: 'turn-started', at, source, promptId, by: promptedBy(body.prompt ?? '') }];
    case 'PreToolUse':
      if (body.tool_name === undefined) return [];
      return [
        {
          type: 'tool-started',
          at,
          source,
          promptId,
          toolUseId: body.tool_use_id ?? null,
          agent,
          tool: toolOf(body.tool_name, body.tool_input),
          inputKey: inputKeyOf(body.tool_input),
        },
      ];
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return [toolEnded(body, at, callOf(body))];
    case 'PostToolBatch':
      return batchEnded(body, at);
    case 'PermissionRequest':
    case 'Elicitation':
      return [
        {
          type: 'prompt-asked',
          at,
          promptId,
          agent,
          prompt: body.hook_event_name === 'Elicitation' ? elicited(body) : asked(body),
          permissionMode: body.permission_mode ?? null,
        },
      ];
    case 'ElicitationResult': {
      const { tool, inputKey } = elicited(body);
      return [toolEnded(body, at, { toolUseId: `elicitation ${inputKey}`, tool, inputKey })];
    }
    case 'Notification':
      return [
        {
          type: 'nudged',
          at,
          notification: notificationOf(body.notification_type),
          message: body.message ?? null,
        },
      ];
    case 'Stop':
      if (agent !== null) return [{ type: 'agent-stopped', at, agent }];
      return [
        {
          type: 'turn-ended',
          at,
          source,
          promptId,
          how: 'finished',
          reason: null,
          lastMessage,
          background: backgroundOf(body),
        },
      ];
    case 'StopFailure':
      return [
        {
          type: 'turn-ended',
          at,
          source,
          promptId,
          how: 'failed',
          reason: failureInWords(body.error, lastMessage),
          lastMessage,
          background: backgroundOf(body),
        },
      ];
    case 'SubagentStop': {
      const counted = backgroundOf(body);
      return [
        ...(agent === null ? [] : [{ type: 'agent-stopped', at, agent } as const]),
        ...(counted === null ? [] : [{ type: 'background', at, ...counted } as const]),
      ];
    }
    case 'PreCompact':
      return [{ type: 'compaction', at, running: true }];
    case 'PostCompact':
      return [{ type: 'compaction', at, running: false }];
    default:
      return [];
  }
}

/**
 * /clear and /resume change the session_id, and SessionStart does not tell it everywhere (anthropics/claude-code
 * #28692). Whatever the same hook tells besides comes after the renewal, hence the millisecond.
 */
function renewal(body: HookBody, at: number, known: string | null): SessionRenewed | null {
  const sessionId = body.session_id;
  if (sessionId === undefined) return null;
  if (body.hook_event_name === 'SessionStart') {
    return { type: 'session-renewed', at, sessionId, how: howRenewed(body.source) };
  }
  // The end of the old one may be told after the start of the new one: async hooks keep no order.
  if (known === null || known === sessionId || body.hook_event_name === 'SessionEnd') return null;
  return { type: 'session-renewed', at: at - 1, sessionId, how: 'other' };
}

function howRenewed(source: string | undefined): SessionRenewed['how'] {
  switch (source) {
    case 'startup':
    case 'resume':
    case 'clear':
    case 'compact':
    case 'fork':
      return source;
    default:
      return 'other';
  }
}

/** UserPromptSubmit also fires for what a background task reports, which nobody typed. */
export function promptedBy(prompt: string): 'user' | 'task' {
  return prompt.trimStart().startsWith('<task-notification>') ? 'task' : 'user';
}

/** Its older name was still seen in the documentation of 2026. */
function notificationOf(type: string | undefined): string {
  return type === 'worker_permission_prompt' ? 'permission_prompt' : (type ?? 'unknown');
}

function toolEnded(
  body: HookBody,
  at: number,
  which: Pick<ToolEnded, 'toolUseId' | 'tool' | 'inputKey'>,
): ToolEnded {
  const promptId = body.prompt_id ?? null;
  return { type: 'tool-ended', at, source: 'hook', promptId, agent: body.agent_id ?? null, ...which };
}

/**
 * The calls of a batch by name: its hook is async, and may begin after the next call has asked for permission (seen with
 * 12 ms between the two). "All that is older" would settle that prompt too.
 */
function batchEnded(body: HookBody, at: number): readonly ToolEnded[] {
  const { tool_calls: calls = [] } = body;
  if (calls.length === 0) return [toolEnded(body, at, { toolUseId: null, tool: null, inputKey: null })];
  return calls.map((call) => toolEnded(body, at, callOf(call)));
}

function callOf(call: z.infer<typeof ToolCall>): Pick<ToolEnded, 'toolUseId' | 'tool' | 'inputKey'> {
  return {
    toolUseId: call.tool_use_id ?? null,
    tool: call.tool_name === undefined ? null : titleOf(call.tool_name),
    inputKey: inputKeyOf(call.tool_input),
  };
}

/** A sub-agent's own stop still lists it as running (seen with 2.1.332). */
function backgroundOf(body: HookBody): { readonly agents: number; readonly shells: number } | null {
  if (body.background_tasks === undefined) return null;
  const running = body.background_tasks.filter(
    ({ id, status }) => (status ?? 'running') === 'running' && (id === undefined || id !== body.agent_id),
  );
  const agents = running.filter(({ type }) => type?.includes('agent')).length;
  return { agents, shells: running.length - agents };
}

const failures: ReadonlyMap<string, string> = new Map([
  ['authentication_failed', 'API error: authentication failed'],
  ['oauth_org_not_allowed', 'API error: organisation not allowed'],
  ['billing_error', 'API error: billing'],
  ['rate_limit', 'API error: rate limit reached'],
  ['overloaded', 'API error: overloaded'],
  ['server_error', 'API error: server error'],
  ['invalid_request', 'API error: invalid request'],
  ['model_not_found', 'API error: model not found'],
  ['max_output_tokens', 'the answer was too long'],
]);

/** The `error` of StopFailure and of a failed line in the transcript, in words. */
export function failureInWords(error: string | undefined, message: string | null): string {
  const known = failures.get(error ?? '');
  if (known !== undefined) return known;
  if (error !== undefined && error !== 'unknown') return `API error: ${error.replaceAll('_', ' ')}`;
  const [said = ''] = message?.split('\n', 1) ?? [];
  return said === '' ? 'API error' : shortened(said, 200);
}

function asked(body: HookBody): AskedPrompt {
  const tool = body.tool_name ?? 'a tool';
  const request = permissionRequestOf(body);
  return {
    kind: promptKind(tool),
    title: titleOf(tool),
    text: decisionText(tool, body.tool_input),
    tool,
    inputKey: inputKeyOf(body.tool_input),
    suggestions: request.kind === 'tool' ? request.suggestions.map(({ rule }) => rule) : [],
    questions: request.kind === 'questions' ? request.questions : [],
  };
}

function promptKind(tool: string): PromptKind {
  return tool === 'AskUserQuestion' ? 'question' : tool === 'ExitPlanMode' ? 'plan' : 'permission';
}

/** A form of an MCP server. It has no tool input; its server ties it to its result. */
function elicited(body: HookBody): AskedPrompt {
  const server = body.mcp_server_name ?? 'MCP';
  return {
    kind: 'elicitation',
    title: server,
    text: body.message ?? '',
    tool: null,
    inputKey: inputKeyOf({ elicitation: server }),
    suggestions: [],
    questions: [],
  };
}
