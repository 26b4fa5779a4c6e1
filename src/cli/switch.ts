import fuzzysort from 'fuzzysort';
import { oneLine } from '../bars/text.ts';
import { styles } from '../bars/theme.ts';
import type { WireSession, WireSnapshot } from '../daemon/wire.ts';
import { switchChoices } from '../menu/choices.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';

export async function switchTo(context: Context, query: string): Promise<void> {
  const { client } = context;
  const { sessions } = (await client.request('GET', '/v1/sessions')) as WireSnapshot;
  const chosen = query === '' ? await choose(context, sessions) : bestMatch(query, sessions);
  if (chosen === null) return;
  await client.request('POST', `/v1/sessions/${chosen.id}/go`);
}

/** @throws Failure when nothing is like the query. */
export function bestMatch(query: string, sessions: readonly WireSession[]): WireSession {
  const [best] = fuzzysort.go(query, sessions, { keys: searchedIn, limit: 1 });
  if (best !== undefined) return best.obj;
  throw new Failure('no-such-session', `no session is like "${query}"`, 'see: tsmux list');
}

/** What a user may remember of a session; fuzzysort weighs all alike, and the first wins a draw. */
const searchedIn = [
  (session: WireSession) => session.label ?? '',
  (session: WireSession) => session.name,
  (session: WireSession) => session.branch ?? '',
  (session: WireSession) => session.cwd,
  (session: WireSession) => session.id,
];

/** Null: the user has changed his mind. */
async function choose(context: Context, sessions: readonly WireSession[]): Promise<WireSession | null> {
  if (sessions.length === 0) {
    throw new Failure('no-such-session', 'no session runs', 'start one with: claude');
  }
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    const { askLauncher } = await import('./menu.ts');
    const deed = (await askLauncher(context, switchChoices(sessions)))?.deed;
    return sessions.find(({ id }) => id === deed?.session) ?? null;
  }
  const { autocomplete, isCancel } = await import('@clack/prompts');
  const chosen = await autocomplete({
    message: 'Go to',
    options: sessions.map((session) => ({
      value: session,
      label: `${styles.plain.faces[session.state].glyph} ${oneLine(session.label ?? session.name)}`,
      hint: oneLine([session.state, session.branch, session.cwd].filter((part) => part !== null).join(' · ')),
    })),
    filter: (typed, { value }) =>
      typed === '' || fuzzysort.go(typed, [value], { keys: searchedIn }).length > 0,
  });
  return isCancel(chosen) ? null : chosen;
}
