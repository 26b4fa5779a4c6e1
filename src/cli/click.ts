import type { Context } from './context.ts';

export async function click(
  { client }: Context,
  options: { readonly bar: string; readonly button: number; readonly instance: string },
): Promise<void> {
  await client.request('POST', '/v1/click', options);
}
