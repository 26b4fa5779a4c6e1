import type { WireSnapshot } from '../daemon/wire.ts';
import type { Context } from './context.ts';

export async function seen({ client }: Context, session: string | undefined): Promise<void> {
  for (const one of session === undefined ? await inReview(client) : [session]) {
    await client.request('POST', `/v1/sessions/${encodeURIComponent(one)}/seen`);
  }
}

async function inReview(client: Context['client']): Promise<string[]> {
  const { sessions } = (await client.request('GET', '/v1/sessions')) as WireSnapshot;
  return sessions.filter(({ state }) => state === 'review').map(({ id }) => id);
}
