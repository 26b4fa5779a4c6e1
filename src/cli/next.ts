import type { Context } from './context.ts';

export async function next({ client }: Context, options: { readonly back?: true }): Promise<void> {
  await client.request('POST', '/v1/next', { back: options.back ?? false });
}
