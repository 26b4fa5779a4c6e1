import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { DrivenClaude } from './driven.ts';

/** Events that every version since 2.1.197 knows. */
const COMMON_EVENTS = [
  'SessionStart',
  'SessionEnd',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionRequest',
  'Notification',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'CwdChanged',
] as const;

const Recorded = z.object({
  /** When the hook started, ms since the epoch. */
  at: z.number(),
  /** Empty where Claude Code sets no CLAUDE_PID (2.1.197). */
  claudePid: z.string(),
  parent: z.number(),
  body: z.looseObject({ hook_event_name: z.string(), session_id: z.string() }),
});
export type Recorded = z.infer<typeof Recorded>;

/** A hook that writes down what it was called with. One append for each call, so that calls do not mix. */
const SCRIPT = `#!/bin/sh
at=$(date +%s%3N)
body=$(cat)
printf '{"at":%s,"claudePid":"%s","parent":%s,"body":%s}\\n' "$at" "$CLAUDE_PID" "$PPID" "$body" >> "$1"
`;

/** Holds a prompt until the test lets it answer, and writes down when it gets SIGTERM. */
const HOLDER = `#!/bin/sh
cat > /dev/null
trap 'echo term >> "$1/signals"; exit 0' TERM
echo $$ >> "$1/held"
until [ -e "$1/answer" ]; do
  # The test has ended, and took its folder with it.
  [ -d "$1" ] || exit 0
  sleep 0.02
done
cat "$1/answer"
`;

export interface Recorder {
  /** For `hooks` in settings.json: every event goes to the recorder. */
  readonly hooks: Readonly<Record<string, readonly object[]>>;
  calls(): readonly Recorded[];
  /** The names of the events in the order in which their hooks started. */
  names(): readonly string[];
}

/** @param folder of the recorder's own; must be writable by whom Claude Code runs as. */
export function recorder(folder: string, events: readonly string[] = COMMON_EVENTS): Recorder {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  const script = join(folder, 'record.sh');
  writeFileSync(script, SCRIPT, { mode: 0o755 });
  const file = join(folder, 'calls');
  const hooks = Object.fromEntries(
    events.map((event) => [event, [{ hooks: [{ type: 'command', command: script, args: [file] }] }]]),
  );
  const calls = () => {
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n');
    return lines.slice(0, -1).map((line) => Recorded.parse(JSON.parse(line)));
  };
  return { hooks, calls, names: () => calls().map((call) => call.body.hook_event_name) };
}

export interface Holder {
  readonly hooks: Readonly<Record<string, readonly object[]>>;
  /** Pids of the hooks that were started. */
  held(): readonly number[];
  /** How many of them got SIGTERM. */
  signals(): number;
  answer(output: object | ''): void;
}

/** A PermissionRequest hook that holds each prompt until `answer`. */
export function holder(folder: string): Holder {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  const script = join(folder, 'hold.sh');
  writeFileSync(script, HOLDER, { mode: 0o755 });
  const words = (name: string) => {
    const file = join(folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  };
  const hook = { type: 'command', command: script, args: [folder], timeout: 86_400 };
  return {
    hooks: { PermissionRequest: [{ hooks: [hook] }] },
    held: () => words('held').map(Number),
    signals: () => words('signals').length,
    answer: (output) => writeFileSync(join(folder, 'answer'), output === '' ? '' : JSON.stringify(output)),
  };
}

/** The statuses that the session file went through since the call, as `busy`, `waiting: permission prompt`, … */
export function watchStatus(claude: Pick<DrivenClaude, 'sessionFile'>): {
  readonly seen: readonly string[];
  stop(): void;
} {
  const seen: string[] = [];
  const look = () => {
    const file = claude.sessionFile();
    if (file === null) return;
    const word = file.waitingFor === undefined ? `${file.status}` : `${file.status}: ${file.waitingFor}`;
    if (seen.at(-1) !== word) seen.push(word);
  };
  look();
  const timer = setInterval(look, 5);
  const stop = () => {
    clearInterval(timer);
    look();
  };
  return { seen, stop };
}
