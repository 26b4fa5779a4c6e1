import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Claude, createClaude } from '../../src/claude/claude.ts';
import type { ClaudeProcess } from '../../src/claude/processes.ts';
import type { Observation } from '../../src/sessions/observation.ts';
import { systemClock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import { readStat } from '../../src/system/proc.ts';
import { until } from '../support/until.ts';

const fixtures = join(import.meta.dirname, '../fixtures/claude');

export function fixture(path: string): string {
  return readFileSync(join(fixtures, path), 'utf8');
}

export function fixtureJson(path: string): Record<string, unknown> {
  return JSON.parse(fixture(path));
}

/** A process that stands for Claude Code in all but its program. */
export interface FakeProcess {
  readonly pid: number;
  readonly startTime: number;
  kill(): Promise<void>;
}

/** A home with a config dir in it, and processes that have session files there. */
export interface ClaudeHome {
  readonly home: string;
  readonly configDir: string;
  readonly observed: { readonly pid: number; readonly seen: Observation }[];
  readonly claude: Claude;
  process(): FakeProcess;
  /** Writes `sessions/<pid>.json` in place, as Claude Code does. */
  sessionFile(process: FakeProcess, fields?: Readonly<Record<string, unknown>>): string;
  transcript(sessionId: string, lines: readonly string[], cwd?: string): string;
  /** What was observed of this process, in order. */
  of<T extends Observation['type']>(
    process: { readonly pid: number },
    type: T,
  ): Extract<Observation, { type: T }>[];
  sees(process: { readonly pid: number }, type: Observation['type']): Promise<unknown>;
  end(): Promise<void>;
}

export function claudeHome(
  options: {
    readonly configDir?: string;
    /** What the process list shows as Claude Code; else nothing. */
    readonly scan?: () => readonly ClaudeProcess[];
  } = {},
): ClaudeHome {
  const home = mkdtempSync(join(tmpdir(), 'tsmux-home-'));
  const configDir = options.configDir ?? join(home, '.claude');
  const observed: { pid: number; seen: Observation }[] = [];
  const children: ChildProcess[] = [];
  const claude = createClaude({
    clock: systemClock,
    log: silentLog,
    home,
    configDirs: [configDir],
    observe: (key, seen) => observed.push({ pid: key.pid, seen }),
    // Whatever else runs on the machine of the tests is none of theirs.
    scan: { scan: options.scan ?? (() => []) },
  });

  const of: ClaudeHome['of'] = (process, type) =>
    observed.flatMap(({ pid, seen }) =>
      pid === process.pid && seen.type === type ? [seen as Extract<Observation, { type: typeof type }>] : [],
    );

  return {
    home,
    configDir,
    observed,
    claude,
    process() {
      const child = spawn('sleep', ['600']);
      children.push(child);
      const pid = child.pid ?? 0;
      return {
        pid,
        startTime: readStat(pid)?.startTime ?? 0,
        async kill() {
          const ended = once(child, 'exit');
          child.kill('SIGKILL');
          await ended;
        },
      };
    },
    sessionFile(process, fields = {}) {
      const file = join(configDir, 'sessions', `${process.pid}.json`);
      mkdirSync(join(configDir, 'sessions'), { recursive: true });
      const content = {
        ...fixtureJson('sessions/interactive-cli-idle.json'),
        pid: process.pid,
        procStart: String(process.startTime),
        // That of the fixture is of no container.
        pidDomain: `linux:${'0'.repeat(32)}:${readlinkSync('/proc/self/ns/pid')}`,
        ...fields,
      };
      writeFileSync(file, JSON.stringify(content));
      return file;
    },
    transcript(sessionId, lines, cwd = '-home-ada-code-webshop') {
      const folder = join(configDir, 'projects', cwd);
      mkdirSync(folder, { recursive: true });
      const file = join(folder, `${sessionId}.jsonl`);
      writeFileSync(file, lines.map((line) => `${line.trim()}\n`).join(''));
      return file;
    },
    of,
    sees: (process, type) => until(() => of(process, type).length > 0, { why: `${type} of ${process.pid}` }),
    async end() {
      await claude.stop();
      for (const child of children) child.kill('SIGKILL');
      rmSync(home, { recursive: true });
    },
  };
}
