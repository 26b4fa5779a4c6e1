import { oneLine } from '../bars/text.ts';
import type { WireOpenPrompt } from '../daemon/wire.ts';
import { jsonText } from '../system/json-text.ts';
import type { Context } from './context.ts';
import { table } from './table.ts';
import { age, faint, hasColours } from './terminal.ts';

interface Open {
  readonly prompts: readonly WireOpenPrompt[];
}

export async function prompts({ client, env }: Context, { json }: { readonly json?: true }): Promise<void> {
  const open = (await client.request('GET', '/v1/prompts')) as Open;
  process.stdout.write(json ? `${jsonText(open)}\n` : await listing(open, env));
}

async function listing({ prompts: open }: Open, env: Context['env']): Promise<string> {
  if (open.length === 0) return 'no prompt is open\n';
  const quietly = (text: string) => faint(text, hasColours(env));
  const now = Date.now();
  const rows = open.map((prompt) => [
    { text: `${prompt.pinned ? '*' : ' '} ${prompt.id}` },
    { text: oneLine(prompt.session.name) },
    { text: age(prompt.since, now), paint: quietly },
    { text: oneLine(`${prompt.title} ${prompt.text}`) },
    { text: oneLine(optionsOf(prompt)), paint: quietly },
  ]);
  return table(rows, process.stdout.isTTY ? process.stdout.columns : null);
}

function optionsOf({ options, answerable }: WireOpenPrompt): string {
  if (answerable === 'no') return 'only in its terminal (g)';
  return options
    .filter(({ means }) => means !== 'go')
    .map(({ key, label }) => `${key} ${label}`)
    .join(' · ');
}

/** What the completion of a shell offers for PROMPT, one a line. Starts no daemon. */
export async function promptIds({ idleClient }: Context): Promise<void> {
  const open = (await idleClient.request('GET', '/v1/prompts')) as Open;
  process.stdout.write(open.prompts.map(({ id }) => `${id}\n`).join(''));
}
