import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';

/** What the test that starts a stand-in says in its environment, as JSON in `STAND_IN`. */
export const Setup = z.object({
  version: z.enum(['2.1.332', '2.1.197']),
  /** False: as Claude Code was before it had session files. */
  sessionFiles: z.boolean(),
  kind: z.enum(['interactive', 'bg']),
  /** A background session that waits to be claimed. */
  spare: z.boolean(),
  entrypoint: z.nullable(z.string()),
  /** A Unix socket on which the test listens; null: nobody does. */
  control: z.nullable(z.string()),
});
export type Setup = z.infer<typeof Setup>;

const Handler = z.looseObject({
  type: z.string(),
  command: z.optional(z.string()),
  args: z.optional(z.array(z.string())),
  async: z.optional(z.boolean()),
  timeout: z.optional(z.number()),
});
export type Handler = z.infer<typeof Handler>;
const Group = z.looseObject({ matcher: z.optional(z.string()), hooks: z.array(Handler) });
const Settings = z.looseObject({
  disableAllHooks: z.optional(z.boolean()),
  hooks: z.optional(z.record(z.string(), z.array(Group))),
  permissions: z.optional(z.looseObject({ allow: z.optional(z.array(z.string())) })),
});

export interface Loaded {
  readonly handlers: (event: string, toolName: string | null) => readonly Handler[];
  readonly events: readonly string[];
  readonly allowed: readonly string[];
  /** Files that do not parse; none of their settings counts. */
  readonly malformed: readonly string[];
}

/** Settings of user, project and folder, as they are now: Claude Code follows changes of them while it runs. */
export function loadSettings(configDir: string, project: string): Loaded {
  const files = [
    join(configDir, 'settings.json'),
    join(project, '.claude/settings.json'),
    join(project, '.claude/settings.local.json'),
  ];
  const malformed: string[] = [];
  const all = files.flatMap((file) => {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      return [];
    }
    try {
      return [Settings.parse(JSON.parse(text))];
    } catch {
      malformed.push(file);
      return [];
    }
  });
  const disabled = all.some((settings) => settings.disableAllHooks === true);
  return {
    malformed,
    allowed: all.flatMap((settings) => settings.permissions?.allow ?? []),
    events: all.flatMap((settings) => Object.keys(settings.hooks ?? {})),
    handlers: (event, toolName) => {
      if (disabled) return [];
      const groups = all.flatMap((settings) => settings.hooks?.[event] ?? []);
      const matching = groups.filter(({ matcher = '' }) => {
        if (matcher === '' || matcher === '*' || toolName === null) return true;
        return new RegExp(`^(?:${matcher})$`).test(toolName);
      });
      // The same handler in several files runs once.
      return [
        ...new Map(
          matching.flatMap(({ hooks }) => hooks).map((hook) => [JSON.stringify(hook), hook]),
        ).values(),
      ];
    },
  };
}

const COMMON = [
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Notification', 'UserPromptSubmit'],
  ...[
    'UserPromptExpansion',
    'SessionStart',
    'SessionEnd',
    'Stop',
    'StopFailure',
    'SubagentStart',
    'SubagentStop',
  ],
  ...['PreCompact', 'PostCompact', 'PermissionRequest', 'PermissionDenied', 'Setup', 'TeammateIdle'],
  ...['TaskCreated', 'TaskCompleted', 'Elicitation', 'ElicitationResult', 'ConfigChange', 'WorktreeCreate'],
  ...['WorktreeRemove', 'InstructionsLoaded', 'CwdChanged', 'FileChanged', 'MessageDisplay'],
];

/** Event names that a version knows, as its own warning dialog lists them. */
export function knownEvents(version: Setup['version']): readonly string[] {
  return version === '2.1.197'
    ? COMMON
    : [...COMMON, 'PreModelSwitch', 'PostModelSwitch', 'DirectoryAdded', 'PreSkillShellCommand'];
}
