import type { Pane } from '../sessions/place.ts';
import type { ProcessStat } from '../system/proc.ts';
import type { Hop } from './desktop.ts';
import { multiplexers } from './multiplexers/index.ts';
import type { Multiplexer, Viewer } from './multiplexers/multiplexer.ts';
import { passThrough } from './multiplexers/pass-through.ts';
import type { Outside } from './outside.ts';
import type { PaneScreen } from './pane-screen.ts';
import { lineage } from './processes.ts';
import { type Owner, ownerOf } from './pty.ts';

/** From a process to the one that has windows, with everything on the way. */
export interface Walked {
  readonly hops: readonly Hop[];
  /** The panes and pass-throughs on the way, the innermost first. */
  readonly steps: readonly Step[];
  readonly end: End;
}

export interface Step {
  readonly pane: { readonly kind: Pane['kind']; readonly id: string } | null;
  /** Null where it cannot be read from outside. */
  readonly screen: PaneScreen | null;
  /** Null where the walk ended at this pane: nobody shows it. */
  readonly viewer: Viewer | null;
}

export type End =
  | {
      readonly type: 'terminal';
      /** The process that has the windows. */
      readonly process: ProcessStat;
      /** The PTY in it and who holds it; null for a program that is run by an editor, without a terminal. */
      readonly pty: { readonly number: number; readonly owner: ProcessStat } | null;
      /** The processes on that PTY, the nearest to the session first. */
      readonly inside: readonly ProcessStat[];
    }
  | {
      readonly type: 'none';
      readonly reason: string;
      readonly hint: string;
      /** It ended at a program that may well have a window, of which nothing is known. */
      readonly mayHaveWindow: boolean;
    };

/** The part of the walk that stays as it is while the process and the owner of its PTY live. */
interface Leg {
  readonly start: ProcessStat;
  /** The process and its ancestors up to the last one that is on the PTY. */
  readonly line: readonly ProcessStat[];
  /** Those of them that are on it; empty where there is no PTY. */
  readonly inside: readonly ProcessStat[];
  readonly pts: number | null;
  readonly owner: Owner | null;
}

export interface WindowOwners {
  has(pid: number): boolean;
  all(): Iterable<number>;
}

const deepest = 8;
/** How long nobody is looked for again who was not found, ms: it takes a look at all processes. */
const retryAfter = 5000;

export interface Walk {
  from(pid: number): Promise<Walked>;
  forget(pid: number): void;
}

export function createWalk(outside: Outside, windows: WindowOwners): Walk {
  const { processes, clock } = outside;
  const legs = new Map<number, Leg>();

  function newLeg(start: ProcessStat): Leg {
    const ancestry = lineage(processes, start.pid);
    // su -c and setsid take the controlling terminal away; the nearest ancestor still has it.
    const first = ancestry.findIndex(({ pid, pts }) => pts !== null || windows.has(pid));
    const pts = ancestry[first]?.pts ?? null;
    if (pts === null) return { start, line: ancestry, inside: [], pts, owner: null };
    const beyond = ancestry.findIndex((ancestor, index) => index > first && ancestor.pts !== pts);
    const inside = ancestry.slice(first, beyond < 0 ? undefined : beyond);
    const owner = ownerOf(processes, ancestry[first]?.pid ?? start.pid, pts, windows.all());
    return { start, line: ancestry.slice(0, first + inside.length), inside, pts, owner };
  }

  function stillTrue(leg: Leg, start: ProcessStat): boolean {
    const same = (a: ProcessStat, b: ProcessStat | null) => a.startTime === b?.startTime;
    return (
      same(leg.start, start) &&
      leg.start.pts === start.pts &&
      leg.start.parent === start.parent &&
      (leg.owner === null || same(leg.owner.process, processes.stat(leg.owner.process.pid)))
    );
  }

  function legOf(start: ProcessStat): Leg {
    const known = legs.get(start.pid);
    if (known !== undefined && stillTrue(known, start)) return known;
    const leg = newLeg(start);
    legs.set(start.pid, leg);
    if (legs.size > 500) for (const pid of legs.keys()) if (processes.stat(pid) === null) legs.delete(pid);
    if (leg.owner === null) {
      clock.after(retryAfter, () => {
        if (legs.get(start.pid) === leg) legs.delete(start.pid);
      });
    }
    return leg;
  }

  async function from(pid: number, depth: number): Promise<Walked> {
    const start = processes.stat(pid);
    if (start === null || start.status === 'Z') {
      return stop([{ at: `pid ${pid}`, how: 'gone' }], 'its process is gone', 'nothing can be done');
    }
    if (depth > deepest) {
      return stop([], 'too many terminals inside each other', 'more than eight are not followed');
    }
    const leg = legOf(start);
    const here = `pid ${pid} ${start.comm}`;

    const app = leg.line.find((process) => process.pid !== pid && windows.has(process.pid));
    if (app !== undefined) {
      const how = `run by pid ${app.pid} ${app.comm}, which has windows itself`;
      return arrive([{ at: here, how }], app, null, []);
    }
    if (leg.pts === null) {
      const hop = { at: here, how: 'neither it nor an ancestor has a terminal' };
      return stop([hop], 'it has no terminal', 'it was started without one, or on a Linux console');
    }
    const holder = leg.inside[0];
    const hops: Hop[] = [
      {
        at: here,
        how:
          holder === undefined || holder.pid === pid
            ? `on /dev/pts/${leg.pts}`
            : `no terminal of its own; pid ${holder.pid} ${holder.comm}, its nearest ancestor with one, is on /dev/pts/${leg.pts}`,
      },
    ];
    const owner = leg.owner;
    if (owner === null) {
      const how = processes.sharesTerminals(pid)
        ? 'nobody is known to hold the other side'
        : 'a terminal of a container';
      return stop(
        [...hops, { at: `/dev/pts/${leg.pts}`, how }],
        processes.sharesTerminals(pid)
          ? 'nobody is known to show its terminal'
          : 'in a container: no window here',
        'its terminal may have been closed',
      );
    }
    hops.push({
      at: `/dev/pts/${leg.pts}`,
      how: `of pid ${owner.process.pid} ${owner.process.comm}: ${owner.how}`,
    });
    return cross(hops, leg, owner.process, leg.pts, depth);
  }

  /** From the owner of a PTY to the process that has the windows, through whatever lies between. */
  async function cross(
    hops: readonly Hop[],
    leg: Leg,
    owner: ProcessStat,
    pts: number,
    depth: number,
  ): Promise<Walked> {
    const pty = { number: pts, owner };
    if (windows.has(owner.pid)) return arrive(hops, owner, pty, leg.inside);

    const multiplexer = multiplexers.find((candidate) => candidate.owns(owner, outside));
    if (multiplexer !== undefined) return through(multiplexer, hops, leg, owner, pts, depth);

    // VS Code's terminals are held by a child of the process that has the windows.
    for (const ancestor of lineage(processes, owner.pid).slice(1)) {
      if (ancestor.pid === 1 || ancestor.pts !== owner.pts) break;
      if (!windows.has(ancestor.pid)) continue;
      const hop = {
        at: `pid ${owner.pid} ${owner.comm}`,
        how: `a child of pid ${ancestor.pid} ${ancestor.comm}`,
      };
      return arrive([...hops, hop], ancestor, pty, leg.inside);
    }

    if (passThrough.owns(owner, outside)) return through(passThrough, hops, leg, owner, pts, depth);
    return stop(
      [...hops, { at: `pid ${owner.pid} ${owner.comm}`, how: 'has neither a window nor a terminal' }],
      `${owner.comm} (pid ${owner.pid}) holds its terminal and has no window here`,
      'its window may be on another display, or of a program that tsmux does not know',
      true,
    );
  }

  async function through(
    multiplexer: Multiplexer,
    hops: readonly Hop[],
    leg: Leg,
    owner: ProcessStat,
    pts: number,
    depth: number,
  ): Promise<Walked> {
    const followed = await multiplexer.follow({ owner, pts, inside: leg.inside }, outside);
    if (followed.type === 'not-shown') {
      const hop = { at: followed.at, how: followed.reason };
      const stopped = stop([...hops, hop], followed.reason, followed.hint, multiplexer === passThrough);
      return followed.pane === undefined
        ? stopped
        : { ...stopped, steps: [{ pane: followed.pane, screen: followed.screen ?? null, viewer: null }] };
    }
    let first: Walked | null = null;
    // The best viewer may be on another machine, by ssh.
    for (const viewer of followed.viewers) {
      const beyond = await from(viewer.pid, depth + 1);
      const walked = {
        hops: [...hops, { at: followed.at, how: viewer.how }, ...beyond.hops],
        steps: [{ pane: followed.pane, screen: followed.screen ?? null, viewer }, ...beyond.steps],
        end: beyond.end,
      };
      if (beyond.end.type === 'terminal') return walked;
      first ??= walked;
    }
    return first ?? stop(hops, `${multiplexer.name} shows it nowhere`, 'nothing can be done');
  }

  return { from: (pid) => from(pid, 0), forget: (pid) => legs.delete(pid) };
}

function stop(hops: readonly Hop[], reason: string, hint: string, mayHaveWindow = false): Walked {
  return { hops, steps: [], end: { type: 'none', reason, hint, mayHaveWindow } };
}

function arrive(
  hops: readonly Hop[],
  process: ProcessStat,
  pty: { readonly number: number; readonly owner: ProcessStat } | null,
  inside: readonly ProcessStat[],
): Walked {
  return { hops, steps: [], end: { type: 'terminal', process, pty, inside } };
}
