import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Kind } from '../sessions/session.ts';
import { listPids, readCommandLine, readEnvironment, readProcessLink, readStat } from '../system/proc.ts';
import { kindOfEntrypoint } from './session-files.ts';

/** A Claude Code process, as /proc shows it. */
export interface ClaudeProcess {
  readonly pid: number;
  readonly startTime: number;
  readonly comm: string;
  /** `attach` shows a background session; `service` is Claude Code, but no session (daemon, MCP server, …). */
  readonly role: 'session' | 'attach' | 'service';
  readonly arguments: readonly string[];
  readonly hasTerminal: boolean;
  readonly parent: number;
  readonly cwd: string;
  readonly configDir: string;
  readonly kind: Kind;
  readonly entrypoint: string | null;
}

/** Commands of Claude Code that open no session. `attach` and `agents` show sessions of others. */
const services: ReadonlySet<string> = new Set([
  'agents',
  'auth',
  'auto-mode',
  'bg-pty-host',
  'bg-spare',
  'config',
  'daemon',
  'doctor',
  'install',
  'kill',
  'logs',
  'mcp',
  'migrate-installer',
  'plugin',
  'plugins',
  'respawn',
  'rm',
  'setup-token',
  'stop',
  'update',
  'upgrade',
]);

const runtimes: ReadonlySet<string> = new Set(['node', 'nodejs', 'bun', 'deno']);

/**
 * The arguments after the program, when the process is Claude Code; null when it is not. The native program is named
 * `claude`, or by its version under `…/claude/versions/`; older ones are a script that node runs, which calls itself
 * `claude` later on. What only mentions claude (`vim claude.md`, the shell of a Bash tool) has another program.
 *
 * @param exe target of /proc/PID/exe; null where it cannot be read: then it is not the user's own process.
 */
export function claudeArguments(
  exe: string | null,
  comm: string,
  argv: readonly string[],
): readonly string[] | null {
  if (exe === null) return null;
  const program = exe.replace(/ \(deleted\)$/, '');
  const name = basename(program);
  if (name === 'claude' || name === 'claude.exe' || /\/claude\/versions\/[^/]+$/.test(program)) {
    return argv.slice(1);
  }
  if (!runtimes.has(name)) return null;
  const script = argv.findIndex((argument, index) => index > 0 && !argument.startsWith('-'));
  if (/\/claude-code\/cli\.[cm]?js$/.test(argv[script] ?? '')) return argv.slice(script + 1);
  // npm's link in a `bin` folder; and process.title, which replaces the whole command line.
  if (script > 0 && basename(argv[script] ?? '') === 'claude' && comm !== 'npm')
    return argv.slice(script + 1);
  return comm === 'claude' && argv[0] === 'claude' ? argv.slice(1) : null;
}

/** What the process is to the user, by its first argument that is no option. */
export function roleOf(args: readonly string[]): ClaudeProcess['role'] {
  if (args.some((argument) => argument === '--bg-pty-host' || argument === '--bg-spare')) return 'service';
  const command = args.find((argument) => !argument.startsWith('-'));
  if (command === 'attach') return 'attach';
  return command !== undefined && services.has(command) ? 'service' : 'session';
}

function isPrint(args: readonly string[]): boolean {
  return args.some((argument) => argument === '-p' || argument === '--print');
}

/** The session id that was given on the command line. */
export function sessionIdIn(args: readonly string[]): string | null {
  const flag = args.findIndex((argument) => ['--session-id', '--resume', '-r'].includes(argument));
  const given = flag < 0 ? undefined : args[flag + 1];
  return given !== undefined && /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(given) ? given : null;
}

/** Null when the process is gone, is not Claude Code, or belongs to another user. @throws a shortage (`isShortage`). */
export function readClaudeProcess(pid: number, home: string): ClaudeProcess | null {
  const exe = readProcessLink(pid, 'exe');
  if (exe === null || !mayBeClaude(exe)) return null;
  const stat = readStat(pid);
  if (stat === null || stat.status === 'Z') return null;
  const args = claudeArguments(exe, stat.comm, readCommandLine(pid) ?? []);
  if (args === null) return null;
  const env = readEnvironment(pid);
  // Inside of Claude Code the variables are those of the session that started this one.
  const entrypoint = env?.get('CLAUDECODE') === '1' ? undefined : env?.get('CLAUDE_CODE_ENTRYPOINT');
  return {
    pid,
    startTime: stat.startTime,
    comm: stat.comm,
    role: roleOf(args),
    arguments: args,
    hasTerminal: stat.pts !== null,
    parent: stat.parent,
    cwd: (readProcessLink(pid, 'cwd') ?? '/').replace(/ \(deleted\)$/, ''),
    configDir: env?.get('CLAUDE_CONFIG_DIR') || `${env?.get('HOME') || home}/.claude`,
    kind: isPrint(args) ? 'print' : kindOfEntrypoint(entrypoint),
    entrypoint: entrypoint ?? null,
  };
}

/** Cheap: most programs are told from Claude Code by their path alone. */
function mayBeClaude(exe: string): boolean {
  const name = basename(exe.replace(/ \(deleted\)$/, ''));
  return exe.includes('claude') || runtimes.has(name);
}

/** Looks through /proc for Claude Code, reading again only what may have changed. */
export interface ProcessScan {
  /** All Claude Code processes of this user, ascending by pid. @throws a shortage (`isShortage`). */
  scan(): readonly ClaudeProcess[];
}

/** The same pid is read once in so many scans: `exec claude` in an old shell keeps the shell's pid. */
const rounds = 32;
/** A process is young for so many scans: it is forked first, and becomes another program then. */
const youngScans = 2;

export function createProcessScan(home: string): ProcessScan {
  /** Every pid, and for how many scans it has been known. */
  let known = new Map<number, number>();
  let found = new Map<number, ClaudeProcess>();
  let lastPid = 0;
  let round = 0;
  /** Scans since the last process was started. */
  let quiet = 0;

  return {
    scan() {
      const newest = newestPid();
      const quietNow = newest === lastPid ? quiet + 1 : 0;
      const reused = givenOutBetween(lastPid, newest);
      round = (round + 1) % rounds;
      const nextKnown = new Map<number, number>();
      const nextFound = new Map<number, ClaudeProcess>();
      // Where none was started since the last list, that has them all, and some that have ended.
      for (const pid of quietNow > 0 && newest > 0 ? known.keys() : listPids()) {
        const age = known.get(pid) ?? 0;
        nextKnown.set(pid, age + 1);
        const before = found.get(pid);
        if (before === undefined && age >= youngScans && pid % rounds !== round && !reused(pid)) continue;
        const process = before !== undefined && isSame(before) ? before : readClaudeProcess(pid, home);
        if (process !== null) nextFound.set(pid, process);
      }
      // A look that was broken off (see system/proc.ts) has found nothing out.
      lastPid = newest;
      quiet = quietNow;
      known = nextKnown;
      found = nextFound;
      return [...found.values()].filter((process) => !isForked(process, found));
    },
  };
}

/** exec keeps the pid, but changes the name. */
function isSame(process: ClaudeProcess): boolean {
  const stat = readStat(process.pid);
  return (
    stat !== null &&
    stat.status !== 'Z' &&
    stat.startTime === process.startTime &&
    stat.comm === process.comm &&
    stat.parent === process.parent
  );
}

/** Between fork and exec a child of Claude Code looks like its parent. */
function isForked(process: ClaudeProcess, found: ReadonlyMap<number, ClaudeProcess>): boolean {
  const parent = found.get(process.parent);
  return parent !== undefined && parent.arguments.join('\0') === process.arguments.join('\0');
}

/** proc_loadavg(5): the last field is the pid that was given out last. They are given out in ascending order. */
function newestPid(): number {
  try {
    return Number(readFileSync('/proc/loadavg', 'utf8').trim().split(' ').at(-1));
  } catch {
    return 0;
  }
}

/** Which pids were given out since then: such a pid belongs to a new process, even if it is known. */
function givenOutBetween(last: number, newest: number): (pid: number) => boolean {
  return newest >= last ? (pid) => pid > last && pid <= newest : (pid) => pid > last || pid <= newest;
}

/**
 * Which of the background sessions a `claude attach ID|NAME` shows: by the job's id, by the start of its session id, or
 * by a part of its name that no other has.
 */
export function attachedTo<T extends { jobId: string | null; sessionId: string | null; name: string | null }>(
  process: ClaudeProcess,
  sessions: readonly T[],
): T | null {
  const wanted = process.arguments.filter((argument) => !argument.startsWith('-'))[1];
  if (wanted === undefined || wanted === '') return null;
  const byId = sessions.filter(
    ({ jobId, sessionId }) => jobId === wanted || (wanted.length >= 8 && sessionId?.startsWith(wanted)),
  );
  if (byId.length > 0) return byId.length === 1 ? (byId[0] ?? null) : null;
  const byName = sessions.filter(({ name }) => name?.toLowerCase().includes(wanted.toLowerCase()));
  return byName.length === 1 ? (byName[0] ?? null) : null;
}
