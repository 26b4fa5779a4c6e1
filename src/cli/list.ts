import { oneLine } from '../bars/text.ts';
import { styles, type Theme } from '../bars/theme.ts';
import type { WireSession, WireSnapshot } from '../daemon/wire.ts';
import { jsonText } from '../system/json-text.ts';
import type { Context } from './context.ts';
import { print } from './print.ts';
import { type Cell, table } from './table.ts';
import { age, faint, hasColours, onTerminal, painted } from './terminal.ts';

export async function list({ client, env }: Context, options: { readonly json?: true }): Promise<void> {
  await printList((await client.request('GET', '/v1/sessions')) as WireSnapshot, env, options.json ?? false);
}

/** @returns whether nothing is left to be written. */
export async function printList(
  snapshot: WireSnapshot,
  env: Context['env'],
  json: boolean,
): Promise<boolean> {
  if (json) return print(`${jsonText(snapshot)}\n`);
  const columns = onTerminal() ? process.stdout.columns : null;
  return print(await listing(snapshot, { columns, colours: hasColours(env), now: Date.now() }));
}

export interface Appearance {
  /** Width of the terminal; null where it is none. */
  readonly columns: number | null;
  readonly colours: boolean;
  /** ms since the epoch. */
  readonly now: number;
}

/** The sessions as aligned lines; where there are none, why. */
export async function listing(snapshot: WireSnapshot, appearance: Appearance): Promise<string> {
  const { sessions, notice } = snapshot;
  if (sessions.length === 0) return `${oneLine(notice ?? 'no session of Claude Code runs')}\n`;
  const rows = sessions.map((session) => row(session, styles.plain, appearance));
  return `${await table(rows, appearance.columns)}${notice === null ? '' : `${oneLine(notice)}\n`}`;
}

function row(session: WireSession, theme: Theme, { colours, now }: Appearance): Cell[] {
  const face = theme.faces[session.state];
  const state = (text: string) => painted(text, face, colours);
  const quietly = (text: string) => faint(text, colours);
  return [
    { text: `${face.glyph} ${session.state}`, paint: state },
    { text: session.id, paint: quietly },
    { text: oneLine(session.label ?? session.name), paint: state },
    { text: oneLine(session.branch ?? '') },
    { text: where(session), paint: quietly },
    { text: age(session.since, now) },
    { text: oneLine(what(session)) },
  ];
}

function where({ place }: WireSession): string {
  if (place.certainty === 'none') return '-';
  const workspace = place.workspace?.name ?? 'scratchpad';
  return oneLine(place.certainty === 'exact' ? workspace : `${place.candidates.length} windows`);
}

function what(session: WireSession): string {
  const [prompt, ...more] = session.prompts;
  if (prompt !== undefined) {
    return `${prompt.title} ${prompt.text}${more.length > 0 ? ` (+${more.length})` : ''}`;
  }
  if (session.compacting) return 'compacting';
  const { agents, shells } = session.background;
  const beside = [agents > 0 ? `${agents} sub-agents` : '', shells > 0 ? `${shells} shells` : ''];
  const main =
    session.state === 'busy' && session.tool !== null
      ? `${session.tool.name} ${session.tool.summary}`
      : (session.reason ?? (session.state === 'review' ? session.lastMessage : null) ?? '');
  return [main, ...beside].filter((part) => part !== '').join(' · ');
}
