import { readdirSync, readFileSync } from 'node:fs';
import { listFileDescriptors, readProcessLink } from '../system/proc.ts';

/** Inodes of the TCP sockets that listen, with their ports; only those of one user. */
export type Listeners = ReadonlyMap<string, number>;

/** /proc/net/tcp and tcp6 (proc_net_tcp.rst): state 0A is LISTEN, ports are hexadecimal. */
export function parseListeners(table: string, uid: number): Map<string, number> {
  const listeners = new Map<string, number>();
  for (const line of table.split('\n')) {
    const fields = line.trim().split(/\s+/);
    const [, local, , state, , , , owner, , inode] = fields;
    const port = /:([0-9A-F]{4})$/.exec(local ?? '')?.[1];
    if (state === '0A' && Number(owner) === uid && port !== undefined && inode !== undefined) {
      listeners.set(inode, Number.parseInt(port, 16));
    }
  }
  return listeners;
}

export function readListeners(): Listeners {
  const uid = process.getuid?.() ?? -1;
  return new Map(
    ['tcp', 'tcp6'].flatMap((name) => {
      try {
        return [...parseListeners(readFileSync(`/proc/net/${name}`, 'utf8'), uid)];
      } catch {
        return [];
      }
    }),
  );
}

/** TCP ports that the process and its descendants listen on, ascending. Nothing is read when nothing listens. */
export function portsOf(pid: number, listeners: Listeners): readonly number[] {
  if (listeners.size === 0) return [];
  const ports = new Set<number>();
  for (const member of processTree(pid)) {
    for (const fd of listFileDescriptors(member)) {
      const inode = /^socket:\[(\d+)\]$/.exec(readProcessLink(member, `fd/${fd}`) ?? '')?.[1];
      const port = inode === undefined ? undefined : listeners.get(inode);
      if (port !== undefined) ports.add(port);
    }
  }
  return [...ports].sort((a, b) => a - b);
}

/** More processes than this belong to no session that anybody wants ports of. */
const treeLimit = 500;

/** The process and its descendants, by /proc/PID/task/TID/children (proc_pid_task(5)). */
function processTree(root: number): number[] {
  const tree = [root];
  for (let next = 0; next < tree.length && tree.length < treeLimit; next++) {
    tree.push(...childrenOf(tree[next] ?? 0));
  }
  return tree;
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
