import { existsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../system/find-program.ts';
import { findHookClient, type HookClient, type HookScripts, hookScripts } from './hook-script.ts';
import {
  denyRules,
  type Edited,
  type HookPaths,
  hooksSnippet,
  withHooks,
  withoutHooks,
} from './settings-edit.ts';
import {
  originalsIn,
  type ReadSettings,
  readOnlyReason,
  readSettings,
  SettingsChanged,
  writeSettings,
} from './settings-file.ts';

export type { HookScripts } from './hook-script.ts';
export { writeHookScript } from './hook-script.ts';
export { hooksStatus } from './hooks-status.ts';
export type { HookPaths };
export { denyRules };

/** The hooks of one config dir. */
export interface HooksTarget {
  readonly configDir: string;
  readonly hooks: HookPaths;
  /** tsmux's state folder: keeps what settings.json was before. */
  readonly stateDir: string;
}

export type SettingsProblem =
  | { readonly kind: 'does-not-parse'; readonly line: number; readonly column: number; readonly what: string }
  | { readonly kind: 'cannot-read'; readonly code: string }
  | { readonly kind: 'read-only'; readonly why: string; readonly snippet: string }
  | { readonly kind: 'cannot-write'; readonly code: string }
  | { readonly kind: 'keeps-changing' };

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly file: string; readonly problem: SettingsProblem };

/** What would be done to one settings.json. `after` is null when the file would be removed: tsmux had made it. */
export interface SettingsPlan {
  readonly action: 'install' | 'remove';
  readonly target: HooksTarget;
  /** As the user knows it; a link is written through. */
  readonly file: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly changes: boolean;
  /** Whether rules are added that deny Claude's own tools to answer its prompts. */
  readonly deny: boolean;
}

/** Where the scripts are installed in tsmux's data folder. */
export function hookPaths(dataDir: string): HookPaths {
  return { event: join(dataDir, 'hook'), hold: join(dataDir, 'hold') };
}

/** The scripts for this machine, and the client that they use. */
export function hookScriptsFor(options: {
  readonly socket: string;
  readonly node: string;
  readonly tsmux: string;
  readonly path: string | undefined;
}): { readonly scripts: HookScripts; readonly client: HookClient } {
  const client = findHookClient(options.path);
  const cat = findProgram('cat', options.path) ?? '/bin/cat';
  return { client, scripts: hookScripts({ ...options, client, cat }) };
}

/** Reads and plans; writes nothing. */
export function planInstall(
  target: HooksTarget,
  options: { readonly deny: boolean } = { deny: false },
): Outcome<SettingsPlan> {
  return plan('install', target, options.deny);
}

export function planRemove(target: HooksTarget): Outcome<SettingsPlan> {
  return plan('remove', target, false);
}

function plan(action: SettingsPlan['action'], target: HooksTarget, deny: boolean): Outcome<SettingsPlan> {
  const file = join(target.configDir, 'settings.json');
  const read = readSettings(file);
  if (!read.ok) return problem(file, { kind: 'cannot-read', code: read.code });
  const desired = desiredFrom(action, target, deny, file, read.bytes);
  if (!desired.ok) return desired;
  const before = read.bytes?.toString('utf8') ?? null;
  const after = desired.value?.toString('utf8') ?? null;
  const planned = { action, target, file, before, after, changes: before !== after, deny };
  const why = planned.changes ? readOnlyReason(read.target) : null;
  return why === null
    ? { ok: true, value: planned }
    : problem(file, { kind: 'read-only', why, snippet: hooksSnippet(target.hooks) });
}

/** The bytes that the file should have; null: it should not be there. */
function desiredFrom(
  action: SettingsPlan['action'],
  { hooks, stateDir }: HooksTarget,
  deny: boolean,
  file: string,
  bytes: Buffer | null,
): Outcome<Buffer | null> {
  if (bytes === null && action === 'remove') return { ok: true, value: null };
  if (bytes !== null && action === 'remove') {
    const original = originalsIn(stateDir).before(file, bytes);
    if (original !== undefined) return { ok: true, value: original };
  }
  const text = bytes?.toString('utf8') ?? '';
  if (bytes !== null && !Buffer.from(text).equals(bytes)) {
    return problem(file, { kind: 'does-not-parse', line: 1, column: 1, what: 'it is not UTF-8' });
  }
  const edited: Edited = action === 'install' ? withHooks(text, hooks, deny) : withoutHooks(text, hooks);
  if (edited.ok) return { ok: true, value: Buffer.from(edited.text) };
  const { line, column, message } = edited;
  return problem(file, { kind: 'does-not-parse', line, column, what: message });
}

/** Claude Code writes the file too: what was planned is made again from what is there now. */
const attempts = 5;

/** Carries the plan out, on the file as it is now. */
export function apply({ action, target, file, deny }: SettingsPlan): Outcome<SettingsPlan> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const planned = plan(action, target, deny);
    if (!planned.ok || !planned.value.changes) return planned;
    const read = readSettings(file);
    if (!read.ok) return problem(file, { kind: 'cannot-read', code: read.code });
    if ((read.bytes?.toString('utf8') ?? null) !== planned.value.before) continue;
    try {
      write(planned.value, read);
      return planned;
    } catch (error) {
      if (error instanceof SettingsChanged) continue;
      return problem(file, {
        kind: 'cannot-write',
        code: (error as NodeJS.ErrnoException).code ?? String(error),
      });
    }
  }
  return problem(file, { kind: 'keeps-changing' });
}

function write({ action, target, file, after }: SettingsPlan, read: ReadSettings & { ok: true }): void {
  const originals = originalsIn(target.stateDir);
  if (after === null) {
    if (existsSync(read.target)) unlinkSync(read.target);
    return;
  }
  const bytes = Buffer.from(after);
  if (action === 'install') {
    // First what makes it undoable, then the change itself.
    originals.keep(file, originalOf(target, file, read.bytes), bytes);
  }
  writeSettings(read.target, bytes, read.bytes);
}

/** What the file was before tsmux; `undefined` when hooks of tsmux are in it and it was changed since. */
function originalOf(target: HooksTarget, file: string, bytes: Buffer | null): Buffer | null | undefined {
  if (bytes === null) return null;
  const known = originalsIn(target.stateDir).before(file, bytes);
  if (known !== undefined) return known;
  const without = withoutHooks(bytes.toString('utf8'), target.hooks);
  return without.ok && Buffer.from(without.text).equals(bytes) ? bytes : undefined;
}

function problem<T>(file: string, what: SettingsProblem): Outcome<T> {
  return { ok: false, file, problem: what };
}

/** A problem in words: why it is one, and what to do about it. */
export function problemInWords(what: SettingsProblem): { readonly why: string; readonly hint: string } {
  switch (what.kind) {
    case 'does-not-parse':
      return {
        why: `line ${what.line}, column ${what.column}: ${what.what}`,
        hint: 'nothing was changed; repair the file (Claude Code ignores all of it meanwhile) and try again',
      };
    case 'cannot-read':
      return {
        why: `it cannot be read (${what.code})`,
        hint: 'nothing was changed; look at what stands there, and at its permissions',
      };
    case 'read-only':
      return {
        why: what.why,
        hint: 'nothing was changed; put the hooks where the file is made (home-manager: programs.claude-code.settings)',
      };
    case 'cannot-write':
      return {
        why: `it cannot be written (${what.code})`,
        hint: 'the file is as it was; look at the permissions of its folder and the space on the disk',
      };
    case 'keeps-changing':
      return { why: 'it changes all the time', hint: 'nothing was changed; try again' };
  }
}

/** The plan as a diff: lines that go with `-`, lines that come with `+`, the file's name first. */
export function diffOf({ file, before, after, changes }: SettingsPlan): readonly string[] {
  if (!changes) return [`  ${file}: nothing to do`];
  return [
    `--- ${before === null ? '/dev/null' : file}`,
    `+++ ${after === null ? '/dev/null' : file}`,
    ...lineDiff(linesOf(before), linesOf(after)),
  ];
}

/** What ends with a line break has no empty line after it. */
function linesOf(text: string | null): readonly string[] {
  return text === null || text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** Longest common subsequence; settings are short. Unchanged lines are shown three around each change. */
function lineDiff(old: readonly string[], fresh: readonly string[]): string[] {
  const width = fresh.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      common[i * width + j] =
        old[i] === fresh[j]
          ? 1 + (common[(i + 1) * width + j + 1] ?? 0)
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  const lines: string[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      lines.push(`  ${old[i++]}`);
      j++;
    } else if (
      i < old.length &&
      (j >= fresh.length || (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      lines.push(`- ${old[i++]}`);
    } else lines.push(`+ ${fresh[j++]}`);
  }
  const near = (index: number) =>
    lines.slice(Math.max(0, index - 3), index + 4).some((line) => !line.startsWith(' '));
  return lines.filter((_line, index) => near(index));
}
