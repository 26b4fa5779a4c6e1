import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Setup } from './settings.ts';

export interface Status {
  readonly status: 'idle' | 'busy' | 'waiting' | 'shell';
  readonly waitingFor?: string;
}

/** Every UTF-16 unit outside of [A-Za-z0-9] becomes `-`. */
export const encoded = (cwd: string) => cwd.replace(/[^A-Za-z0-9]/g, '-');

export interface SessionFile {
  /** Rewrites the file where it is, same inode, when something changed. */
  write(status: Status | null): void;
  rename(name: string): void;
  renew(sessionId: string): void;
  /** Fields that the file is to have from now on, over its own. */
  override(fields: Readonly<Record<string, unknown>>): void;
  raw(text: string): void;
  remove(): void;
}

function machine(): string {
  try {
    return readFileSync('/etc/machine-id', 'utf8').trim();
  } catch {
    return '00000000000000000000000000000000';
  }
}

/** `sessions/<pid>.json`, with the fields that each version has. */
export function sessionFile(options: {
  readonly setup: Setup;
  readonly configDir: string;
  readonly cwd: string;
  readonly sessionId: string;
  readonly entrypoint: string;
  readonly tmux: string | null;
  readonly name: string | null;
}): SessionFile {
  const { setup, configDir, cwd } = options;
  const { pid } = process;
  const folder = join(configDir, 'sessions');
  const file = join(folder, `${pid}.json`);
  const key = join(folder, `${pid}.${pid.toString(16)}.key`);
  const isNew = setup.version === '2.1.332';
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const procStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const startedAt = Date.now();
  let { sessionId } = options;
  let name = options.name ?? `${basename(cwd)}-${(pid & 0xff).toString(16).padStart(2, '0')}`;
  let nameSource: 'user' | 'derived' = options.name === null ? 'derived' : 'user';
  let nameSince = startedAt;
  let last: Status | null = null;
  let statusUpdatedAt = 0;
  let overrides: Readonly<Record<string, unknown>> = {};

  function save(): void {
    if (!setup.sessionFiles) return;
    const value = {
      pid,
      sessionId,
      cwd,
      startedAt,
      procStart,
      version: setup.version,
      peerProtocol: 1,
      ...(isNew && { peerFeatures: ['notify_idle', 'reply_across_default_dirs', 'artifact_yield'] }),
      kind: setup.kind,
      entrypoint: options.entrypoint,
      ...(isNew && {
        pidDomain: `linux:${machine()}:${readlinkSync('/proc/self/ns/pid')}`,
        asksForConvertedSkills: null,
        ...(options.tmux !== null && { tmux: options.tmux }),
        messagingSocketPath: `/tmp/cc-socks/${pid}.sock`,
      }),
      name,
      ...(setup.kind === 'interactive' && { nameSource }),
      ...(isNew && { nameSince }),
      ...(setup.kind === 'bg' && { jobId: sessionId.slice(0, 8) }),
      ...(setup.spare && { spare: true }),
      ...(last !== null && { status: last.status, updatedAt: Date.now(), statusUpdatedAt }),
      ...(last?.waitingFor !== undefined && { waitingFor: last.waitingFor }),
      ...overrides,
    };
    writeFileSync(file, JSON.stringify(value), { mode: 0o644 });
  }

  if (setup.sessionFiles) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (isNew) writeFileSync(key, randomUUID(), { mode: 0o600 });
  }
  return {
    write: (status) => {
      if (status !== null && status.status === last?.status && status.waitingFor === last.waitingFor) return;
      last = status;
      statusUpdatedAt = Date.now();
      save();
    },
    rename: (to) => {
      name = to;
      nameSource = 'user';
      nameSince = Date.now();
      save();
    },
    renew: (id) => {
      sessionId = id;
      save();
    },
    override: (fields) => {
      overrides = { ...overrides, ...fields };
      save();
    },
    raw: (text) => writeFileSync(file, text),
    remove: () => {
      rmSync(file, { force: true });
      rmSync(key, { force: true });
    },
  };
}

export interface Transcript {
  readonly path: string;
  /** A line that belongs to the conversation: chained to the one before, with time, if it has none, and folder. */
  chained(line: Readonly<Record<string, unknown>>): void;
  plain(line: Readonly<Record<string, unknown>>): void;
  raw(text: string): void;
}

/** Appends to `projects/<folder>/<session id>.jsonl`, or to that of a sub-agent. The file comes with its first line. */
export function transcript(options: {
  readonly version: string;
  readonly configDir: string;
  readonly project: string;
  readonly cwd: () => string;
  readonly sessionId: string;
  readonly entrypoint: string;
  readonly agentId: string | null;
  readonly branch: string;
}): Transcript {
  const folder = join(options.configDir, 'projects', encoded(options.project));
  const { sessionId, agentId } = options;
  const subagents = join(folder, sessionId, 'subagents');
  const path =
    agentId === null ? join(folder, `${sessionId}.jsonl`) : join(subagents, `agent-${agentId}.jsonl`);
  let parentUuid: string | null = null;
  const raw = (text: string) => {
    mkdirSync(agentId === null ? folder : subagents, { recursive: true });
    appendFileSync(path, text, { mode: 0o600 });
  };
  const plain = (line: object) => raw(`${JSON.stringify(line)}\n`);
  return {
    path,
    raw,
    plain,
    chained: (line) => {
      const uuid = randomUUID();
      plain({
        parentUuid,
        isSidechain: agentId !== null,
        ...(agentId !== null && { agentId }),
        ...line,
        uuid,
        timestamp: line.timestamp ?? new Date().toISOString(),
        userType: 'external',
        entrypoint: options.entrypoint,
        cwd: options.cwd(),
        sessionId,
        version: options.version,
        gitBranch: options.branch,
      });
      parentUuid = uuid;
    },
  };
}
