/** Owners of PTYs from which no way leads to a window of this desktop, each with the reason. */
import type { Multiplexer } from './multiplexer.ts';

interface DeadEnd {
  /** Names of the process, as /proc/PID/stat has them: 15 characters at most. */
  readonly names: readonly string[];
  readonly reason: string;
  readonly hint: string;
}

const deadEnds: readonly DeadEnd[] = [
  {
    names: ['sshd', 'sshd-session', 'dropbear'],
    reason: 'over ssh: no window here',
    hint: 'its window is on the machine that you connected from',
  },
  {
    names: ['mosh-server'],
    reason: 'over mosh: no window here',
    hint: 'its window is on the machine that you connected from',
  },
  {
    names: ['containerd-shim', 'conmon', 'lxc-start', 'systemd-nspawn', 'runc', 'crun', 'dockerd'],
    reason: 'in a container: no window here',
    hint: 'start Claude Code outside of it, or tmux inside a terminal around it',
  },
  {
    names: ['zellij'],
    reason: 'zellij is not followed: it does not tell which of its clients shows a pane',
    hint: 'tmux and screen are followed',
  },
  {
    names: ['dtach', 'abduco', 'shpool'],
    reason: 'dtach and its like are not followed: they do not tell who is attached',
    hint: 'tmux and screen are followed',
  },
  {
    names: ['wezterm-mux-ser'],
    reason: 'the mux server of wezterm is not followed: its windows are those of another process',
    hint: 'tmux and screen are followed',
  },
];

function deadEndOf(comm: string): DeadEnd | undefined {
  return deadEnds.find(({ names }) => names.includes(comm));
}

export const unfollowed: Multiplexer = {
  name: 'unfollowed',

  owns: (owner) => deadEndOf(owner.comm) !== undefined,

  async follow({ owner }) {
    const end = deadEndOf(owner.comm);
    return {
      type: 'not-shown',
      at: `${owner.comm} (pid ${owner.pid})`,
      reason: end?.reason ?? `${owner.comm} is not followed`,
      hint: end?.hint ?? 'tmux and screen are followed',
    };
  },
};
