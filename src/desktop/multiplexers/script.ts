/** script(1): shows its one PTY on the terminal it was started in. */
import type { Multiplexer } from './multiplexer.ts';

export const script: Multiplexer = {
  name: 'script',

  owns: (owner) => owner.comm === 'script',

  async follow({ owner, pts }) {
    const at = `script (pid ${owner.pid})`;
    if (owner.pts === null) {
      return {
        type: 'not-shown',
        at,
        reason: `script (pid ${owner.pid}) has no terminal`,
        hint: 'it only records',
      };
    }
    return {
      type: 'shown',
      at,
      pane: { kind: 'script', id: `/dev/pts/${pts}` },
      viewers: [
        { pid: owner.pid, how: 'it shows that on its own terminal', focused: true, show: async () => null },
      ],
    };
  },
};
