import type { Context } from './context.ts';

export async function stop({ idleClient }: Context): Promise<void> {
  const stopped = await idleClient.stop();
  process.stdout.write(stopped ? 'the daemon has ended\n' : 'no daemon runs\n');
}
