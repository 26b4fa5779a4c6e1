import { oneLine } from '../bars/text.ts';
import type { WireSnapshot } from '../daemon/wire.ts';
import type { Context } from './context.ts';

/**
 * What the completion of a shell offers for SESSION, one a line: labels, else names that only one session has, else
 * ids; after a tab what that is. Starts no daemon, and offers nothing that a shell could take for more than one plain
 * word.
 */
export async function sessions({ idleClient }: Context): Promise<void> {
  const snapshot = (await idleClient.request('GET', '/v1/sessions')) as WireSnapshot;
  const taken = snapshot.sessions.flatMap(({ label, name }) => [label, name]);
  const lines = snapshot.sessions.map(({ label, name, id, state }) => {
    const isOnly = taken.filter((word) => word === name).length === 1;
    const word = label ?? (isOnly ? name : id);
    return `${PLAIN.test(word) ? word : id}\t${oneLine(`${label ?? name} (${state})`)}\n`;
  });
  process.stdout.write(lines.join(''));
}

const PLAIN = /^\w[\w.-]*$/;
