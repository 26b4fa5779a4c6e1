import { readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '../system/clock.ts';
import { isShortage } from '../system/error-code.ts';
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

function readListeners(): Listeners {
  const uid = process.getuid?.() ?? -1;
  return new Map(
    ['tcp', 'tcp6'].flatMap((name) => {
      try {
        return [...parseListeners(readFileSync(`/proc/net/${name}`, 'utf8'), uid)];
      } catch (error) {
        if (isShortage(error)) throw error;
        return [];
      }
    }),
  );
}

/** The ports of sessions, read no more often than they can have changed. */
export interface Ports {
  /** TCP ports that each process and its descendants listen on, ascending; null: as they were. */
  look(pids: readonly number[]): ReadonlyMap<number, readonly number[]> | null;
}

/** A server may take its time until it listens, and one that has stopped listening need not end, ms. */
const settled = 90_000;
const seldom = 120_000;

/**
 * The kernel walks through all of its connections for one look at who listens, which takes it 10 ms. So it is asked while
 * there are new processes, and else every two minutes.
 */
export function createPorts(clock: Pick<Clock, 'now'>): Ports {
  let last = '';
  let changedAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    look(pids) {
      const trees = new Map(pids.map((pid) => [pid, processTree(pid)]));
      const members = [...trees.values()].join(';');
      const now = clock.now();
      if (members !== last) changedAt = now;
      last = members;
      if (now - changedAt > settled && now - lookedAt < seldom && now >= lookedAt) return null;
      lookedAt = now;
      const listeners = readListeners();
      return new Map([...trees].map(([pid, tree]) => [pid, portsOf(tree, listeners)]));
    },
  };
}

/** Nothing is read when nothing listens. */
function portsOf(tree: readonly number[], listeners: Listeners): readonly number[] {
  if (listeners.size === 0) return [];
  const ports = new Set<number>();
  for (const member of tree) {
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
  } catch (error) {
    if (isShortage(error)) throw error;
    return [];
  }
}
