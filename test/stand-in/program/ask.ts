import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '../../claude-code/scenarios.ts';
import { type Choice, permissionDialog, Questions, questionDialog } from './dialogs.ts';
import type { Decision } from './hooks.ts';
import { type Asking, asking, serverOf } from './permission.ts';
import type { Session, Thread } from './session.ts';

export type Verdict =
  | { readonly allow: true; readonly input: ToolCall['input']; readonly by: 'user' | 'hook' }
  | {
      readonly allow: false;
      readonly message: string;
      readonly interrupt: boolean;
      readonly by: 'user' | 'hook';
    };

/** After this time in one dialog the user is reminded, ms. */
const REMINDER = 6000;
const REFUSED = "The user doesn't want to proceed with this tool use. The tool use was rejected.";

/** A plain allow does not answer a question or approve a plan: without the input the dialog stays. */
const answersOnly = (tool: string) => tool === 'AskUserQuestion' || tool === 'ExitPlanMode';
const counts = (decision: Decision | null, tool: string): decision is Decision =>
  decision !== null &&
  (decision.behavior === 'deny' || !answersOnly(tool) || decision.updatedInput !== undefined);

/** What the user is asked before a tool runs; the first answer wins, of the user or of any hook. */
export async function ask(
  session: Session,
  thread: Thread,
  call: ToolCall,
  foreground: boolean,
): Promise<Verdict> {
  // 2.1.197 asks no hook when there is nobody to be asked.
  if (session.print && !session.isNew)
    return { allow: false, message: REFUSED, interrupt: false, by: 'hook' };
  const question = asking(call, session.setup.version, session.mode, session.project);
  const calls = session.hook(
    'PermissionRequest',
    {
      tool_name: call.tool,
      tool_input: call.input,
      ...(question.suggestions !== null && { permission_suggestions: question.suggestions }),
      ...serverOf(call.tool, session.isNew),
    },
    thread,
    call.tool,
  );
  const decided = new Promise<Decision>((resolve) => {
    for (const { decision } of calls) {
      void decision.then((one) => {
        if (counts(one, call.tool)) resolve(one);
      });
    }
  });
  const silent = Promise.all(calls.map(({ decision }) => decision)).then(() => null);
  const stopped = new Promise<'stopped'>((resolve) => {
    thread.interrupt.signal.addEventListener('abort', () => resolve('stopped'), { once: true });
  });

  // Nobody can be asked, or not yet: the hooks are heard first.
  if (session.print || (thread.agentId !== null && !foreground)) {
    const first = await Promise.race([decided, silent, stopped]);
    if (first !== null && first !== 'stopped') return byHook(session, call, first);
    if (session.print || first === 'stopped')
      return { allow: false, message: REFUSED, interrupt: false, by: session.print ? 'hook' : 'user' };
  }

  const dialog =
    call.tool === 'AskUserQuestion'
      ? questionDialog(Questions.parse(call.input.questions))
      : permissionDialog(question, {
          isNew: session.isNew,
          agentType: thread.agentType,
          plan: call.tool === 'ExitPlanMode',
        });
  const { choice, close } = session.open(dialog, question.waitingFor);
  const reminder = setTimeout(() => {
    const message = 'Claude needs your permission';
    session.hook('Notification', { message, notification_type: 'permission_prompt' });
  }, REMINDER);
  const first = await Promise.race([
    choice.then((chosen) => ({ chosen })),
    decided.then((decision) => ({ decision })),
    stopped,
  ]);
  clearTimeout(reminder);
  const verdict: Verdict =
    first === 'stopped'
      ? { allow: false, message: REFUSED, interrupt: true, by: 'user' }
      : 'decision' in first
        ? byHook(session, call, first.decision)
        : byUser(session, call, question, first.chosen);
  // The session file goes straight from waiting to idle.
  if (!verdict.allow && verdict.interrupt && thread.agentId === null) session.working = false;
  close();
  // A Yes leaves the hooks alone; only a No ends them.
  if (!verdict.allow && verdict.by === 'user') for (const one of calls) one.end();
  return verdict;
}

function byHook(session: Session, call: ToolCall, decision: Decision): Verdict {
  if (decision.behavior === 'deny') {
    const message = decision.message ?? REFUSED;
    session.screen.say(`     │ Reason: ${message}`, '  ⎿  Denied by PermissionRequest hook');
    return { allow: false, message, interrupt: decision.interrupt === true, by: 'hook' };
  }
  session.screen.say('  ⎿  Allowed by PermissionRequest hook');
  applyPermissions(session, decision.updatedPermissions ?? []);
  if (call.tool === 'ExitPlanMode' && session.mode === 'plan') session.mode = 'default';
  return { allow: true, input: decision.updatedInput ?? call.input, by: 'hook' };
}

function byUser(session: Session, call: ToolCall, question: Asking, choice: Choice): Verdict {
  const no = (message: string, interrupt: boolean): Verdict => ({
    allow: false,
    message,
    interrupt,
    by: 'user',
  });
  if (choice.kind === 'cancel') return no(REFUSED, true);
  if (choice.kind === 'answers') {
    return { allow: true, input: { ...call.input, answers: choice.answers }, by: 'user' };
  }
  const label = question.options[choice.index] ?? '';
  if (call.tool === 'ExitPlanMode') {
    if (choice.index === question.options.length - 1) return no(choice.feedback ?? REFUSED, false);
    session.mode = label.includes('auto mode') ? 'auto' : 'default';
    return { allow: true, input: call.input, by: 'user' };
  }
  if (/^No\b/.test(label)) return no(REFUSED, true);
  if (label.includes('switch to auto mode')) session.mode = 'auto';
  else if (choice.index > 0) applyPermissions(session, always(question));
  return { allow: true, input: call.input, by: 'user' };
}

/** What the option that allows for good stands for: the rules and folders suggested, or else the mode. */
function always(question: Asking): readonly Permission[] {
  const all = (question.suggestions ?? []) as readonly Permission[];
  const rules = all.filter(({ type }) => type !== 'setMode');
  return rules.length > 0 ? rules : all;
}

interface Permission {
  readonly type: string;
  readonly mode?: string | undefined;
  readonly destination?: unknown;
  readonly rules?: unknown;
}

function applyPermissions(session: Session, permissions: readonly Permission[]): void {
  for (const permission of permissions) {
    if (permission.type === 'setMode' && permission.mode !== undefined) session.mode = permission.mode;
    if (permission.type !== 'addRules' || !Array.isArray(permission.rules)) continue;
    const rules = permission.rules.map(
      ({ toolName, ruleContent }: { toolName: string; ruleContent?: string }) =>
        ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`,
    );
    if (permission.destination !== 'localSettings') session.sessionAllowed.push(...rules);
    else addLocalRules(session.project, rules);
  }
}

function addLocalRules(project: string, rules: readonly string[]): void {
  const folder = join(project, '.claude');
  const file = join(folder, 'settings.local.json');
  mkdirSync(folder, { recursive: true });
  let settings: { permissions?: { allow?: string[] } } = {};
  try {
    settings = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // The first rule of this project.
  }
  const allow = [...(settings.permissions?.allow ?? []), ...rules];
  writeFileSync(
    file,
    JSON.stringify({ ...settings, permissions: { ...settings.permissions, allow } }, null, 2),
  );
}
