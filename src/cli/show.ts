import type { WirePrompt, WireSession, WireSnapshot } from '../daemon/wire.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';
import { safeLines } from './terminal.ts';

export async function show({ client }: Context, query: string | undefined): Promise<void> {
  const session =
    query === undefined
      ? mostUrgent((await client.request('GET', '/v1/sessions')) as WireSnapshot)
      : ((await client.request('GET', `/v1/sessions/${encodeURIComponent(query)}`)) as WireSession);
  process.stdout.write(shown(session));
}

function mostUrgent({ sessions }: WireSnapshot): WireSession {
  const [first] = sessions;
  if (first === undefined) throw new Failure('no-such-session', 'no session runs', 'start one with: claude');
  return first;
}

/** The open prompts, whole, with their options; where nothing is asked, the last message. */
export function shown(session: WireSession): string {
  const head = `${safeLines(session.label ?? session.name)} (${session.id}) ${session.state}`;
  const reason = session.reason === null ? '' : `: ${safeLines(session.reason)}`;
  const body =
    session.prompts.length > 0
      ? session.prompts.map(prompt).join('\n')
      : `${safeLines(session.lastMessage ?? 'it has not said anything yet')}\n`;
  return `${head}${reason}\n\n${body}`;
}

function prompt(asked: WirePrompt): string {
  const questions = asked.questions.map((question) => {
    const options = question.options.map(({ label, description }) =>
      safeLines(`  - ${label}${description === null ? '' : `: ${description}`}`),
    );
    return [safeLines(question.text), ...options].join('\n');
  });
  const options = asked.options.map(({ key, label }) => `  ${key}  ${safeLines(label)}`);
  const parts = [`${safeLines(asked.title)} (${asked.id})`, safeLines(asked.text), ...questions, ...options];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}
