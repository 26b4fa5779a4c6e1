/**
 * A small program that behaves as Claude Code does, as far as anybody outside of it can see: its process, its
 * session file, its transcript, its hooks, its dialogs and its keys, in the manner of 2.1.332 or 2.1.197. It
 * listens to what is typed, and to the test at the other end of a socket. Started by ../index.ts.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod/mini';
import { type Answer, scenarios } from '../../claude-code/scenarios.ts';
import { backgroundTasks, onNotification } from './background.ts';
import { plainDialog } from './dialogs.ts';
import { keysIn } from './screen.ts';
import { createSession, type Thread } from './session.ts';
import { knownEvents, loadSettings, Setup } from './settings.ts';
import { Step } from './step.ts';
import { runTurn, type Script } from './turn.ts';

/** A dialog does not hear keys at once, ms (2.1.332: about 0.2 s after it is visible). */
const DEAF = 200;
const IDLE_REMINDER = 60_000;

/**
 * Node.js would take a first word that begins with a dash for an option of its own, so it is started with `_`
 * there. The true word is put back where the kernel shows it to others; see proc(5), "cmdline".
 */
function showTrueCommandLine(): string[] {
  const raw = readFileSync('/proc/self/cmdline');
  const second = raw.indexOf(0) + 1;
  if (raw[second] === '_'.charCodeAt(0)) {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[45]);
    writeSync(openSync('/proc/self/mem', 'r+'), Buffer.from('-'), 0, 1, start + second);
  }
  return readFileSync('/proc/self/cmdline', 'utf8').split('\0').slice(1, -1);
}

// Node.js calls its main thread after the program up to 22, and `MainThread` since 24.
writeFileSync('/proc/self/comm', basename(process.execPath));
const args = showTrueCommandLine();
const setup = Setup.parse(JSON.parse(process.env.STAND_IN ?? '{}'));
const after = (flag: string) => (args.includes(flag) ? (args[args.indexOf(flag) + 1] ?? null) : null);
const printed = after('-p') ?? after('--print');
const configDir = process.env.CLAUDE_CONFIG_DIR ?? join(process.env.HOME ?? '/', '.claude');
const mode = after('--permission-mode') ?? 'default';
const session = createSession({
  setup,
  configDir,
  print: printed !== null,
  mode: mode === 'manual' ? 'default' : mode,
  name: after('--name'),
});

// --- the model -------------------------------------------------------------------------------------------------

const own = new Map<string, readonly Answer[]>();
const waiting = new Set<() => void>();
const outside = process.env.STAND_IN_OUTSIDE ?? join(session.project, '../../../outside');
const known = scenarios({ project: session.project, outside, configDir });
const script: Script = {
  answersTo: (prompt) => {
    const name = [...prompt.matchAll(/SCN:(\w+)/g)].at(-1)?.[1];
    return (
      (name === undefined ? undefined : (own.get(name) ?? known[name])) ?? [
        { text: `I have read: ${prompt}` },
      ]
    );
  },
  finished: () => new Promise((resolve) => waiting.add(resolve)),
};

// --- turns of the main conversation ----------------------------------------------------------------------------

interface Queued {
  readonly text: string;
  readonly promptId: string;
  readonly typed: boolean;
}
const queue: Queued[] = [];
let current: Thread | null = null;
let nudge: NodeJS.Timeout | undefined;

function writePrompt({ text, promptId, typed }: Queued): void {
  if (session.promptId === null) {
    session.transcript.plain({ type: 'mode', mode: 'normal', sessionId: session.sessionId });
    session.transcript.plain({
      type: 'permission-mode',
      permissionMode: session.mode,
      sessionId: session.sessionId,
    });
  }
  session.promptId = promptId;
  session.transcript.plain({
    type: 'file-history-snapshot',
    messageId: randomUUID(),
    snapshot: {},
    isSnapshotUpdate: false,
  });
  session.transcript.chained({
    promptId,
    type: 'user',
    message: { role: 'user', content: text },
    permissionMode: session.mode,
    origin: { kind: typed ? 'human' : 'task-notification' },
    promptSource: typed ? 'typed' : 'system',
  });
}

async function submit(text: string, typed: boolean): Promise<void> {
  clearTimeout(nudge);
  const queued: Queued = { text, promptId: randomUUID(), typed };
  const busy = session.working;
  session.working = true;
  session.refresh();
  if (typed) session.screen.say('', `❯ ${text}`);
  // Fires at once, also for a prompt that has to wait until the running turn is over.
  const main = {
    agentId: null,
    agentType: null,
    promptId: queued.promptId,
    transcript: session.transcript,
    interrupt: new AbortController(),
  };
  await session.hookAndWait('UserPromptSubmit', { prompt: text }, main);
  queue.push(queued);
  if (!busy) await work();
}

async function work(): Promise<void> {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await turn(next);
  session.working = false;
  session.refresh();
}

async function turn(prompt: Queued): Promise<void> {
  const startedAt = Date.now();
  writePrompt(prompt);
  const thread: Thread = {
    agentId: null,
    agentType: null,
    promptId: prompt.promptId,
    transcript: session.transcript,
    interrupt: new AbortController(),
  };
  current = thread;
  const end = await runTurn(session, thread, script, prompt.text, false);
  current = null;
  session.transcript.plain({ type: 'last-prompt', lastPrompt: prompt.text, sessionId: session.sessionId });
  // Nobody is told of an interruption: no Stop, nothing later either.
  if (end.how === 'interrupted') return;
  if (end.how === 'failed') {
    await session.hookAndWait(
      'StopFailure',
      { error: end.error, last_assistant_message: end.lastMessage },
      thread,
    );
    if (!session.isNew) writeDuration(startedAt);
  } else {
    const hookCount = await session.hookAndWait(
      'Stop',
      {
        stop_hook_active: false,
        last_assistant_message: end.lastMessage,
        background_tasks: backgroundTasks(session),
        session_crons: [],
      },
      thread,
    );
    if (hookCount > 0) {
      session.transcript.chained({ type: 'system', subtype: 'stop_hook_summary', hookCount, hookErrors: [] });
    }
    writeDuration(startedAt);
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

onNotification((text) => {
  const line = { type: 'queue-operation', operation: 'enqueue', timestamp: new Date().toISOString() };
  session.transcript.plain({ ...line, sessionId: session.sessionId, content: text });
  void submit(text, false);
});

// --- the user --------------------------------------------------------------------------------------------------

async function command(text: string): Promise<boolean> {
  const [name, ...words] = text.slice(1).split(' ');
  switch (name) {
    case 'exit':
      await exit('prompt_input_exit');
      return true;
    case 'clear':
      await session.hookAndWait('SessionEnd', { reason: 'clear' });
      session.renew(randomUUID());
      await session.hookAndWait('SessionStart', { source: 'clear' });
      return true;
    case 'rename':
      session.file.rename(words.join(' '));
      session.transcript.plain({
        type: 'custom-title',
        customTitle: words.join(' '),
        sessionId: session.sessionId,
      });
      return true;
    case 'compact': {
      await session.hookAndWait('PreCompact', { trigger: 'manual', custom_instructions: '' });
      await session.hookAndWait('SessionStart', { source: 'compact' });
      session.transcript.chained({
        type: 'system',
        subtype: 'compact_boundary',
        content: 'Conversation compacted',
      });
      await session.hookAndWait('PostCompact', {
        trigger: 'manual',
        compact_summary: 'A talk about the webshop.',
      });
      return true;
    }
    case 'model': {
      const { choice, close } = session.open(
        plainDialog('Select model', [], ['Default', 'Sonnet']),
        'dialog open',
      );
      void choice.then(close);
      return true;
    }
    default:
      return false;
  }
}

let lastCtrlC = 0;

async function press(key: string): Promise<void> {
  const front = session.front();
  if (front !== undefined) {
    if (Date.now() - front.since < DEAF) return;
    const choice = front.dialog.key(key);
    if (choice !== null) front.chosen(choice);
    session.refresh();
    return;
  }
  if (key === 'Enter') {
    const text = session.typed;
    session.typed = '';
    if (text === '') return;
    if (!text.startsWith('/') || !(await command(text))) void submit(text, true);
  } else if (key === 'Escape') {
    if (current !== null) {
      session.screen.say('  ⎿  Interrupted · What should Claude do instead?');
      current.interrupt.abort();
    }
  } else if (key === 'C-c') {
    if (Date.now() - lastCtrlC < 1000) await exit('prompt_input_exit');
    lastCtrlC = Date.now();
    current?.interrupt.abort();
  } else if (key === 'Backspace') session.typed = session.typed.slice(0, -1);
  else if ([...key].length === 1) session.typed += key;
  session.refresh();
}

async function exit(reason: string): Promise<never> {
  await Promise.race([
    session.hookAndWait('SessionEnd', { reason }),
    new Promise((late) => setTimeout(late, 1500)),
  ]);
  session.file.remove();
  session.screen.close();
  process.exit(0);
}

// --- the test --------------------------------------------------------------------------------------------------

async function take(step: Step): Promise<void> {
  switch (step.do) {
    case 'prompt':
      return submit(step.text, true);
    case 'press':
      return press(step.key);
    case 'scenario':
      // What Claude Code would be told by its model, so what it says comes as it would from there.
      return void own.set(step.name, step.answers as readonly Answer[]);
    case 'finish':
      for (const resolve of waiting) resolve();
      return waiting.clear();
    case 'hook':
      return void (await session.hookAndWait(step.event, step.fields));
    case 'session-file':
      return session.file.override(step.fields);
    case 'raw-session-file':
      return session.file.raw(step.text);
    case 'remove-session-file':
      return session.file.remove();
    case 'transcript':
      return session.transcript.raw(step.text);
    case 'mode':
      session.mode = step.mode;
      return session.transcript.plain({
        type: 'permission-mode',
        permissionMode: step.mode,
        sessionId: session.sessionId,
      });
  }
}

const Message = z.object({ id: z.number(), step: Step });

function listenToTest(path: string): void {
  const socket = connect(path);
  const send = (value: object) => socket.write(`${JSON.stringify(value)}\n`);
  send({ pid: process.pid, configDir, cwd: session.project, sessionId: session.sessionId });
  createInterface({ input: socket }).on('line', (line) => {
    const { id, step } = Message.parse(JSON.parse(line));
    take(step).then(
      () => send({ id, error: null }),
      (error: unknown) => send({ id, error: String(error) }),
    );
  });
  // The test is over, or was killed.
  socket.on('error', () => {}).on('close', () => process.exit(0));
}

// --- start -----------------------------------------------------------------------------------------------------

/** Bad settings greet the user with a dialog that blocks the start. */
async function warnOfSettings(): Promise<void> {
  const settings = loadSettings(configDir, session.project);
  const unknown = settings.events.filter((event) => !knownEvents(setup.version).includes(event));
  const warning =
    settings.malformed.length > 0
      ? { title: 'Settings Error', lines: [...settings.malformed, 'Files with errors are skipped entirely'] }
      : unknown.length > 0
        ? {
            title: 'Settings Warning',
            lines: unknown.map((name) => `Unknown hook event "${name}" was ignored.`),
          }
        : null;
  if (warning === null) return;
  const dialog = plainDialog(warning.title, warning.lines, ['Continue', 'Fix with Claude', 'Exit']);
  const { choice, close } = session.open(dialog, 'dialog open');
  const chosen = await choice;
  close();
  if (chosen.kind === 'cancel') await exit('other');
}

if (setup.kind === 'bg') {
  const jobId = session.sessionId.slice(0, 8);
  mkdirSync(join(configDir, 'jobs', jobId), { recursive: true });
  const job = { tempo: 'idle', detail: '', sessionId: session.sessionId, cwd: session.project };
  writeFileSync(join(configDir, 'jobs', jobId, 'state.json'), JSON.stringify(job));
}
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void exit('other'));
if (process.stdin.isTTY) {
  process.stdin.setRawMode(true);
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    for (const key of keysIn(chunk)) void press(key);
  });
}
if (setup.control !== null) listenToTest(setup.control);
session.screen.say(` ▐▛███▛█   Claude Code v${setup.version}`, '');
if (printed === null) await warnOfSettings();
session.file.write(null);
await session.hookAndWait('SessionStart', { source: 'startup', model: 'claude-opus-5-5' });
session.refresh();
if (printed !== null) {
  await submit(printed, true);
  console.log('The end.');
  await exit('other');
}
// Node.js loads this file before its main program, and there is none: never let it come to that.
setInterval(() => {}, 2 ** 30);
await new Promise(() => {});
