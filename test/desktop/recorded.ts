// Desktops that were recorded: real terminals on i3 4.22 and sway 1.7, with the /proc of everything in them.
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { FakeProcess, MachineOptions } from './machine.ts';

const Ancestor = z.object({ pid: z.number(), comm: z.string(), tty: z.string() });
const Recording = z.object({
  wm: z.enum(['i3', 'sway']),
  windows: z.array(
    z.object({
      con_id: z.number(),
      ws: z.nullable(z.string()),
      out: z.nullable(z.string()),
      window: z.nullish(z.number()),
      pid: z.nullish(z.number()),
      xres_pid: z.nullish(z.array(z.array(z.number()))),
      name: z.nullable(z.string()),
      app_id: z.nullish(z.string()),
      window_properties: z.nullish(z.object({ class: z.nullish(z.string()) })),
    }),
  ),
  markers: z.array(
    z.object({
      tag: z.string(),
      pid: z.number(),
      stat: z.object({ comm: z.string(), ppid: z.number(), tty: z.string() }),
      chain: z.array(Ancestor),
      ptmx_holders: z.array(z.tuple([z.number(), z.number(), z.string()])),
      env: z.record(z.string(), z.string()),
    }),
  ),
  fd_denied: z.array(z.tuple([z.number(), z.string()])),
});

/** `major=136,minor=13` → 13 */
function ptsOf(tty: string): number | undefined {
  const minor = /^major=136,minor=(\d+)$/.exec(tty)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

export interface Recorded extends Required<Pick<MachineOptions, 'processes' | 'windows' | 'desktop'>> {
  /** The session that was started in the window `T-<tag>`. */
  pid(tag: string): number;
  readonly tags: readonly string[];
}

export function recorded(name: string): Recorded {
  const text = readFileSync(new URL(`../fixtures/desktop/${name}.json`, import.meta.url), 'utf8');
  const { wm, windows, markers: all, fd_denied } = z.parse(Recording, JSON.parse(text));
  // Recordings of the i3 desktop show the sessions of the sway desktop beside it too, and the other way round.
  const here = (env: Record<string, string>) => ('SWAYSOCK' in env ? 'sway' : 'i3') === wm;
  const markers = all.filter(({ env }) => here(env));

  const processes = new Map<number, FakeProcess>();
  const denied = new Set(fd_denied.map(([pid]) => pid));
  const held = new Map<number, Set<number>>();
  for (const { stat, ptmx_holders } of markers) {
    for (const [pid, , comm] of ptmx_holders) {
      const pts = ptsOf(stat.tty);
      if (pts !== undefined) held.set(pid, (held.get(pid) ?? new Set()).add(pts));
      processes.set(pid, { pid, comm });
    }
  }
  for (const { pid, stat, chain, env } of markers) {
    const line = [{ pid, comm: stat.comm, tty: stat.tty }, ...chain];
    for (const [index, { pid: member, comm, tty }] of line.entries()) {
      if (member === 1) continue;
      const pts = ptsOf(tty);
      processes.set(member, {
        pid: member,
        comm,
        parent: line[index + 1]?.pid ?? 1,
        ...(pts === undefined ? {} : { pts }),
        ...(index === 0 ? { env } : {}),
      });
    }
  }
  return {
    desktop: wm,
    processes: [...processes.values()].map((process) => ({
      ...process,
      holds: denied.has(process.pid) ? null : [...(held.get(process.pid) ?? [])],
    })),
    windows: windows.map((window) => ({
      conId: window.con_id,
      id: window.window ?? null,
      title: window.name ?? '',
      pid: window.pid ?? window.xres_pid?.[0]?.[0] ?? null,
      appId: window.app_id ?? window.window_properties?.class ?? null,
      workspace: window.ws === null ? null : { name: window.ws, num: null, output: window.out },
    })),
    pid: (tag) => markers.find((marker) => marker.tag === tag)?.pid ?? -1,
    tags: markers.map(({ tag }) => tag),
  };
}
