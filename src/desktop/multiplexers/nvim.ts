/**
 * The terminal inside Neovim and Vim (`:terminal`). The editor owns the PTY and has a terminal of its own, or,
 * since Neovim 0.9, is a child (`nvim --embed`) of the process that has it. A buffer may be hidden, and the editor
 * is not asked: the session is never taken for what is looked at.
 */
import { lineage } from '../processes.ts';
import type { Multiplexer } from './multiplexer.ts';

const editors = new Set(['nvim', 'vim', 'vim.basic', 'vim.gtk3', 'vim.nox']);

export const nvim: Multiplexer = {
  name: 'nvim',

  owns: (owner) => editors.has(owner.comm),

  async follow({ owner, pts }, { processes }) {
    const at = `${owner.comm} (pid ${owner.pid}), its :terminal`;
    const parent = lineage(processes, owner.pid)[1];
    if (owner.pts === null && parent?.pid === 1) {
      return {
        type: 'not-shown',
        at,
        reason: `${owner.comm} (pid ${owner.pid}) runs without a user interface here`,
        hint: `attach to it: ${owner.comm} --server ADDRESS --remote-ui`,
      };
    }
    return {
      type: 'shown',
      at,
      pane: { kind: 'nvim', id: `/dev/pts/${pts}` },
      viewers: [{ pid: owner.pid, how: 'the editor', focused: false, show: async () => null }],
    };
  },
};
