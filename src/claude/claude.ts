import { existsSync } from 'node:fs';
import type { Observation, Observe, ProcessSeen } from '../sessions/observation.ts';
import type { SessionKey } from '../sessions/session.ts';
import { nextAfter } from '../sessions/set-back.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import { bootId, isStopped, startedAt } from '../system/proc.ts';
import { realPath } from '../system/read-file.ts';
import { createEndings } from './endings.ts';
import {
  asksIn,
  type HookBody,
  type HookHeard,
  type HookSender,
  observationsOf,
  parseHook,
} from './hooks.ts';
import { createPorts } from './ports.ts';
import {
  attachedTo,
  type ClaudeProcess,
  createProcessScan,
  type ProcessScan,
  readClaudeProcess,
  sessionIdIn,
} from './processes.ts';
import { followSessionFiles, judgeSessionFile, levelOf, type SessionFiles } from './session-files.ts';
import { createShortages } from './shortage.ts';
import { createTranscripts, newlyTracked, type Tracked } from './transcripts.ts';

export interface ClaudeOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly observe: Observe;
  readonly home: string;
  /** Config dirs to follow from the start; those of running Claude Code processes are found. */
  readonly configDirs: readonly string[];
  /** For tests: how the process list is read. */
  readonly scan?: ProcessScan;
}

/** Everything that tsmux knows of running Claude Code, as observations. */
export interface Claude {
  /** Resolves when every source has been read once. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** One hook's stdin. Its observations are out when this returns. Never throws. */
  hook(body: string, sender: HookSender): HookHeard;
  /** The safety net: reads every source again. */
  refresh(): void;
  /** Only looks which sessions still run, and for new ones; cheap enough for each window that closes. */
  recheck(): void;
  /** It was suspended (Ctrl-Z), and hears nothing until it is brought back. */
  isStopped(key: SessionKey): boolean;
  /** Pids of `claude attach` to this background session; null for any other session. */
  attachedBy(key: SessionKey): readonly number[] | null;
  /** What `claude attach` takes to show this background session; null where it is not known, and for any other session. */
  attachId(key: SessionKey): string | null;
  /** What the user must know when there is no session to say it; null when all is well. */
  notice(): string | null;
}

/** The core takes an idle of this age at its word, ms. */
const idleIsMeantAfter = 1050;

/** A hook and the file that tell of the same may come in either order, and so far apart; ms. */
const settling = 3_000;

export function createClaude(options: ClaudeOptions): Claude {
  const { log, observe, home, configDirs } = options;
  const shortages = createShortages({ clock: options.clock, log, readAll });
  const { attempt, clock, watch } = shortages;
  const scan = options.scan ?? createProcessScan(home);
  const folders: SessionFiles[] = [];
  const tracked = new Map<number, Tracked>();
  const ports = createPorts(clock);
  const endings = createEndings({ clock, tracked, gone });
  const transcripts = createTranscripts({ clock, tracked, hear, watch });
  let processes: readonly ClaudeProcess[] = [];
  let stopped = false;

  function follow(configDir: string): void {
    const identity = realPath(configDir);
    if (stopped || folders.some((known) => realPath(known.configDir) === identity)) return;
    const files = followSessionFiles({
      configDir,
      clock,
      log,
      watch,
      changed: (pid) => fileChanged(files, pid),
      begins: () => {
        if (!stopped) lookForProcesses();
      },
    });
    folders.push(files);
    files.readAll();
  }

  /** Whether a session file decides what the process is; one that was left behind by another process does not. */
  function hasFile(pid: number): boolean {
    return folders.some((files) => {
      const file = files.get(pid);
      if (file === null) return false;
      const judged = judgeSessionFile(file, files.facts(pid));
      return 'kind' in judged || judged.process === 'this';
    });
  }

  function fileChanged(files: SessionFiles, pid: number): void {
    const file = files.get(pid);
    const known = tracked.get(pid);
    if (stopped) return;
    if (file === null) {
      if (known !== undefined) fileRemoved(known);
      return;
    }
    const facts = files.facts(pid);
    const judged = judgeSessionFile(file, facts);
    if ('ignored' in judged || facts.startTime === null) {
      const isOver = known !== undefined && known.key.startTime !== facts.startTime;
      if (known !== undefined && (isOver || hasFile(pid))) gone(known);
      return;
    }
    const at = nextAfter(known?.readAt ?? null, clock.now());
    const session = track(pid, facts.startTime, {
      type: 'process-seen',
      at,
      kind: judged.kind,
      entrypoint: file.entrypoint ?? null,
      cwd: file.cwd ?? '/',
      configDir: files.configDir,
      startedAt: startedAt(facts.startTime),
    });
    session.job = { jobId: file.jobId ?? null, name: file.name ?? null };
    if (file.sessionId !== undefined) renew(session, file.sessionId, file.updatedAt ?? at);
    const level = levelOf(file, at);
    session.readAt = at;
    observe(session.key, level);
    if (level.statusAt !== session.statusAt) {
      session.statusAt = level.statusAt;
      if (level.status === 'idle' || level.status === 'shell') readOnceMore(files, pid);
    }
    transcripts.follow(session);
  }

  /** An idle may be followed by a Stop or by another turn in the same moment: when it still stands later, it is meant. */
  function readOnceMore(files: SessionFiles, pid: number): void {
    clock.after(idleIsMeantAfter, () => {
      if (!stopped && tracked.has(pid)) files.read(pid);
    });
  }

  /** Claude Code removes its file when it ends. A process that goes on without one is judged by itself. */
  function fileRemoved(session: Tracked): void {
    const process = readClaudeProcess(session.key.pid, home);
    if (process === null || process.startTime !== session.key.startTime || process.role !== 'session') {
      gone(session);
    } else endings.lookSoon();
  }

  function track(pid: number, startTime: number, seen: ProcessSeen): Tracked {
    const known = tracked.get(pid);
    if (known !== undefined && known.key.startTime === startTime) {
      if (!isSameProcess(known.seen, seen)) {
        known.seen = seen;
        observe(known.key, seen);
      }
      return known;
    }
    if (known !== undefined) gone(known);
    const session = newlyTracked({ bootId: bootId(), pid, startTime }, seen);
    tracked.set(pid, session);
    observe(session.key, seen);
    return session;
  }

  function trackProcess(process: ClaudeProcess): Tracked {
    const session = track(process.pid, process.startTime, {
      type: 'process-seen',
      at: clock.now(),
      kind: process.kind,
      entrypoint: process.entrypoint,
      cwd: process.cwd,
      configDir: process.configDir,
      startedAt: startedAt(process.startTime),
    });
    const given = sessionIdIn(process.arguments);
    if (session.sessionId === null && given !== null) renew(session, given, session.startedAt);
    return session;
  }

  /** A newer id is known. One of the future was told before the clock was set back. */
  const isOutdated = ({ sessionIdAt }: Tracked, at: number) => at < sessionIdAt && sessionIdAt <= clock.now();

  /** A new id of the same process: /clear, /resume. The first one is no news, but must be told. */
  function renew(session: Tracked, sessionId: string, at: number): void {
    if (session.sessionId === sessionId || isOutdated(session, at)) return;
    const isFirst = session.sessionId === null;
    session.sessionId = sessionId;
    session.sessionIdAt = at;
    transcripts.leave(session);
    observe(session.key, {
      type: 'session-renewed',
      at: isFirst ? session.startedAt : at,
      sessionId,
      how: isFirst ? 'startup' : 'other',
    });
  }

  function gone(session: Tracked): void {
    if (tracked.get(session.key.pid) !== session) return;
    tracked.delete(session.key.pid);
    session.transcript?.close();
    observe(session.key, { type: 'process-gone', at: clock.now() });
  }

  function lookForProcesses(): void {
    processes = scan.scan();
    for (const process of processes) follow(process.configDir);
    for (const process of processes) {
      const wanted = process.role === 'session' && process.hasTerminal;
      if (wanted && !hasFile(process.pid)) trackProcess(process);
    }
  }

  function readAll(): void {
    if (stopped) return;
    endings.look();
    for (const files of folders) files.readAll(shortages.missed() ? () => false : isSettled);
    lookForProcesses();
    for (const session of tracked.values()) {
      transcripts.follow(session);
      session.transcript?.read();
    }
    readPorts();
    shortages.over();
  }

  function readPorts(): void {
    for (const [pid, listening] of ports.look([...tracked.keys()]) ?? []) {
      const session = tracked.get(pid);
      if (session === undefined || listening.join() === session.ports) continue;
      session.ports = listening.join();
      observe(session.key, { type: 'ports', at: clock.now(), ports: listening });
    }
  }

  /** Looks at a process of which nothing is known yet. */
  function meet(pid: number): void {
    for (const files of folders) files.read(pid);
    if (tracked.has(pid)) return;
    const process = readClaudeProcess(pid, home);
    if (process?.role !== 'session') return;
    follow(process.configDir);
    if (!tracked.has(pid) && !hasFile(pid)) trackProcess(process);
  }

  /** Which session sent the hook: its pid tells, and its session id only where no two processes share it. */
  function senderOf(body: HookBody, pid: number | null): Tracked | null {
    if (pid !== null) {
      const known = tracked.get(pid);
      if (known !== undefined && attempt(() => endings.goesOn(known)) !== false) return known;
      attempt(() => meet(pid));
      const session = tracked.get(pid);
      if (session !== undefined) return session;
    }
    const sharing = [...tracked.values()].filter(
      ({ sessionId }) => sessionId !== null && sessionId === body.session_id,
    );
    return sharing.length === 1 ? (sharing[0] ?? null) : null;
  }

  function hook(json: string, sender: HookSender): HookHeard {
    const parsed = parseHook(json);
    if ('error' in parsed) return parsed;
    const { body } = parsed;
    const session = senderOf(body, sender.pid);
    if (session === null) return { error: 'no running session has sent this hook' };
    const at = sender.start ?? arrival(session);
    const observations = observationsOf(body, { at, sessionId: session.sessionId });
    for (const observation of observations) {
      if (observation.type !== 'session-renewed') continue;
      renewedByHook(session, observation);
    }
    if (session.sessionId === null && body.session_id !== undefined) renew(session, body.session_id, at);
    attempt(() => transcripts.told(session, body.transcript_path));
    for (const observation of observations) {
      if (observation.type !== 'session-renewed') hear(session, observation);
    }
    if (body.hook_event_name === 'SessionEnd' && body.reason !== 'clear') endings.lookSoon();
    const event = body.hook_event_name;
    return { key: session.key, event, agent: body.agent_id ?? null, asks: asksIn(body) };
  }

  /** Of two hooks that do not say when they began, the one that came last is the newer one. */
  function arrival(session: Tracked): number {
    session.arrivedAt = nextAfter(session.arrivedAt, clock.now());
    return session.arrivedAt;
  }

  function renewedByHook(session: Tracked, seen: Extract<Observation, { type: 'session-renewed' }>): void {
    if (isOutdated(session, seen.at)) return;
    if (session.sessionId !== seen.sessionId) transcripts.leave(session);
    session.sessionId = seen.sessionId;
    session.sessionIdAt = seen.at;
    hear(session, seen);
  }

  function hear(session: Tracked, observation: Observation): void {
    session.heardAt = clock.now();
    observe(session.key, observation);
  }

  /** Nothing was told since its file was last read, which stands for itself then: it need not be read again. */
  function isSettled(pid: number): boolean {
    const session = tracked.get(pid);
    return (
      session !== undefined &&
      session.seen.kind !== 'background' &&
      session.readAt > session.heardAt + settling
    );
  }

  return {
    async start() {
      attempt(() => {
        for (const configDir of configDirs) follow(configDir);
      });
      attempt(readAll);
    },
    async stop() {
      stopped = true;
      endings.stop();
      shortages.stop();
      for (const files of folders) files.close();
      for (const session of tracked.values()) session.transcript?.close();
    },
    hook,
    refresh: () => attempt(readAll),
    recheck() {
      if (stopped) return;
      attempt(() => {
        endings.glance();
        lookForProcesses();
      });
    },
    isStopped: ({ pid, startTime }) => isStopped(pid, startTime),
    attachedBy(key) {
      const session = tracked.get(key.pid);
      if (session?.seen.kind !== 'background') return null;
      processes = attempt(() => scan.scan()) ?? processes;
      const background = [...tracked.values()].filter(({ seen }) => seen.kind === 'background');
      const named = background.map((other) => ({ ...other.job, sessionId: other.sessionId, session: other }));
      return processes
        .filter((process) => process.role === 'attach' && attachedTo(process, named)?.session === session)
        .map(({ pid }) => pid);
    },
    attachId: (key) => tracked.get(key.pid)?.job.jobId ?? null,
    notice() {
      const known = [...configDirs, ...folders.map(({ configDir }) => configDir)];
      if (tracked.size > 0 || known.some((configDir) => existsSync(configDir))) return null;
      return 'Claude Code is not installed: no ~/.claude';
    },
  };
}

/** The time alone does not make it another process. */
function isSameProcess(a: ProcessSeen, b: ProcessSeen): boolean {
  return a.kind === b.kind && a.entrypoint === b.entrypoint && a.cwd === b.cwd && a.configDir === b.configDir;
}
