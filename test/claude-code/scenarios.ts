/**
 * What the model says, by the word after `SCN:` in the newest thing that somebody said to it. A scenario is the
 * list of its answers: the first to the prompt, the next to the results of the tools called by the one before.
 * The real Claude Code gets them from model-server.ts; the stand-in walks through the same ones by itself.
 */
export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface Said {
  readonly text?: string;
  readonly tools?: readonly ToolCall[];
  readonly usage?: Readonly<Record<string, number>>;
  /** Goes on saying words until the test lets it finish, or Claude hangs up. */
  readonly endless?: true;
}

export interface Failed {
  readonly status: number;
  readonly error: string;
  readonly message: string;
}

export type Answer = Said | Failed;

export const failed = (answer: Answer): answer is Failed => 'status' in answer;

export interface Folders {
  /** Where Claude was started. */
  readonly project: string;
  /** A folder outside of it: what is done there needs the user's word. */
  readonly outside: string;
  /** Where Claude keeps its files. */
  readonly configDir: string;
}

const call = (tool: string, input: Record<string, unknown>): ToolCall => ({ tool, input });
const bash = (command: string, description: string, more: Record<string, unknown> = {}) =>
  call('Bash', { command, description, ...more });

const database = {
  question: 'Which database should the webshop use?',
  header: 'Database',
  multiSelect: false,
  options: [
    { label: 'PostgreSQL', description: 'Relational, robust' },
    { label: 'SQLite', description: 'Single file' },
    { label: 'MongoDB', description: 'Documents' },
  ],
};
const features = {
  question: 'Which features do you want?',
  header: 'Features',
  multiSelect: true,
  options: [
    { label: 'Search', description: 'Full-text search' },
    { label: 'Cart', description: 'Shopping cart' },
    { label: 'Reviews', description: 'Customer reviews' },
  ],
};

/** Stands for the file that Claude Code names for its plan. */
export const PLAN_FILE = '/where/claude/keeps/plans/plan.md';

/** More than is left for the context of any model after the room that Claude Code keeps free. */
const FULL = { input_tokens: 985_000 };

/** A command that runs until the test lets it end by making the file. */
const untilFileExists = (file: string) => `until [ -e ${file} ]; do sleep 0.05; done; echo over`;
export const goFile = (folders: Pick<Folders, 'outside'>) => `${folders.outside}/go`;

export function scenarios(folders: Folders): Readonly<Record<string, readonly Answer[]>> {
  const { project, outside } = folders;
  const agent = (description: string, prompt: string, more: Record<string, unknown> = {}) =>
    call('Agent', { description, prompt, subagent_type: 'general-purpose', ...more });
  return {
    hello: [{ text: 'Hello! Everything is fine.' }],
    bash: [
      { text: 'I will create the file.', tools: [bash(`touch ${outside}/x1`, 'Create marker file')] },
      { text: 'Done, the file exists now.' },
    ],
    // A command with ESC in it Claude Code itself refuses.
    hostile: [
      {
        tools: [
          bash(
            `touch ${outside}/hostile # <b>&amp; %{A1:touch x:} \u202e\n# ${'long '.repeat(1000)}\n# the end`,
            'Make another file',
          ),
        ],
      },
      { text: 'Nobody was fooled.' },
    ],
    npm: [{ tools: [bash('npm install left-pad', 'Install left-pad')] }, { text: 'npm step finished.' }],
    ls: [{ tools: [bash('ls -la', 'List files')] }, { text: 'Listed.' }],
    missing: [
      { tools: [bash('ls ./nowhere', 'List a missing folder')] },
      { text: 'It failed, as expected.' },
    ],
    write: [
      {
        tools: [
          call('Write', { file_path: `${project}/src/new.ts`, content: 'export const answer = 42;\n' }),
        ],
      },
      { text: 'File written.' },
    ],
    edit: [
      { tools: [call('Read', { file_path: `${project}/src/cart.ts` })] },
      {
        tools: [
          call('Edit', {
            file_path: `${project}/src/cart.ts`,
            old_string: 'let total = 0;',
            new_string: 'let total = 0; // cents',
          }),
        ],
      },
      { text: 'Edit done.' },
    ],
    read: [{ tools: [call('Read', { file_path: '/etc/hostname' })] }, { text: 'Read done.' }],
    webfetch: [
      { tools: [call('WebFetch', { url: 'https://docs.example.com/guide', prompt: 'Summarise' })] },
      { text: 'Fetched.' },
    ],
    ask: [{ tools: [call('AskUserQuestion', { questions: [database] })] }, { text: 'Thank you.' }],
    askmulti: [{ tools: [call('AskUserQuestion', { questions: [features] })] }, { text: 'Thank you.' }],
    asktwo: [
      { tools: [call('AskUserQuestion', { questions: [database, features] })] },
      { text: 'Thank you.' },
    ],
    // The dialog with the plan comes only when the plan's file was written before.
    plan: [
      {
        tools: [
          call('Write', {
            file_path: PLAN_FILE,
            content: '# Plan: add search\n\n1. Add index\n',
          }),
        ],
      },
      { tools: [call('ExitPlanMode', { plan: '# Plan: add search\n\n1. Add index\n' })] },
      { text: 'Plan step over.' },
    ],
    agent: [
      { tools: [agent('Explore in bg', 'SCN:subbash please run it', { run_in_background: true })] },
      { text: 'The sub-agent runs in background.' },
    ],
    // In the foreground, where Claude Code still has such sub-agents.
    agentfront: [
      { tools: [agent('Explore', 'SCN:subbash please run it')] },
      { text: 'The sub-agent has reported.' },
    ],
    agentslow: [
      { tools: [agent('Think in bg', 'SCN:slow please', { run_in_background: true })] },
      { text: 'The sub-agent runs in background.' },
    ],
    agenttwo: [
      {
        tools: [
          agent('Explore A', 'SCN:subbash A', { run_in_background: true }),
          agent('Explore B', 'SCN:subwrite B', { run_in_background: true }),
        ],
      },
      { text: 'Both sub-agents run in background.' },
    ],
    subbash: [
      { text: 'Sub-agent at work.', tools: [bash(`touch ${outside}/sub1`, 'Sub-agent marker')] },
      { text: 'Sub-agent result: marker made.' },
    ],
    subwrite: [
      { tools: [call('Write', { file_path: `${project}/subwrite.txt`, content: 'sub\n' })] },
      { text: 'Sub-agent write result.' },
    ],
    two: [
      {
        text: 'Two commands.',
        tools: [bash(`touch ${outside}/p1`, 'First'), bash(`touch ${outside}/p2`, 'Second')],
      },
      { text: 'Both done.' },
    ],
    sequence: [
      { tools: [bash(`touch ${outside}/s1`, 'Step one')] },
      { tools: [bash(`mkdir -p ${outside}/s2`, 'Step two')] },
      { tools: [call('Write', { file_path: `${project}/s3.txt`, content: 'three\n' })] },
      { text: 'All three done.' },
    ],
    slow: [{ endless: true }],
    slowtool: [{ tools: [bash(untilFileExists(goFile(folders)), 'Wait')] }, { text: 'It is over.' }],
    bgshell: [
      { tools: [bash(untilFileExists(goFile(folders)), 'Background wait', { run_in_background: true })] },
      { text: 'Started in background.' },
    ],
    error400: [{ status: 400, error: 'invalid_request_error', message: 'messages: invalid request' }],
    error401: [{ status: 401, error: 'authentication_error', message: 'invalid x-api-key' }],
    error429: [
      { status: 429, error: 'rate_limit_error', message: 'This request would exceed your rate limit' },
    ],
    error500: [{ status: 500, error: 'api_error', message: 'Internal server error' }],
    error529: [{ status: 529, error: 'overloaded_error', message: 'Overloaded' }],
    big: [{ text: 'Much was read.', usage: { input_tokens: 180_000, cache_read_input_tokens: 5000 } }],
    // So much that Claude Code compacts by itself: before the next turn, or in the middle of this one.
    full: [{ text: 'Very much was read.', usage: FULL }],
    fulltool: [{ tools: [bash('ls -la', 'List files')], usage: FULL }, { text: 'Listed, and made short.' }],
    deploy: [{ tools: [call('mcp__shop__deploy', {})] }, { text: 'The form is over.' }],
    mcp: [{ tools: [call('mcp__shop__echo', { text: 'hello' })] }, { text: 'The server has answered.' }],
  };
}
