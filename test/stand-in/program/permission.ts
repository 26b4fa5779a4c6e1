import { existsSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import type { ToolCall } from '../../claude-code/scenarios.ts';
import type { Setup } from './settings.ts';

/** What the user is asked about one tool call: the words on the screen, and what a hook is told. */
export interface Asking {
  readonly header: string;
  /** Lines between the rulers, or above the question in 2.1.197. */
  readonly body: readonly string[];
  readonly question: string;
  /** In the order of the screen, without numbers. */
  readonly options: readonly string[];
  /** Which option means yes, by its index; all others but the last, which is No, allow more than this once. */
  readonly suggestions: readonly object[] | null;
  readonly waitingFor: string;
}

const setMode = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
const rule = (toolName: string, ruleContent: string | undefined, destination: string) => ({
  type: 'addRules',
  rules: [ruleContent === undefined ? { toolName } : { toolName, ruleContent }],
  behavior: 'allow',
  destination,
});

const capital = (word = '') => word.charAt(0).toUpperCase() + word.slice(1);
const text = (call: ToolCall, field: string) => String(call.input[field] ?? '');
const READ_ONLY = /^(ls|cat|pwd|echo|until|sleep|grep|cd \S+ && pwd)\b/;
const inside = (path: string, project: string) => !relative(project, path).startsWith('..');

/** Whether a rule of `permissions.allow` covers the call: `Tool`, or `Tool(text)` with `*` as its end. */
function allows(allowed: readonly string[], call: ToolCall): boolean {
  return allowed.some((one) => {
    const [, tool, content] = /^(\w+)(?:\((.*)\))?$/.exec(one) ?? [];
    if (tool !== call.tool) return false;
    if (content === undefined) return true;
    const command = text(call, 'command');
    return content.endsWith('*') ? command.startsWith(content.slice(0, -1).trimEnd()) : command === content;
  });
}

export function mustAsk(call: ToolCall, mode: string, project: string, allowed: readonly string[]): boolean {
  const { tool } = call;
  if (tool === 'AskUserQuestion' || tool === 'ExitPlanMode') return true;
  if (mode === 'bypassPermissions' || mode === 'auto' || allows(allowed, call)) return false;
  if (tool === 'Bash') return !READ_ONLY.test(text(call, 'command'));
  if (tool === 'Read') return !inside(text(call, 'file_path'), project);
  if (tool === 'Write' || tool === 'Edit') {
    return mode !== 'acceptEdits' && !text(call, 'file_path').includes('/plans/');
  }
  return tool === 'WebFetch' || tool.startsWith('mcp__');
}

/** Where a tool comes from that is not Claude Code's own: 2.1.332 tells. */
export function serverOf(tool: string, isNew: boolean): object {
  const name = /^mcp__(.+?)__/.exec(tool)?.[1];
  return name === undefined || !isNew ? {} : { mcp_server: { name, source: 'dynamic' } };
}

/** The dialogs that were seen on 2.1.332 and 2.1.197, manual mode. */
export function asking(call: ToolCall, version: Setup['version'], mode: string, project: string): Asking {
  const isNew = version === '2.1.332';
  const question = 'Do you want to proceed?';
  const waitingFor = 'permission prompt';
  const suggested = (suggestions: readonly object[]) => (mode === 'plan' ? null : suggestions);
  const path = text(call, 'file_path');
  switch (call.tool) {
    case 'Bash': {
      const command = text(call, 'command');
      // The folder that the command writes into, or the very one that it would make if it is there.
      const target = /(\/\S+)$/.exec(command)?.[1];
      const isThere = /^mkdir/.test(command) && target !== undefined && existsSync(target);
      const outside = target === undefined || isThere ? target : dirname(target);
      const npm = /^npm \w+/.exec(command)?.[0];
      const always =
        npm !== undefined
          ? `Yes, and don’t ask again for: ${npm} *`
          : outside === undefined
            ? null
            : `Yes, and always allow access to ${isNew ? outside : `${outside.split('/').at(-1)}/`} from this project`;
      const auto = isNew ? ['Yes, and switch to auto mode · auto mode handles these prompts for you'] : [];
      return {
        header: 'Bash command',
        body: isNew ? [command] : [command, text(call, 'description')],
        question,
        options: ['Yes', ...(always === null ? [] : [always]), ...auto, 'No'],
        suggestions: suggested(
          npm !== undefined
            ? [rule('Bash', `${npm} *`, 'localSettings')]
            : outside === undefined
              ? []
              : [{ type: 'addDirectories', directories: [outside], destination: 'session' }, setMode],
        ),
        waitingFor,
      };
    }
    case 'Write':
    case 'Edit': {
      const name = relative(project, path);
      const file = name.split('/').at(-1) ?? name;
      const isNewFile = call.tool === 'Write';
      return {
        header: isNewFile ? 'Create file' : 'Edit file',
        body: [
          name,
          ...text(call, isNewFile ? 'content' : 'new_string')
            .trimEnd()
            .split('\n'),
        ],
        question: `Do you want to ${isNewFile ? 'create' : 'make this edit to'} ${file}?`,
        options: [
          'Yes',
          isNew
            ? 'Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)'
            : 'Yes, allow all edits during this session (shift+tab)',
          'No',
        ],
        suggestions: suggested([setMode]),
        waitingFor,
      };
    }
    case 'Read': {
      const folder = dirname(path);
      return {
        header: 'Read file',
        body: [`Read(${path})`],
        question,
        options: [
          'Yes',
          `Yes, allow reading from ${isNew ? folder : `${folder.split('/').at(-1)}/`} during this session`,
          'No',
        ],
        suggestions: suggested([rule('Read', `/${folder}/**`, 'session')]),
        waitingFor,
      };
    }
    case 'WebFetch': {
      const { hostname } = new URL(text(call, 'url'));
      return {
        header: 'Fetch',
        body: [`url: ${text(call, 'url')}`, `prompt: ${text(call, 'prompt')}`],
        question: 'Do you want to allow Claude to fetch this content?',
        options: [
          'Yes',
          `Yes, and don't ask again for ${hostname}`,
          'No, and tell Claude what to do differently (esc)',
        ],
        suggestions: suggested([rule('WebFetch', `domain:${hostname}`, 'localSettings')]),
        waitingFor,
      };
    }
    case 'ExitPlanMode':
      return {
        header: 'Ready to code?',
        body: text(call, 'plan').trimEnd().split('\n'),
        question: 'Claude has written up a plan and is ready to execute. Would you like to proceed?',
        options: ['Yes, and use auto mode', 'Yes, manually approve edits', 'Tell Claude what to change'],
        suggestions: null,
        waitingFor,
      };
    case 'AskUserQuestion':
      return {
        header: '',
        body: [],
        question: '',
        options: [],
        suggestions: null,
        waitingFor: isNew ? 'input needed' : waitingFor,
      };
    default: {
      const server = /^mcp__(.+?)__(.+)$/.exec(call.tool);
      return {
        header: 'Tool use',
        body: Object.entries(call.input).map(([name, value]) => `${name}: ${JSON.stringify(value)}`),
        question,
        options: [
          'Yes',
          `Yes, and don't ask again for ${server?.[1]} ${isNew ? `— ${capital(server?.[2])}` : `- ${server?.[2]}`} commands in ${project}`,
          'No',
        ],
        suggestions: suggested([rule(call.tool, undefined, 'localSettings')]),
        waitingFor,
      };
    }
  }
}
