import { LONGEST_QUIET } from '../attention/quiet.ts';
import { oneLine } from '../bars/text.ts';
import type { WireQuiet } from '../daemon/wire.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';

const MINUTE = 60_000;

export async function focus(context: Context, word: string | undefined): Promise<void> {
  const { client } = context;
  if (word?.toLowerCase() === 'off') {
    await client.request('DELETE', '/v1/quiet');
    return;
  }
  try {
    const quiet = word === undefined ? await client.request('GET', '/v1/quiet') : await start(context, word);
    process.stdout.write(`${inWords(quiet as WireQuiet)}\n`);
  } catch (error) {
    const meant = error instanceof Failure && error.code === 'bad-request' ? sessionIn(word) : null;
    if (meant === null) throw error;
    if (await isSwitchMeant(meant)) return (await import('./switch.ts')).switchTo(context, meant);
    if (process.stdin.isTTY !== true) {
      const what = `"${oneLine(meant)}" is no number of minutes`;
      throw new Failure('bad-request', what, `did you mean: tsmux switch ${oneLine(meant)}`);
    }
  }
}

async function start({ client }: Context, word: string): Promise<unknown> {
  if (!NUMBER.test(word)) return client.request('PUT', '/v1/quiet', { preset: word });
  const minutes = Number(word);
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > LONGEST_QUIET) {
    const what = `"${oneLine(word)}" is no number of minutes from 1 to ${LONGEST_QUIET}`;
    throw new Failure('bad-request', what, 'say for example: tsmux focus 30');
  }
  return client.request('PUT', '/v1/quiet', { minutes });
}

/** What was meant as a number, right or not. */
const NUMBER = /^[-+.]?\d/;

/** Who says `focus web` thinks of a window's focus. */
function sessionIn(word: string | undefined): string | null {
  return word === undefined || NUMBER.test(word) || word.trim() === '' ? null : word;
}

async function isSwitchMeant(word: string): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) return false;
  const { confirm } = await import('@clack/prompts');
  return (await confirm({ message: `Did you mean: tsmux switch ${oneLine(word)}` })) === true;
}

function inWords({ until }: WireQuiet): string {
  if (until === null) return 'not quiet';
  const minutes = Math.ceil((Date.parse(until) - Date.now()) / MINUTE);
  const end = new Date(until);
  const two = (part: number) => String(part).padStart(2, '0');
  const time = `${two(end.getHours())}:${two(end.getMinutes())}`;
  return `quiet for ${minutes} more ${minutes === 1 ? 'minute' : 'minutes'}, until ${time}`;
}
