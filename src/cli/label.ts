import type { Context } from './context.ts';

export async function label({ client }: Context, session: string, text: string): Promise<void> {
  const path = `/v1/sessions/${encodeURIComponent(session)}/label`;
  if (text === '') await client.request('DELETE', path);
  else await client.request('PUT', path, { label: text });
}
