import { spawn } from 'node:child_process';

type Environment = Readonly<Record<string, string | undefined>>;

/** The first descriptor that systemd passes (sd_listen_fds(3)). */
const FIRST_PASSED = 3;

/**
 * The socket that systemd listens on for the daemon; null when it passed none to this very process: the variables
 * are inherited by children, which they do not concern.
 */
export function passedSocket(env: Environment, pid: number): number | null {
  return env.LISTEN_PID === String(pid) && Number(env.LISTEN_FDS) >= 1 ? FIRST_PASSED : null;
}

/** Whether systemd waits to be told that the daemon is ready, and so keeps it (sd_notify(3), `Type=notify`). */
export function isSupervised(env: Environment): boolean {
  return env.NOTIFY_SOCKET !== undefined && env.NOTIFY_SOCKET !== '';
}

/**
 * Tells systemd that the daemon is ready. Node.js has no datagram sockets of the Unix domain, so systemd's own
 * command does it; it needs `NotifyAccess=all`.
 */
export function notifyReady(env: Environment): void {
  if (!isSupervised(env)) return;
  const child = spawn('systemd-notify', ['--ready'], { stdio: 'ignore' });
  // Without the command systemd's own time limit tells.
  child.on('error', () => {});
  child.unref();
}
