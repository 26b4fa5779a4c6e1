// A machine for tests: its processes, its terminals, its windows, and what its programs answer when asked.
import type { DesktopWindow, WindowTree } from '../../src/desktop/desktop.ts';
import { createLocator, type Locator } from '../../src/desktop/locate.ts';
import type { Outside } from '../../src/desktop/outside.ts';
import type { ProcessTable } from '../../src/desktop/processes.ts';
import type { SessionKey } from '../../src/sessions/session.ts';
import type { Cancel, Clock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import type { ProcessStat } from '../../src/system/proc.ts';

export interface FakeProcess {
  readonly pid: number;
  readonly comm: string;
  /** 1 where nothing is said. */
  readonly parent?: number;
  /** Its controlling terminal, `/dev/pts/N`. */
  readonly pts?: number;
  /** Masters that it holds; null: its descriptors may not be read. */
  readonly holds?: readonly number[] | null;
  readonly opens?: readonly number[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly sockets?: readonly string[];
  readonly inContainer?: boolean;
  readonly background?: boolean;
}

export interface Machine {
  readonly outside: Outside;
  readonly locator: Locator;
  /** Whose descriptors were read, in this order. */
  readonly looked: number[];
  /** Commands that were run, each as one line. */
  readonly ran: string[];
  /** What was written to terminals. */
  readonly written: { readonly pts: number; readonly text: string }[];
  processes: FakeProcess[];
  trees: WindowTree[];
  key(pid: number): SessionKey;
  locate(pid: number): ReturnType<Locator['locate']>;
}

export interface MachineOptions {
  readonly processes: readonly FakeProcess[];
  readonly windows?: readonly (Partial<DesktopWindow> & { readonly pid: number | null })[];
  readonly desktop?: 'i3' | 'sway';
  readonly titleNonce?: boolean;
  /** A hasty one where none is given. */
  readonly clock?: Clock;
  /** Answers a command line; null where it fails. */
  readonly run?: (line: string) => string | null;
  /** Called with what is written to a terminal; may change `machine.trees`. */
  readonly onWrite?: (pts: number, text: string) => void;
}

/** Time passes as soon as somebody waits for it. */
function hastyClock(): Clock {
  let now = 0;
  function after(ms: number, run: () => void): Cancel {
    let cancelled = false;
    setImmediate(() => {
      if (cancelled) return;
      now += ms;
      run();
    });
    return () => {
      cancelled = true;
    };
  }
  return { now: () => now, after, around: after };
}

export function window(options: Partial<DesktopWindow> & { readonly pid: number | null }): DesktopWindow {
  const conId = options.conId ?? 1000 + (options.id ?? options.pid ?? 0);
  return {
    conId,
    id: null,
    title: '',
    focused: false,
    appId: null,
    workspace: { name: '1', num: 1, output: 'fake-0' },
    urgent: false,
    ...options,
  };
}

function tableOf(machine: { processes: FakeProcess[] }, looked: number[]): ProcessTable {
  const find = (pid: number) => machine.processes.find((process) => process.pid === pid);
  const stat = (pid: number): ProcessStat | null => {
    const process = find(pid);
    if (process === undefined) return null;
    return {
      pid,
      comm: process.comm,
      status: 'S',
      parent: process.parent ?? 1,
      processGroup: pid,
      leader: pid,
      pts: process.pts ?? null,
      startTime: pid * 10,
      foregroundGroup: process.background === true ? -1 : pid,
    };
  };
  return {
    stat,
    environment: (pid) => {
      const env = find(pid)?.env;
      return env === undefined ? null : new Map(Object.entries(env));
    },
    cwd: (pid) => find(pid)?.cwd ?? null,
    pids: () => machine.processes.map(({ pid }) => pid),
    masters: (pid) => {
      looked.push(pid);
      const holds = find(pid)?.holds;
      return holds === undefined ? [] : holds;
    },
    openTerminals: (pid) => find(pid)?.opens ?? [],
    sockets: (pid) => find(pid)?.sockets ?? [],
    sharesTerminals: (pid) => find(pid)?.inContainer !== true,
    lastInput: () => null,
  };
}

export function machineOf(options: MachineOptions): Machine {
  const looked: number[] = [];
  const ran: string[] = [];
  const written: { pts: number; text: string }[] = [];
  const state = {
    processes: [{ pid: 1, comm: 'systemd', parent: 0 }, ...options.processes],
    trees:
      options.windows === undefined
        ? []
        : [{ desktop: options.desktop ?? 'i3', windows: options.windows.map(window) }],
  };
  const clock = options.clock ?? hastyClock();
  const outside: Outside = {
    clock,
    log: silentLog,
    processes: tableOf(state, looked),
    run: async (program, args) => {
      const line = [program, ...args].join(' ');
      ran.push(line);
      return options.run?.(line) ?? null;
    },
    openTerminal: (pts) => ({
      write(text) {
        written.push({ pts, text });
        options.onWrite?.(pts, text);
        return true;
      },
      close() {},
    }),
    randomHex: () => 'abcd1234',
  };
  const locator = createLocator({
    clock,
    log: silentLog,
    trees: () => machine.trees,
    refreshTrees: async () => {},
    titleNonce: options.titleNonce ?? true,
    outside,
  });
  const machine: Machine = Object.assign(state, {
    outside,
    locator,
    looked,
    ran,
    written,
    key: (pid: number) => ({ bootId: 'boot', pid, startTime: pid * 10 }),
    locate: (pid: number) =>
      locator.locate({ key: { bootId: 'boot', pid, startTime: pid * 10 }, attachedBy: null }),
  });
  return machine;
}
