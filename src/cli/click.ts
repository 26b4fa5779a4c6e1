import type { Context } from './context.ts';
import { refuseInsideClaude } from './inside-claude.ts';

export async function click(
  { client, env }: Context,
  options: { readonly bar: string; readonly button: number; readonly instance: string },
): Promise<void> {
  if (options.instance.includes('/')) refuseInsideClaude(env);
  await client.request('POST', '/v1/click', options);
}
