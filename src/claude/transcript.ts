import * as z from 'zod/mini';
import type { Observation, TranscriptRead, TurnStarted } from '../sessions/observation.ts';
import type { Tokens } from '../sessions/session.ts';
import { failureInWords, promptedBy } from './hooks.ts';
import { anyJson, lenient, shortText } from './lenient.ts';
import { inputKeyOf, titleOf, toolOf } from './tool-summary.ts';

const flag = lenient(z.boolean());
const count = z.catch(z.optional(z.int().check(z.minimum(0))), 0);

const Part = z.looseObject({
  type: shortText,
  text: lenient(z.string()),
  id: shortText,
  name: shortText,
  tool_use_id: shortText,
  input: anyJson,
});

/**
 * A line of a transcript (`projects/<folder>/<session id>.jsonl`), as seen with 2.1.197 and 2.1.332. Undocumented:
 * what is not known is passed over, line by line and field by field.
 */
const Line = z.looseObject({
  type: z.string(),
  subtype: shortText,
  operation: shortText,
  timestamp: shortText,
  sessionId: shortText,
  gitBranch: shortText,
  promptId: shortText,
  permissionMode: shortText,
  customTitle: shortText,
  isSidechain: flag,
  isMeta: flag,
  isCompactSummary: flag,
  isVisibleInTranscriptOnly: flag,
  isApiErrorMessage: flag,
  error: shortText,
  origin: lenient(z.looseObject({ kind: shortText })),
  message: lenient(
    z.looseObject({
      id: shortText,
      model: shortText,
      stop_reason: lenient(z.nullable(z.string())),
      content: lenient(z.union([z.string(), z.array(Part)])),
      usage: lenient(
        z.looseObject({
          input_tokens: count,
          output_tokens: count,
          cache_read_input_tokens: count,
          cache_creation_input_tokens: count,
        }),
      ),
    }),
  ),
});
type Line = z.infer<typeof Line>;
type Part = z.infer<typeof Part>;

/** These are long and say nothing here; they are not even parsed. */
const passedOver = /^\{"type":"(?:api-request|attachment|file-history)|"type":"api-request-blob"/;

/** Null for what is no line of a transcript: cut, two objects on a line, NUL bytes after a crash. */
function parseLine(json: string): Line | null {
  if (passedOver.test(json.slice(0, 200))) return null;
  try {
    const parsed = Line.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** Reads a transcript line by line and tells what each says of the main thread. Memory does not grow with it. */
export interface TranscriptReader {
  /** @param now ms since the epoch: what a line says of the future, its clock was wrong about. */
  read(lines: readonly string[], now: number): readonly Observation[];
}

/** One message of the API stands on several lines, one for each of its parts; the newest few may still go on. */
const messagesKept = 16;
const toolsKept = 32;

interface OpenTool {
  readonly name: string;
  readonly inputKey: string;
}

/** The model of lines that Claude Code itself writes in Claude's place. */
const synthetic = '<synthetic>';

const noTokens: Tokens = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

export function createTranscriptReader(): TranscriptReader {
  const tools = new Map<string, OpenTool>();
  const counted = new Map<string, Tokens>();
  let tokens = noTokens;
  let turn: { readonly promptId: string | null; ended: boolean } = { promptId: null, ended: true };
  let summary: Omit<TranscriptRead, 'type'> = {
    at: 0,
    sessionId: null,
    model: null,
    branch: null,
    customTitle: null,
    permissionMode: null,
    lastMessage: null,
    tokens: null,
    contextPercent: null,
  };

  function lineRead(line: Line, at: number): readonly Observation[] {
    switch (line.type) {
      case 'user':
        return userLine(line, at);
      case 'assistant':
        return assistantLine(line, at);
      case 'system':
        return systemLine(line, at);
      case 'queue-operation':
        return line.operation === 'enqueue' ? [{ type: 'turn-queued', at }] : [];
      default:
        return [];
    }
  }

  function userLine(line: Line, at: number): readonly Observation[] {
    if (line.isMeta || line.isCompactSummary || line.isVisibleInTranscriptOnly) return [];
    const parts = partsOf(line);
    const results = parts.flatMap((part) =>
      part.type === 'tool_result' ? [toolResult(line, part, at)] : [],
    );
    if (results.length > 0) return results;
    const said = parts.map((part) => part.text ?? '').join('\n');
    if (said.startsWith('[Request interrupted by user')) {
      return [ended(line, at, 'interrupted', null, null)];
    }
    if (isLocalCommand(said)) return [{ type: 'command-run', at }];
    if (said === '' && !parts.some((part) => part.type === 'image' || part.type === 'document')) return [];
    return [started(line, at, line.origin?.kind === 'task-notification' ? 'task' : promptedBy(said))];
  }

  function started(line: Line, at: number, by: TurnStarted['by']): Observation {
    turn = { promptId: line.promptId ?? null, ended: false };
    return { type: 'turn-started', at, source: 'transcript', promptId: turn.promptId, by };
  }

  function toolResult(line: Line, part: Part, at: number): Observation {
    const toolUseId = part.tool_use_id ?? null;
    const tool = toolUseId === null ? undefined : tools.get(toolUseId);
    if (toolUseId !== null) tools.delete(toolUseId);
    return {
      type: 'tool-ended',
      at,
      source: 'transcript',
      promptId: line.promptId ?? turn.promptId,
      toolUseId,
      agent: null,
      tool: tool === undefined ? null : titleOf(tool.name),
      inputKey: tool?.inputKey ?? null,
    };
  }

  function assistantLine(line: Line, at: number): readonly Observation[] {
    const { message } = line;
    const said = partsOf(line)
      .flatMap((part) => (part.type === 'text' && part.text !== undefined ? [part.text] : []))
      .join('\n');
    if (line.isApiErrorMessage) {
      return [ended(line, at, 'failed', failureInWords(line.error, said), said === '' ? null : said)];
    }
    // "No response requested.", by which 2.1.197 takes up a conversation again: nobody has said it.
    if (message?.model === synthetic) return [];
    if (said !== '') summary = { ...summary, lastMessage: said };
    countTokens(message);
    const stop = message?.stop_reason ?? null;
    if (stop === 'end_turn' || stop === 'stop_sequence' || stop === 'max_tokens' || stop === 'refusal') {
      // The parts of a message stand on a line each, and each line bears how the message ended.
      return said === '' ? [] : [ended(line, at, 'finished', null, said)];
    }
    return [...wentOn(at), ...partsOf(line).flatMap((part) => toolUse(part, at))];
  }

  /**
   * Claude is at work though its turn had ended: a Stop hook sent it on, or what was interrupted was the turn before
   * (with 2.1.332 the marker then bears the promptId of the queued prompt).
   */
  function wentOn(at: number): readonly Observation[] {
    if (!turn.ended || turn.promptId === null) return [];
    turn.ended = false;
    return [{ type: 'turn-started', at, source: 'transcript', promptId: null, by: 'task' }];
  }

  function toolUse(part: Part, at: number): readonly Observation[] {
    if (part.type !== 'tool_use' || part.name === undefined) return [];
    const tool = { name: part.name, inputKey: inputKeyOf(part.input) };
    if (part.id !== undefined) keep(tools, part.id, tool, toolsKept);
    return [
      {
        type: 'tool-started',
        at,
        source: 'transcript',
        promptId: turn.promptId,
        toolUseId: part.id ?? null,
        agent: null,
        tool: toolOf(part.name, part.input),
        inputKey: tool.inputKey,
      },
    ];
  }

  function systemLine(line: Line, at: number): readonly Observation[] {
    if (line.subtype === 'local_command') return [{ type: 'command-run', at }];
    if (line.subtype === 'compact_boundary') return [{ type: 'compaction', at, running: false }];
    if (line.subtype !== 'turn_duration' || turn.ended) return [];
    return [ended(line, at, 'finished', null, summary.lastMessage)];
  }

  function ended(
    line: Line,
    at: number,
    how: 'finished' | 'failed' | 'interrupted',
    reason: string | null,
    lastMessage: string | null,
  ): Observation {
    turn.ended = true;
    const promptId = line.promptId ?? turn.promptId;
    return {
      type: 'turn-ended',
      at,
      source: 'transcript',
      promptId,
      how,
      reason,
      lastMessage,
      background: null,
    };
  }

  function countTokens(message: Line['message']): void {
    const usage = message?.usage;
    if (message === undefined || usage === undefined) return;
    const used: Tokens = {
      input: usage.input_tokens ?? 0,
      output: usage.output_tokens ?? 0,
      cacheRead: usage.cache_read_input_tokens ?? 0,
      cacheWrite: usage.cache_creation_input_tokens ?? 0,
    };
    const before = (message.id === undefined ? undefined : counted.get(message.id)) ?? noTokens;
    if (message.id !== undefined) keep(counted, message.id, used, messagesKept);
    tokens = {
      input: tokens.input + used.input - before.input,
      output: tokens.output + used.output - before.output,
      cacheRead: tokens.cacheRead + used.cacheRead - before.cacheRead,
      cacheWrite: tokens.cacheWrite + used.cacheWrite - before.cacheWrite,
    };
    const model = message.model ?? summary.model;
    summary = { ...summary, tokens, model, contextPercent: contextPercentOf(model, used) };
  }

  return {
    read(lines, now) {
      const before = summary;
      const observations: Observation[] = [];
      for (const json of lines) {
        const line = parseLine(json);
        // A sub-agent's lines stood in the same file before they got files of their own.
        if (line === null || line.isSidechain) continue;
        const time = timeOf(line, now);
        const at = Number.isNaN(time) ? summary.at : time;
        summary = {
          ...summary,
          at: Math.max(at, summary.at),
          sessionId: line.sessionId ?? summary.sessionId,
          branch: line.gitBranch === undefined ? summary.branch : branchOf(line.gitBranch),
          customTitle: line.type === 'custom-title' ? (line.customTitle ?? null) : summary.customTitle,
          permissionMode: line.permissionMode ?? summary.permissionMode,
        };
        if (!Number.isNaN(time)) observations.push(...lineRead(line, time));
      }
      // The first lines of a new transcript bear no time; what they say is told with the first one that does.
      const isNews = summary !== before && summary.at > 0;
      return isNews ? [...observations, { type: 'transcript', ...summary }] : observations;
    },
  };
}

/**
 * What of a fresh read is still of interest: the newest turn, and the tools that run in it. Tools of older turns that
 * never ended, or of a process that was killed, must not keep a session busy.
 *
 * @param since when the process started, ms since the epoch.
 */
export function newestTurn(observations: readonly Observation[], since: number): readonly Observation[] {
  const start = observations.findLastIndex(({ type }) => type === 'turn-started');
  return observations.filter(
    (seen, index) => seen.type === 'transcript' || (index >= start && seen.at >= since - 1000),
  );
}

/** Whether the lines of a window show how the newest turn stands. */
export function showsTurn(lines: readonly string[]): boolean {
  return lines.some((line) => line.includes('"promptId":') && line.includes('"type":"user"'));
}

/** So far ahead of the clock a line's time may be, ms. */
const clockTolerance = 60_000;

/** NaN where there is none, or where it seems newer than all that comes, as the clock was set back since. */
function timeOf(line: Line, now: number): number {
  const time = Date.parse(line.timestamp ?? '');
  return time <= now + clockTolerance ? time : Number.NaN;
}

function partsOf(line: Line): readonly Part[] {
  const content = line.message?.content;
  if (typeof content === 'string') return [textPart(content)];
  return content ?? [];
}

function textPart(said: string): Part {
  return {
    type: 'text',
    text: said,
    id: undefined,
    name: undefined,
    tool_use_id: undefined,
    input: undefined,
  };
}

/**
 * Built-in commands (/clear, /rename) and `!` commands are lines of the user that begin no turn. Skills and commands
 * of the user's own begin with `<command-message>` and do.
 */
function isLocalCommand(said: string): boolean {
  return /^\s*<(?:command-name|local-command-|bash-input|bash-stdout|bash-stderr)/.test(said);
}

/** Git's name of a detached head is no branch. */
function branchOf(branch: string): string | null {
  return branch === '' || branch === 'HEAD' ? null : branch;
}

/** Drops the oldest entry when there are more than `limit`. */
function keep<T>(map: Map<string, T>, key: string, value: T, limit: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > limit && oldest !== undefined) map.delete(oldest);
}

/**
 * Claude's own figure for "context used" is only told to its status line; this is how that figure is made. The size
 * of the window is not in the transcript: null for models that are not known.
 */
function contextPercentOf(model: string | null, used: Tokens): number | null {
  const filled = used.input + used.cacheRead + used.cacheWrite;
  const size = windowOf(model ?? '');
  return size === null || filled > size ? null : Math.round((filled / size) * 100);
}

function windowOf(model: string): number | null {
  if (model.includes('[1m]')) return 1_000_000;
  const generation = /^claude-(?:(\d)-|[a-z]+-(\d)(?:-|$))/.exec(model);
  const number = Number(generation?.[1] ?? generation?.[2]);
  if (number === 3 || number === 4) return 200_000;
  return number === 5 ? 1_000_000 : null;
}
