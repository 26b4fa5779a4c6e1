import type { WireOpenPrompt, WireSession, WireSnapshot } from '../daemon/wire.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';
import { shownOpenPrompt, shownPrompt } from './prompt-text.ts';
import { safeLines } from './terminal.ts';

/** @param query a session, or an open prompt; none: the most urgent session. */
export async function show({ client }: Context, query: string | undefined): Promise<void> {
  const whole = async (id: string) =>
    (await client.request('GET', `/v1/prompts/${encodeURIComponent(id)}`)) as WireOpenPrompt;
  const named = async (session: string) => {
    try {
      return (await client.request('GET', `/v1/sessions/${encodeURIComponent(session)}`)) as WireSession;
    } catch (error) {
      if (!PROMPT.test(session) || !(error instanceof Failure) || error.code !== 'no-such-session')
        throw error;
      const why = `there is no session and no open prompt "${session}"`;
      throw new Failure('no-such-prompt', why, 'see: tsmux list, tsmux prompts, tsmux history');
    }
  };
  if (query !== undefined && PROMPT.test(query)) {
    const prompt = await whole(query).catch((error: unknown) => {
      if (error instanceof Failure && error.exit === 4) return null;
      throw error;
    });
    if (prompt?.id === query) {
      process.stdout.write(shownOpenPrompt(prompt));
      return;
    }
  }
  const session =
    query === undefined
      ? mostUrgent((await client.request('GET', '/v1/sessions')) as WireSnapshot)
      : await named(query);
  // A snapshot has long texts cut.
  const prompts: WireOpenPrompt[] = [];
  for (const { id } of session.prompts) prompts.push(await whole(id));
  process.stdout.write(shown(session, prompts));
}

const PROMPT = /^p[a-z0-9]{3,}$/;

function mostUrgent({ sessions }: WireSnapshot): WireSession {
  const [first] = sessions;
  if (first === undefined) throw new Failure('no-such-session', 'no session runs', 'start one with: claude');
  return first;
}

/** The open prompts, whole, with their options; where nothing is asked, the last message. */
export function shown(session: WireSession, prompts: WireSession['prompts'] = session.prompts): string {
  const head = `${safeLines(session.label ?? session.name)} (${session.id}) ${session.state}`;
  const reason = session.reason === null ? '' : `: ${safeLines(session.reason)}`;
  const body =
    prompts.length > 0
      ? prompts.map(shownPrompt).join('\n')
      : `${safeLines(session.lastMessage ?? 'it has not said anything yet')}\n`;
  return `${head}${reason}\n\n${body}`;
}
