import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod/mini';
import type { Check } from '../system/check.ts';
import { systemClock } from '../system/clock.ts';
import { findProgram } from '../system/find-program.ts';
import { readRegularFile } from '../system/read-file.ts';
import { watchDirectory } from '../system/watch.ts';
import { findHookClient, type HookClient, type HookScripts } from './hook-script.ts';
import { type HooksStatus, hooksStatus } from './hooks-status.ts';
import { createProcessScan, type ProcessScan } from './processes.ts';
import type { HookPaths } from './settings-edit.ts';

export interface ClaudeCheckOptions {
  readonly home: string;
  readonly configDirs: readonly string[];
  readonly hooks: HookPaths;
  /** What the scripts would be if they were written now. */
  readonly scripts: HookScripts;
  /** PATH, as the user's shell has it. */
  readonly path: string | undefined;
  /** For tests: Claude Code's managed settings, and the process list. */
  readonly managedDir?: string;
  readonly scan?: ProcessScan;
}

/** Lines of `tsmux doctor` about Claude Code. Looks by itself; needs no daemon. */
export function check(options: ClaudeCheckOptions): readonly Check[] {
  const { home, configDirs, path } = options;
  const processes = (options.scan ?? createProcessScan(home)).scan();
  const dirs = [...new Set([...configDirs, ...processes.map(({ configDir }) => configDir)])];
  const present = dirs.filter((dir) => existsSync(dir));
  return [
    installed(path, present, configDirs),
    ...present.flatMap((dir) => [hooksIn(dir, options), ...leftovers(dir, options), watching(dir)]),
    scriptsIn(options),
    client(findHookClient(path)),
    ...managed(options.managedDir),
  ];
}

function installed(path: string | undefined, present: readonly string[], dirs: readonly string[]): Check {
  const name = 'Claude Code';
  const program = findProgram('claude', path);
  if (program === null && present.length === 0) {
    const hint = 'install Claude Code; tsmux finds it by itself then';
    return { name, status: 'absent', detail: `no program "claude" and no ${dirs.join(', ')}`, hint };
  }
  const versions = new Set([...(program === null ? [] : versionOf(program)), ...present.flatMap(versionsIn)]);
  const version = versions.size === 0 ? 'version not known' : [...versions].join(', ');
  return { name, status: 'ok', detail: `${version}; ${present.join(', ') || 'never started'}`, hint: null };
}

/** Of a native installation the file is named by its version; asking the program itself would take a second. */
function versionOf(program: string): readonly string[] {
  try {
    const name = basename(realpathSync(program));
    return /^\d+\.\d+\.\d+/.test(name) ? [name] : [];
  } catch {
    return [];
  }
}

const Versioned = z.looseObject({ version: z.string() });

/** Versions of the sessions that run. */
function versionsIn(configDir: string): readonly string[] {
  try {
    return readdirSync(join(configDir, 'sessions'))
      .filter((name) => /^\d+\.json$/.test(name))
      .flatMap((name) => {
        const parsed = Versioned.safeParse(readJson(join(configDir, 'sessions', name)));
        return parsed.success && /^[\w.-]{1,30}$/.test(parsed.data.version) ? [parsed.data.version] : [];
      });
  } catch {
    return [];
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readText(file) ?? '');
  } catch {
    return null;
  }
}

/** Null where there is no such file, or nothing that can be read. */
function readText(file: string): string | null {
  try {
    return readRegularFile(file, 1024 * 1024).toString('utf8');
  } catch {
    return null;
  }
}

function hooksIn(configDir: string, { hooks, configDirs }: ClaudeCheckOptions): Check {
  const name = `hooks in ${configDir}`;
  const status = hooksStatus(configDir, hooks);
  const elsewhere = configDir === configDirs[0] ? '' : ` --config-dir ${configDir}`;
  const hint = `run: tsmux setup${elsewhere}`;
  switch (status.state) {
    case 'unreadable':
      return { name, status: 'broken', detail: status.detail, hint: 'repair settings.json' };
    case 'missing':
      return {
        name,
        status: 'absent',
        detail: 'not installed; states are still right, but later and with less detail',
        hint,
      };
    case 'stale':
    case 'nowhere':
      return { name, status: 'broken', detail: status.detail, hint };
    case 'installed':
      return status.disabled
        ? {
            name,
            status: 'warning',
            detail:
              'installed, but "disableAllHooks" is on: they do not run; states are still right, but later',
            hint: 'take "disableAllHooks" out of settings.json',
          }
        : { name, status: 'ok', detail: 'installed', hint: null };
  }
}

function leftovers(configDir: string, { hooks }: ClaudeCheckOptions): readonly Check[] {
  const { others }: HooksStatus = hooksStatus(configDir, hooks);
  if (others.length === 0) return [];
  return [
    {
      name: `other tools in ${configDir}`,
      status: 'warning',
      detail: `hooks of ${others.join(' and ')} are still in settings.json`,
      hint: 'take them out if you use tsmux instead',
    },
  ];
}

function watching(configDir: string): Check {
  const watch = watchDirectory(join(configDir, 'sessions'), { clock: systemClock, changed: () => {} });
  const mode = watch.mode();
  watch.close();
  const name = `changes in ${configDir}`;
  return mode.kind === 'native'
    ? { name, status: 'ok', detail: 'heard at once (inotify)', hint: null }
    : {
        name,
        status: 'warning',
        detail: `looked for several times a second: ${mode.why}`,
        hint: mode.why.startsWith('inotify')
          ? 'raise fs.inotify.max_user_watches or max_user_instances'
          : null,
      };
}

function scriptsIn({ hooks, scripts }: ClaudeCheckOptions): Check {
  const name = 'hook scripts';
  const both = [
    [hooks.event, scripts.event],
    [hooks.hold, scripts.hold],
  ] as const;
  const absent = both.find(([path]) => !existsSync(path));
  if (absent !== undefined) {
    return { name, status: 'absent', detail: `no ${absent[0]}`, hint: 'run: tsmux setup' };
  }
  const stale = both.find(([path, wanted]) => readText(path) !== wanted);
  return stale === undefined
    ? { name, status: 'ok', detail: both.map(([path]) => path).join(', '), hint: null }
    : {
        name,
        status: 'warning',
        detail: `${stale[0]} is of another version of tsmux, or for another XDG_RUNTIME_DIR`,
        hint: 'run: tsmux setup',
      };
}

function client(found: HookClient): Check {
  const name = 'hook client';
  if (found.kind !== 'node')
    return { name, status: 'ok', detail: `${found.kind} (${found.path})`, hint: null };
  return {
    name,
    status: 'warning',
    detail: 'none of nc (OpenBSD), socat, curl: each prompt starts Node.js',
    hint: 'install netcat-openbsd, then run: tsmux setup',
  };
}

const Managed = z.looseObject({
  disableAllHooks: z.optional(z.unknown()),
  allowManagedHooksOnly: z.optional(z.unknown()),
});

/** Settings of the machine's administrator win over the user's. */
function managed(folder = '/etc/claude-code'): readonly Check[] {
  const files = [join(folder, 'managed-settings.json')];
  try {
    const parts = join(folder, 'managed-settings.d');
    files.push(...readdirSync(parts).map((name) => join(parts, name)));
  } catch {
    // There are none.
  }
  return files.flatMap((file) => {
    const parsed = Managed.safeParse(readJson(file));
    if (!parsed.success) return [];
    const { disableAllHooks, allowManagedHooksOnly } = parsed.data;
    if (disableAllHooks !== true && allowManagedHooksOnly !== true) return [];
    return [
      {
        name: 'managed settings',
        status: 'warning' as const,
        detail: `${file} forbids hooks of users; states are still right, but later and with less detail`,
        hint: 'ask whoever manages this machine',
      },
    ];
  });
}
