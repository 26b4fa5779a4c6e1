import { join } from 'node:path';
import { loadConfig } from '../config/load.ts';
import type { Answered } from '../daemon/answering.ts';
import type { WireAnswer, WireSession, WireSnapshot } from '../daemon/wire.ts';
import { ask } from '../menu/ask.ts';
import { answerChoices, type Choice, type Deed, sessionChoices, switchChoices } from '../menu/choices.ts';
import { launcherFor } from '../menu/launchers.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';
import { refuseInsideClaude } from './inside-claude.ts';

/** Without words: all sessions, then all that can be answered. */
export async function menu(context: Context, what?: string): Promise<void> {
  refuseInsideClaude(context.env);
  const choice = await askLauncher(context, await choicesOf(context, what));
  if (choice !== null) await carryOut(context, choice.deed);
}

/** Null: the user has changed his mind. */
export async function askLauncher(
  { env, paths }: Context,
  choices: readonly Choice[],
): Promise<Choice | null> {
  const { command } = loadConfig(join(paths.config, 'config.toml')).config.menu;
  return ask(launcherFor(env, command), choices, env);
}

async function choicesOf(context: Context, what: string | undefined): Promise<readonly Choice[]> {
  if (what !== undefined && what !== 'switch' && what !== 'answer') {
    const path = `/v1/sessions/${encodeURIComponent(what)}`;
    return sessionChoices((await context.client.request('GET', path)) as WireSession);
  }
  const sessions = await sessionsOf(context);
  const answers = answerChoices(sessions);
  if (what === 'answer') {
    if (answers.length === 0) throw new Failure('no-such-prompt', 'no prompt is open', 'see: tsmux list');
    return answers;
  }
  if (sessions.length === 0) {
    throw new Failure('no-such-session', 'no session runs', 'start one with: claude');
  }
  return [...switchChoices(sessions), ...(what === undefined ? answers : [])];
}

async function sessionsOf({ client }: Context): Promise<readonly WireSession[]> {
  return ((await client.request('GET', '/v1/sessions')) as WireSnapshot).sessions;
}

async function carryOut(context: Context, deed: Deed): Promise<void> {
  const { client } = context;
  if (deed.do !== 'answer')
    return void (await client.request('POST', `/v1/sessions/${deed.session}/${deed.do}`));
  const { prompt, option, question } = deed;
  const given: WireAnswer = { keys: [option.key], step: true, question: question ?? 0, shown: option };
  const { asking } = (await client.request('POST', `/v1/prompts/${prompt}/answer`, given)) as Answered;
  if (asking === null) return;
  const next = answerChoices(await sessionsOf(context)).filter(
    ({ deed: other }) => other.do === 'answer' && other.prompt === prompt,
  );
  const choice = await askLauncher(context, next);
  if (choice !== null) await carryOut(context, choice.deed);
}
