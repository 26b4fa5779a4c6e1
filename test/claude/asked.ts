import { readFileSync } from 'node:fs';
import { observationsOf, parseHook } from '../../src/claude/hooks.ts';
import type { AskedPrompt } from '../../src/sessions/prompt.ts';

/** The stdin of one hook call of the real Claude Code. */
export const hookJson = (name: string): string =>
  readFileSync(`test/fixtures/claude/hooks/${name}.json`, 'utf8');

export function asked(
  name: string,
  change: (body: Record<string, unknown>) => object = (body) => body,
): AskedPrompt {
  const parsed = parseHook(JSON.stringify(change(JSON.parse(hookJson(name)))));
  if ('error' in parsed) throw new Error(parsed.error);
  for (const told of observationsOf(parsed.body, { at: 1, sessionId: null })) {
    if (told.type === 'prompt-asked') return told.prompt;
  }
  throw new Error(`${name} asks nothing`);
}

export const bash = (command: string): AskedPrompt =>
  asked('PermissionRequest.Bash', (body) => ({ ...body, tool_input: { command } }));
