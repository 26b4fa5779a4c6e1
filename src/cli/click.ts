import type { Context } from './context.ts';
import { refuseInsideClaude } from './inside-claude.ts';

export interface ClickOptions {
  readonly bar: string;
  readonly button: number;
  readonly instance?: string;
  readonly slot?: string;
  readonly output?: string;
  readonly line?: number;
}

export async function click({ client, env }: Context, options: ClickOptions): Promise<void> {
  // Only a click on an option answers; what stands in a slot without a name is for the daemon to find out.
  if (options.instance?.includes('/') !== false) refuseInsideClaude(env);
  const delay = Math.round(performance.now());
  await client.request('POST', '/v1/click', { ...options, delay });
}
