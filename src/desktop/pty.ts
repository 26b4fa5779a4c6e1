import type { ProcessStat } from '../system/proc.ts';
import { lineage, type ProcessTable } from './processes.ts';

/** Who shows what a PTY's programs print: the process that holds the master side. */
export interface Owner {
  readonly process: ProcessStat;
  /** How that is known, in words for `tsmux explain`. */
  readonly how: string;
}

/** pid 1 and systemd's user manager adopt orphans: as an ancestor they prove nothing. */
function adopts(process: ProcessStat): boolean {
  return process.pid === 1 || process.comm === 'systemd';
}

/**
 * Finds the owner of `/dev/pts/N` on which `pid` runs, by looking at as few descriptors as it can: ancestors
 * first, and everybody only for an orphan.
 *
 * A holder that is an ancestor is the owner, whoever else holds the master: alacritty 0.11 leaks masters to the
 * children of its later windows. Terminals that are setgid utmp (urxvt), and sudo, do not let their descriptors
 * be read; then the first ancestor on another terminal is the owner.
 *
 * `likely`: where to look first when no ancestor is the owner: processes that have windows.
 */
export function ownerOf(
  processes: ProcessTable,
  pid: number,
  pts: number,
  likely: Iterable<number>,
): Owner | null {
  const above = lineage(processes, pid)
    .slice(1)
    .filter((ancestor) => ancestor.pts !== pts && !adopts(ancestor));
  for (const ancestor of above) {
    if (processes.masters(ancestor.pid)?.includes(pts)) {
      return { process: ancestor, how: 'it holds the master side and is an ancestor' };
    }
  }
  const nearest = above[0];
  if (nearest !== undefined && processes.masters(nearest.pid) === null) {
    return {
      process: nearest,
      how: 'the nearest ancestor on another terminal; its descriptors may not be read',
    };
  }
  if (!processes.sharesTerminals(pid)) return null;
  return holderAmong(processes, pts, likely) ?? holderAmong(processes, pts, processes.pids());
}

/** The one holder, or the one from which all other holders have it. */
function holderAmong(processes: ProcessTable, pts: number, pids: Iterable<number>): Owner | null {
  const holders: ProcessStat[] = [];
  for (const pid of pids) {
    if (!processes.masters(pid)?.includes(pts)) continue;
    const stat = processes.stat(pid);
    if (stat !== null && stat.pts !== pts) holders.push(stat);
  }
  const [first, ...others] = holders;
  if (first !== undefined && others.length === 0) {
    return { process: first, how: 'nobody else holds the master side' };
  }
  for (const holder of holders) {
    const inheritedByAll = holders.every((other) =>
      lineage(processes, other.pid).some((ancestor) => ancestor.pid === holder.pid),
    );
    if (inheritedByAll) return { process: holder, how: 'all others that hold the master side inherited it' };
  }
  return null;
}
