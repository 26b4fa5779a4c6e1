import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import type { Lab } from './lab.ts';
import { builtProject } from './project.ts';

/** Keys and modes of contrib/i3/config, without its bar; $mod is the Super key. */
export function contribKeys(): string {
  const text = readFileSync(join(builtProject(), 'contrib/i3/config'), 'utf8');
  return `set $mod Mod4\n${text.replace(/^bar \{[^}]*\}$/m, '')}`;
}

/** Waits until i3 is in that mode. */
export async function inMode(lab: Lab, mode: string): Promise<void> {
  const now = async () => JSON.parse(await lab.output('i3-msg', ['-t', 'get_binding_state'])).name;
  await until(async () => (await now()) === mode, { why: `the mode ${mode}`, saw: now });
}

/** Waits until what keys have started is over: i3 has taken them, and none of their commands runs any more. */
export async function keysAreDone(lab: Lab): Promise<void> {
  await lab.output('i3-msg', ['-t', 'get_binding_state']);
  const running = () => lab.processes().filter(({ command }) => /tsmux\S* (answer|pin)\b/.test(command));
  await until(() => running().length === 0, { why: 'the commands to end', limit: 10_000, saw: running });
}
