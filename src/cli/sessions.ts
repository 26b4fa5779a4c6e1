import type { WireSnapshot } from '../daemon/wire.ts';
import type { Context } from './context.ts';

/**
 * What the completion of a shell offers for SESSION, one a line: labels, and ids where there is none. Starts no
 * daemon, and offers nothing that a shell could take for more than one plain word.
 */
export async function sessions({ idleClient }: Context): Promise<void> {
  const snapshot = (await idleClient.request('GET', '/v1/sessions')) as WireSnapshot;
  const names = snapshot.sessions.map(({ label, id }) => (label !== null && PLAIN.test(label) ? label : id));
  process.stdout.write(names.map((name) => `${name}\n`).join(''));
}

const PLAIN = /^[\w.-]+$/;
