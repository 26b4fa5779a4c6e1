import type { WireOpenPrompt } from '../daemon/wire.ts';
import { Failure } from '../system/failure.ts';
import type { Context } from './context.ts';
import { refuseInsideClaude } from './inside-claude.ts';
import { shownOpenPrompt } from './prompt-text.ts';

export async function pin(
  { client, env }: Context,
  prompt: string | undefined,
  { off }: { readonly off?: true },
): Promise<void> {
  refuseInsideClaude(env);
  if (off) {
    if (prompt !== undefined) throw new Failure('bad-request', '--off takes no prompt', 'leave it out');
    await client.request('DELETE', '/v1/pin');
    return;
  }
  const pinned = await client.request('POST', '/v1/pin', { prompt: prompt ?? null });
  process.stdout.write(shownOpenPrompt(pinned as WireOpenPrompt));
}
