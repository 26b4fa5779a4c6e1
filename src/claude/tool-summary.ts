import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Tool } from '../sessions/session.ts';
import { shortened } from '../sessions/shortened.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a tool call is about, in one line: the command, the file, the address. `input` is Claude's tool_input. */
export function toolOf(name: string, input: unknown): Tool {
  return { name: titleOf(name), summary: oneLine(summaryOf(name, asInput(input))) };
}

/** `mcp__server__tool` reads `server — tool`; other tools have their own name. */
export function titleOf(name: string): string {
  const [prefix, server, ...tool] = name.split('__');
  return prefix === 'mcp' && server !== undefined && tool.length > 0
    ? `${server} — ${tool.join('__')}`
    : name;
}

function summaryOf(name: string, input: Input): string {
  const text = (key: string): string | undefined => asText(input[key]);
  switch (name) {
    case 'Bash':
    case 'PowerShell':
      return text('command') ?? '';
    case 'Edit':
    case 'MultiEdit':
    case 'Write':
    case 'Read':
      return basename(text('file_path') ?? '');
    case 'NotebookEdit':
    case 'NotebookRead':
      return basename(text('notebook_path') ?? '');
    case 'Glob':
    case 'Grep':
      return [text('pattern'), text('path')].filter((part) => part !== undefined).join(' in ');
    case 'LS':
      return text('path') ?? '';
    case 'WebFetch':
      return text('url') ?? '';
    case 'WebSearch':
    case 'ToolSearch':
      return text('query') ?? '';
    case 'Agent':
    case 'Task':
      return text('description') ?? text('subagent_type') ?? '';
    case 'Skill':
    case 'SlashCommand':
      return text('skill') ?? text('command') ?? '';
    case 'BashOutput':
    case 'KillShell':
    case 'KillBash':
      return text('bash_id') ?? text('shell_id') ?? '';
    case 'AskUserQuestion':
      return questionsOf(input).join(' ');
    case 'ExitPlanMode':
      return text('plan')?.split('\n', 1)[0] ?? '';
    default:
      return otherInput(input);
  }
}

/**
 * The whole text that a permission prompt is to be decided on: what will run, be written or be read. Uncut and
 * unescaped.
 */
export function decisionText(name: string, input: unknown): string {
  const fields = asInput(input);
  const text = (key: string): string | undefined => asText(fields[key]);
  switch (name) {
    case 'Bash':
    case 'PowerShell':
      return text('command') ?? otherInput(fields);
    case 'Read':
      return text('file_path') ?? otherInput(fields);
    case 'Write':
      return lines(text('file_path'), text('content')) ?? otherInput(fields);
    case 'Edit':
      return (
        lines(
          text('file_path'),
          marked('-', text('old_string')),
          marked('+', text('new_string')),
          fields.replace_all === true ? '(everywhere in the file)' : undefined,
        ) ?? otherInput(fields)
      );
    case 'WebFetch':
      return lines(text('url'), text('prompt')) ?? otherInput(fields);
    case 'Agent':
    case 'Task':
      return lines(text('description'), text('prompt')) ?? otherInput(fields);
    case 'AskUserQuestion':
      return questionsOf(fields).join('\n');
    case 'ExitPlanMode':
      return text('plan') ?? '';
    default:
      return otherInput(fields);
  }
}

/** Equal for equal inputs, whatever the order of their keys. */
export function inputKeyOf(input: unknown): string {
  return createHash('sha256').update(canonical(input)).digest('base64url').slice(0, 22);
}

/** JSON with sorted keys. A replacer of JSON.stringify would do, at three times the cost. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join(',')}}`;
}

function asInput(input: unknown): Input {
  return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Input) : {};
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function questionsOf(input: Input): string[] {
  if (!Array.isArray(input.questions)) return [];
  return input.questions.flatMap((question) => asText(asInput(question).question) ?? []);
}

/** A tool that tsmux does not know: its only text, else its whole input. */
function otherInput(input: Input): string {
  const values = Object.values(input);
  const [only] = values;
  if (values.length === 0) return '';
  return values.length === 1 && typeof only === 'string' ? only : JSON.stringify(input);
}

function lines(...parts: readonly (string | undefined)[]): string | undefined {
  const given = parts.filter((part) => part !== undefined);
  return given.length === 0 ? undefined : given.join('\n');
}

function marked(mark: string, text: string | undefined): string | undefined {
  return text
    ?.split('\n')
    .map((line) => `${mark} ${line}`)
    .join('\n');
}

/** Longest summary, in UTF-16 units: bars cut it further, the whole text is in the prompt. */
const longest = 500;

function oneLine(text: string): string {
  return shortened(text, longest)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .trim();
}
