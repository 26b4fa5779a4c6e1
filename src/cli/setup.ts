import { existsSync, readFileSync } from 'node:fs';
import { oneLine } from '../bars/text.ts';
import {
  apply,
  denyRules,
  diffOf,
  type HookPaths,
  type HookScripts,
  type HooksTarget,
  hooksStatus,
  type Outcome,
  planInstall,
  planRemove,
  problemInWords,
  type SettingsPlan,
  writeHookScript,
} from '../claude/settings.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';
import { hooksTarget } from './hooks-target.ts';

export interface SetupOptions {
  readonly check?: true;
  readonly remove?: true;
  readonly dryRun?: true;
  readonly yes?: true;
  /** Undefined: asked on a terminal, and not added elsewhere. */
  readonly deny?: boolean;
  readonly configDir?: string;
}

/** @returns the exit code: 1 for a `--check` that found something to do, and for a user who said no. */
export async function setup(context: Context, options: SetupOptions): Promise<number> {
  const { target, scripts, client } = hooksTarget(context, options.configDir);
  const stale = staleScripts(target.hooks, scripts);
  if (options.check) return check(target, stale, options.configDir);

  const remove = options.remove ?? false;
  const deny = options.deny ?? false;
  let plan = planned(remove ? planRemove(target) : planInstall(target, { deny }));
  const toWrite = remove ? [] : stale;
  if (!plan.changes && toWrite.length === 0) {
    say(remove ? `no hooks of tsmux are in ${plan.file}` : `the hooks are installed in ${plan.file}`);
    return 0;
  }
  for (const { path } of toWrite) {
    const uses = path === target.hooks.hold ? ` (it uses ${client})` : '';
    say(`will write the hook script ${path}${uses}`);
  }
  if (plan.changes) say(...intention(plan, remove));
  if (options.dryRun) {
    say(...diffOf(plan));
    return 0;
  }
  if (asks(options)) {
    const answers = await ask(remove || options.deny !== undefined);
    if (answers === null) {
      say('nothing was changed');
      return 1;
    }
    if (answers.deny) plan = planned(planInstall(target, { deny: true }));
  }
  for (const one of toWrite) writeScript(one);
  planned(apply(plan));
  say(
    remove ? 'the hooks are removed' : 'the hooks are installed; sessions that run take them within seconds',
  );
  return 0;
}

function check(target: HooksTarget, [stale]: readonly Script[], configDir: string | undefined): number {
  const status = hooksStatus(target.configDir, target.hooks);
  const words =
    status.state === 'installed' && stale !== undefined
      ? `${stale.path} is of another version of tsmux, or for another XDG_RUNTIME_DIR`
      : status.detail;
  if (status.state === 'installed' && stale === undefined) {
    say(`${status.file}: ${words}`);
    return 0;
  }
  const todo =
    status.state === 'unreadable'
      ? 'repair it'
      : `run: tsmux setup${configDir === undefined ? '' : ` --config-dir ${configDir}`}`;
  say(`${status.file}: ${words}: ${todo}`);
  return 1;
}

interface Script {
  readonly path: string;
  readonly text: string;
}

/** The scripts that are not, or not as they should be. */
function staleScripts(paths: HookPaths, texts: HookScripts): readonly Script[] {
  return [
    { path: paths.event, text: texts.event },
    { path: paths.hold, text: texts.hold },
  ].filter(({ path, text }) => readScript(path) !== text);
}

function intention(plan: SettingsPlan, remove: boolean): string[] {
  const kept = 'everything else in it stays as it is';
  return [
    remove
      ? `will take its hooks out of ${plan.file}; ${kept}`
      : `will add its hooks to ${plan.file}; ${kept}`,
  ];
}

function asks(options: SetupOptions): boolean {
  return !options.yes && process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** Null: the user said no. */
async function ask(withoutDeny: boolean): Promise<{ readonly deny: boolean } | null> {
  const { confirm } = await import('@clack/prompts');
  const yes = async (message: string) => (await confirm({ message })) === true;
  if (!(await yes('Go on?'))) return null;
  if (withoutDeny) return { deny: false };
  const rules = denyRules.join(', ');
  return { deny: await yes(`Also forbid Claude Code to answer its own prompts by tsmux (deny: ${rules})?`) };
}

function planned(outcome: Outcome<SettingsPlan>): SettingsPlan {
  if (outcome.ok) return outcome.value;
  const { why, hint } = problemInWords(outcome.problem);
  if (outcome.problem.kind === 'read-only') process.stdout.write(`${outcome.problem.snippet}\n`);
  throw new Failure('failed', `${outcome.file}: ${why}`, hint);
}

function readScript(path: string): string | null {
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function writeScript({ path, text }: Script): void {
  try {
    writeHookScript(path, text);
  } catch (error) {
    throw new Failure(
      'failed',
      `${path}: ${String(error)}`,
      'look at its permissions and the space on the disk',
    );
  }
}

/** What stands in a settings file may be anybody's words. */
function say(...lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${oneLine(line)}\n`);
}
