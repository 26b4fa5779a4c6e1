import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import {
  type HookPaths,
  hookCommands,
  isOurs,
  outdatedEvents,
  settingOf,
  withHooks,
} from './settings-edit.ts';
import { readSettings } from './settings-file.ts';

/** How the hooks of one config dir are. `detail` says what is wrong, in words. */
export interface HooksStatus {
  readonly file: string;
  /** `stale`: not all of them, or of another tsmux; `nowhere`: the script that they name cannot be run. */
  readonly state: 'installed' | 'missing' | 'stale' | 'nowhere' | 'unreadable';
  readonly detail: string;
  /** "disableAllHooks" is on. */
  readonly disabled: boolean;
  /** Tools that did what tsmux does, and left hooks behind. */
  readonly others: readonly string[];
}

export function hooksStatus(configDir: string, hooks: HookPaths): HooksStatus {
  const file = join(configDir, 'settings.json');
  const read = readSettings(file);
  if (!read.ok) return unreadable(file, `settings.json cannot be read (${read.code})`);
  const text = read.bytes?.toString('utf8') ?? '{}';
  const edited = withHooks(text, hooks, false);
  if (!edited.ok) return unreadable(file, `line ${edited.line}, column ${edited.column}: ${edited.message}`);
  const outdated = outdatedEvents(text, hooks);
  const commands = hookCommands(text);
  const ours = commands.filter(({ command }) => isOurs(command, hooks));
  const common = {
    file,
    disabled: settingOf(text, 'disableAllHooks') === true,
    others: otherTools(commands.map(({ command }) => command)),
  };
  if (ours.length === 0) return { ...common, state: 'missing', detail: 'not installed' };
  const nowhere = ours.find(({ command }) => command.startsWith('/') && !isExecutable(command));
  if (nowhere !== undefined) {
    return { ...common, state: 'nowhere', detail: `they point to ${nowhere.command}, which cannot be run` };
  }
  return outdated.length === 0
    ? { ...common, state: 'installed', detail: 'installed' }
    : { ...common, state: 'stale', detail: `missing or out of date: ${outdated.join(', ')}` };
}

function unreadable(file: string, detail: string): HooksStatus {
  return { file, state: 'unreadable', detail, disabled: false, others: [] };
}

/** Its ancestors, which a user may have had before. */
function otherTools(commands: readonly string[]): readonly string[] {
  return ['vmux', 'purplemux'].filter((tool) =>
    commands.some((command) => new RegExp(`(?:^|[^a-z])${tool}(?:[^a-z]|$)`).test(command)),
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
