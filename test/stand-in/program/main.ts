/**
 * A small program that behaves as Claude Code does, as far as anybody outside of it can see: its process, its
 * session file, its transcript, its hooks, its dialogs and its keys, in the manner of 2.1.332 or 2.1.197. It
 * listens to what is typed, and to the test at the other end of a socket. Started by ../index.ts.
 */
import { mkdirSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod/mini';
import { type Answer, failed, PLAN_FILE, scenarios } from '../../claude-code/scenarios.ts';
import { attach, shareScreen } from './attach.ts';
import { costOf, createCommands, titleOf } from './commands.ts';
import { createConversation } from './conversation.ts';
import { plainDialog } from './dialogs.ts';
import { keysIn } from './screen.ts';
import { createSession, MODEL } from './session.ts';
import { knownEvents, loadSettings, Setup } from './settings.ts';
import { Step } from './step.ts';
import type { Script } from './turn.ts';

/** A dialog does not hear keys at once, ms (2.1.332: about 0.2 s after it is visible). */
const DEAF = 200;

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
const jobFolder = (jobId: string) => join(configDir, 'jobs', jobId);
if (args[0] === 'attach') {
  if (setup.control !== null) hello(setup.control, '');
  await attach(join(jobFolder(args[1] ?? ''), 'attach.sock'));
}
const mode = after('--permission-mode') ?? 'default';
const resumed = after('--resume');
const worktree = after('--worktree');
if (worktree !== null) {
  const folder = join(process.cwd(), '.claude/worktrees', worktree);
  mkdirSync(folder, { recursive: true });
  process.chdir(folder);
}
const session = createSession({
  setup,
  configDir,
  print: printed !== null,
  mode: mode === 'manual' ? 'default' : mode,
  name: after('--name') ?? (resumed === null ? null : titleOf(configDir, process.cwd(), resumed)),
  resumed,
  worktree,
});

// --- the model -------------------------------------------------------------------------------------------------

const own = new Map<string, readonly Answer[]>();
const waiting = new Set<() => void>();
const outside = process.env.STAND_IN_OUTSIDE ?? join(session.project, '../../../outside');
const known = JSON.parse(
  JSON.stringify(scenarios({ project: session.project, outside, configDir })).replaceAll(
    PLAN_FILE,
    join(configDir, 'plans/a-plan.md'),
  ),
) as Readonly<Record<string, readonly Answer[]>>;
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
const conversation = createConversation(session, script, { isResumed: resumed !== null });
const command = createCommands(session, {
  exit: () => exit('prompt_input_exit'),
  summarise: async () => {
    for (const answer of script.answersTo('SCN:compact')) {
      if (!failed(answer) && answer.endless) await script.finished();
    }
    return 'A talk about the webshop.';
  },
});

// --- the user --------------------------------------------------------------------------------------------------

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
    if (!text.startsWith('/') || !(await command(text))) void conversation.submit(text);
  } else if (key === 'Escape') conversation.interrupt();
  else if (key === 'C-c') {
    if (Date.now() - lastCtrlC < 1000) await exit('prompt_input_exit');
    lastCtrlC = Date.now();
    conversation.interrupt();
  } else if (key === 'C-b') session.moveToBackground?.();
  else if (key === 'Backspace') session.typed = session.typed.slice(0, -1);
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
      return conversation.submit(step.text);
    case 'press':
      return press(step.key);
    case 'scenario':
      // What Claude Code would be told by its model, so what it says comes as it would from there.
      return void own.set(step.name, step.answers as readonly Answer[]);
    case 'finish':
      // A prompt that was sent just now is on its way to the model.
      for (let tries = 0; waiting.size === 0 && tries < 100; tries++) await pause(20);
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

/** Says to the test that it is there. */
function hello(path: string, sessionId: string): Socket {
  const socket = connect(path);
  socket.write(`${JSON.stringify({ pid: process.pid, configDir, cwd: process.cwd(), sessionId })}\n`);
  // The test is over, or was killed.
  socket.on('error', () => {}).on('close', () => process.exit(0));
  return socket;
}

function listenToTest(path: string): void {
  const socket = hello(path, session.sessionId);
  const send = (value: object) => socket.write(`${JSON.stringify(value)}\n`);
  createInterface({ input: socket }).on('line', (line) => {
    const { id, step } = Message.parse(JSON.parse(line));
    take(step).then(
      () => send({ id, error: null }),
      (error: unknown) => send({ id, error: String(error) }),
    );
  });
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
  const folder = jobFolder(session.sessionId.slice(0, 8));
  mkdirSync(folder, { recursive: true });
  const job = { tempo: 'idle', detail: '', sessionId: session.sessionId, cwd: session.project };
  writeFileSync(join(folder, 'state.json'), JSON.stringify(job));
  shareScreen(join(folder, 'attach.sock'), session.screen, (key) => void press(key));
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
const began =
  resumed !== null
    ? { source: 'resume', ...costOf(session) }
    : { source: 'startup', ...(printed === null && { model: MODEL }) };
await session.hookAndWait('SessionStart', began);
session.refresh();
if (printed !== null) {
  await conversation.submit(printed);
  console.log('The end.');
  await exit('other');
}
// Node.js loads this file before its main program, and there is none: never let it come to that.
setInterval(() => {}, 2 ** 30);
await new Promise(() => {});
