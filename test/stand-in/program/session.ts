import { randomUUID } from 'node:crypto';
import type { Choice, Dialog } from './dialogs.ts';
import { encoded, type SessionFile, sessionFile, type Transcript, transcript } from './files.ts';
import { callHook, type HookCall } from './hooks.ts';
import { openScreen, type Screen } from './screen.ts';
import { loadSettings, type Setup } from './settings.ts';

export const MODEL = 'claude-opus-5-5';

/** The main conversation, or that of a sub-agent. */
export interface Thread {
  readonly agentId: string | null;
  readonly agentType: string | null;
  readonly promptId: string;
  readonly transcript: Transcript;
  readonly interrupt: AbortController;
}

export interface Task {
  readonly id: string;
  readonly type: 'subagent' | 'shell';
  readonly description: string;
  readonly more: object;
}

interface Shown {
  readonly dialog: Dialog;
  readonly waitingFor: string;
  readonly chosen: (choice: Choice) => void;
  since: number;
}

/** Everything that one Claude Code process is, and what it shows of it. */
export interface Session {
  readonly setup: Setup;
  readonly isNew: boolean;
  readonly print: boolean;
  readonly configDir: string;
  readonly project: string;
  readonly screen: Screen;
  readonly file: SessionFile;
  /** Running sub-agents and background commands. */
  readonly tasks: Map<string, Task>;
  readonly sessionAllowed: string[];
  cwd: string;
  mode: string;
  sessionId: string;
  promptId: string | null;
  transcript: Transcript;
  /** A turn of the main conversation runs. */
  working: boolean;
  /** What stands in the prompt box. */
  typed: string;
  /** The user's own name for the session. */
  title: string | null;
  /** Moves the command that runs to the background; null while none does. */
  moveToBackground: (() => void) | null;
  env(): NodeJS.ProcessEnv;
  allowed(): readonly string[];
  /** Starts all hooks of an event; an async one is not waited for by anybody. */
  hook(event: string, fields: object, thread?: Thread, toolName?: string): readonly HookCall[];
  /** As `hook`, and waits for the ones that are not async; what failed is shown. Gives how many ran. */
  hookAndWait(event: string, fields: object, thread?: Thread, toolName?: string): Promise<number>;
  openTranscript(agentId: string | null): Transcript;
  /** Shows a dialog, behind those that are open; `close` takes it away undecided. */
  open(dialog: Dialog, waitingFor: string): { readonly choice: Promise<Choice>; close(): void };
  /** The dialog that gets the keys. */
  front(): Shown | undefined;
  /** Writes the session file and draws the screen, with a hint of what can be done. */
  refresh(hint?: string): void;
  /** Another conversation in the same process: a fresh one, or one that was left. */
  renew(sessionId: string): void;
}

const WITH_MODE = new Set([
  ...['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch'],
  ...['PermissionRequest', 'Stop', 'SubagentStop'],
]);
const WITH_TITLE = new Set(['UserPromptSubmit', 'SessionStart']);
const WITHOUT_EFFORT = new Set([
  'UserPromptSubmit',
  'SessionStart',
  'SessionEnd',
  'SubagentStart',
  'Notification',
  'CwdChanged',
  'PreCompact',
  'PostCompact',
]);

export function createSession(options: {
  readonly setup: Setup;
  readonly print: boolean;
  readonly mode: string;
  readonly name: string | null;
  readonly configDir: string;
  /** Of the conversation that it goes on with; null: a new one. */
  readonly resumed: string | null;
  /** Of the git worktree that it works in. */
  readonly worktree: string | null;
}): Session {
  const { setup, configDir } = options;
  const isNew = setup.version === '2.1.332';
  const project = process.cwd();
  const entrypoint = setup.entrypoint ?? (options.print ? 'sdk-cli' : 'cli');
  const sessionId = options.resumed ?? randomUUID();
  const screen = openScreen(isNew && !options.print);
  const dialogs: Shown[] = [];
  const pane = process.env.TMUX_PANE;

  const open = (id: string, agentId: string | null) =>
    transcript({
      version: setup.version,
      configDir,
      project,
      cwd: () => session.cwd,
      sessionId: id,
      entrypoint,
      agentId,
      branch: options.worktree === null ? 'main' : `worktree-${options.worktree}`,
    });

  function refresh(hint?: string): void {
    const front = dialogs[0];
    const agents = [...session.tasks.values()].some((task) => task.type === 'subagent');
    // 2.1.197 has no status while it prints.
    if (options.print && !isNew) session.file.write(null);
    else if (front !== undefined) session.file.write({ status: 'waiting', waitingFor: front.waitingFor });
    else if (session.working || agents) session.file.write({ status: 'busy' });
    else session.file.write({ status: session.tasks.size > 0 ? 'shell' : 'idle' });
    const busy = front === undefined && session.working && pane === undefined;
    screen.title(`${busy ? '◐' : '✳'} Claude Code`);
    const bottom =
      front === undefined
        ? ['─'.repeat(screen.columns), `❯ ${session.typed}`, '─'.repeat(screen.columns)]
        : front.dialog.lines(screen.columns, { number: 1, of: dialogs.length });
    screen.draw([hint ?? '', ...bottom]);
  }

  const session: Session = {
    setup,
    isNew,
    print: options.print,
    configDir,
    project,
    screen,
    tasks: new Map(),
    sessionAllowed: [],
    cwd: project,
    mode: options.mode,
    sessionId,
    promptId: null,
    working: false,
    typed: '',
    title: options.name,
    moveToBackground: null,
    transcript: open(sessionId, null),
    file: sessionFile({
      setup,
      configDir,
      cwd: project,
      sessionId,
      entrypoint,
      // Written as "<session>:<window>.<pane>"; the pane is all that a program knows without asking tmux.
      tmux: pane === undefined ? null : `main:@0.${pane}`,
      name: options.name,
    }),
    env: () => {
      const { NODE_OPTIONS, STAND_IN, ...env } = process.env;
      return {
        ...env,
        ...(isNew && { CLAUDE_PID: String(process.pid), CLAUDE_CODE_CHILD_SESSION: '1' }),
        CLAUDECODE: '1',
        CLAUDE_CODE_ENTRYPOINT: entrypoint,
        CLAUDE_CODE_SESSION_ID: session.sessionId,
        CLAUDE_PROJECT_DIR: project,
        AI_AGENT: `claude-code_${setup.version.replaceAll('.', '-')}_harness`,
      };
    },
    allowed: () => [...loadSettings(configDir, project).allowed, ...session.sessionAllowed],
    hook: (event, fields, thread, toolName) => {
      const promptId = thread?.promptId ?? session.promptId;
      const payload = {
        session_id: session.sessionId,
        transcript_path: session.transcript.path,
        cwd: session.cwd,
        ...(promptId !== null && { prompt_id: promptId }),
        ...(WITH_MODE.has(event) && { permission_mode: session.mode }),
        ...(thread?.agentId != null && { agent_id: thread.agentId, agent_type: thread.agentType }),
        ...(!WITHOUT_EFFORT.has(event) && { effort: { level: 'medium' } }),
        hook_event_name: event,
        ...fields,
        ...(WITH_TITLE.has(event) && session.title !== null && { session_title: session.title }),
      };
      const handlers = loadSettings(configDir, project).handlers(event, toolName ?? null);
      return handlers.map((handler) => callHook(handler, payload, { cwd: session.cwd, env: session.env() }));
    },
    hookAndWait: async (event, fields, thread, toolName) => {
      const calls = session.hook(event, fields, thread, toolName);
      for (const noise of await Promise.all(calls.map((call) => call.noise))) {
        const name = toolName === undefined ? event : `${event}:${toolName}`;
        if (noise !== null) screen.say(`  ⎿  ${name} hook ${isNew ? 'failed' : 'error'}`, `     ${noise}`);
      }
      return calls.length;
    },
    openTranscript: (agentId) => open(session.sessionId, agentId),
    open: (dialog, waitingFor) => {
      let chosen: Shown['chosen'] = () => {};
      const choice = new Promise<Choice>((resolve) => {
        chosen = resolve;
      });
      const shown: Shown = { dialog, waitingFor, chosen, since: Date.now() };
      dialogs.push(shown);
      refresh();
      const close = () => {
        const at = dialogs.indexOf(shown);
        if (at < 0) return;
        dialogs.splice(at, 1);
        const next = dialogs[0];
        if (at === 0 && next !== undefined) next.since = Date.now();
        refresh();
      };
      return { choice, close };
    },
    front: () => dialogs[0],
    refresh,
    renew: (id) => {
      session.sessionId = id;
      session.promptId = null;
      session.transcript = open(id, null);
      session.file.renew(id);
    },
  };
  return session;
}

export const taskOutput = (session: Session, id: string) =>
  `/tmp/claude-${process.getuid?.() ?? 0}/${encoded(session.project)}/${session.sessionId}/tasks/${id}.output`;
