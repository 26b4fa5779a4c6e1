import type { WireSnapshot } from '../daemon/wire.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';

type Client = Pick<Context['client'], 'request'>;

export async function seen(
  { client }: { readonly client: Client },
  session: string | undefined,
): Promise<void> {
  if (session !== undefined) return mark(client, session);
  for (const one of await inReview(client)) {
    await mark(client, one).catch((error: unknown) => {
      // It has ended since they were listed.
      if (!(error instanceof Failure && error.code === 'no-such-session')) throw error;
    });
  }
}

async function mark(client: Client, session: string): Promise<void> {
  await client.request('POST', `/v1/sessions/${encodeURIComponent(session)}/seen`);
}

async function inReview(client: Client): Promise<string[]> {
  const { sessions } = (await client.request('GET', '/v1/sessions')) as WireSnapshot;
  return sessions.filter(({ state }) => state === 'review').map(({ id }) => id);
}
