// What tests say of a bar and of those who write it.
import { until } from '../support/until.ts';
import type { Bar } from './bar.ts';
import type { LabProcess } from './processes.ts';
import type { Terminal } from './terminals.ts';
import type { WindowManager } from './window-manager.ts';

/** Those of sessions: without `notice` and `away`. */
export const ours = (bar: Bar) =>
  bar.blocks().filter(({ name, instance }) => name === 'tsmux' && !/^(notice|away)$/.test(instance ?? ''));
export const texts = (bar: Bar) => bar.blocks().map((block) => block.full_text.trim());

export async function shows(bar: Bar, which: string, text: string | RegExp): Promise<void> {
  await until(() => bar.block(which).sent.full_text.match(text) !== null, {
    why: `the block of ${which} to show ${text}`,
    saw: () => [texts(bar), bar.stderr()],
  });
}

export async function hasFocus(manager: WindowManager, terminal: Terminal | null): Promise<void> {
  const wanted = async () => (await terminal?.window())?.conId;
  await until(async () => terminal !== null && (await manager.focused())?.conId === (await wanted()), {
    why: `${terminal?.kind} with the container ${terminal?.conId} to have the focus`,
    saw: manager.windows,
  });
}

interface Inhabited {
  processes(): LabProcess[];
}

export const barClients = (lab: Inhabited) =>
  lab.processes().filter(({ command, status }) => / \S*tsmux i3bar\b/.test(command) && status !== 'Z');

export const daemons = (lab: Inhabited) =>
  lab.processes().filter(({ command }) => /tsmux\S* daemon\b/.test(command));

export const only = <T>(all: readonly T[]): T => {
  const [first] = all;
  if (first === undefined || all.length > 1) throw new Error(`one was expected, not ${JSON.stringify(all)}`);
  return first;
};
