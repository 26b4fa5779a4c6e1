import type { Answered } from '../daemon/answering.ts';
import { KEYS_OF_ONE, type WireAnswer, type WireOpenPrompt } from '../daemon/wire.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';
import { refuseInsideClaude } from './inside-claude.ts';
import { shownQuestion } from './prompt-text.ts';
import { safeLines } from './terminal.ts';

export interface AnswerOptions {
  readonly to?: string;
  readonly pinned?: true;
  readonly text?: string;
}

export async function answer(
  { client, env }: Context,
  keys: readonly string[],
  options: AnswerOptions,
): Promise<void> {
  refuseInsideClaude(env);
  const { to, text } = options;
  const pinned = options.pinned === true;
  if (to !== undefined && pinned) {
    throw new Failure('bad-request', 'both --to and --pinned', 'say one of them');
  }
  if (keys.length === 0 && text === undefined) {
    throw new Failure('bad-request', 'no KEY and no --text', 'the keys are in: tsmux prompts');
  }
  const wrong = keys.find((key) => !KEYS_OF_ONE.test(key));
  if (wrong !== undefined) {
    const why = `"${wrong}" is not the key of an option, nor several of one question, as 1,3`;
    throw new Failure('bad-request', why, 'the keys are in: tsmux prompts');
  }
  // One key after the other goes to a pinned prompt, so each answers one of its questions.
  const given: WireAnswer = { keys, text: text ?? null, step: pinned && keys.length < 2 };
  const path = `/v1/prompts/${encodeURIComponent(pinned ? 'pinned' : (to ?? 'only'))}`;
  const answered = (await client.request('POST', `${path}/answer`, given)) as Answered;
  process.stdout.write(`${safeLines(wordsFor(answered, keys, text ?? null))}\n`);
  if (answered.asking === null) return;
  const prompt = (await client.request('GET', `/v1/prompts/${answered.prompt}`)) as WireOpenPrompt;
  process.stdout.write(shownQuestion(prompt));
}

function wordsFor(
  { prompt, option, way, asking }: Answered,
  keys: readonly string[],
  text: string | null,
): string {
  if (way === 'go') return `went to the terminal of ${prompt}`;
  const what = option?.label ?? [...keys, ...(text === null ? [] : [text])].join(' ');
  return `${asking === null ? 'answered' : 'noted for'} ${prompt}: ${what}`;
}
