// A session that asks while its user is elsewhere, and what he is told of it.
import { expect } from 'vitest';
import { until } from '../support/until.ts';
import { type Lab, startLab } from './lab.ts';
import { type Asked, buttonStyle, dialogHears, nextPrompt, type Watch } from './notification-servers.ts';
import { type OpenSession, openSession } from './sessions.ts';

export interface World {
  readonly lab: Lab;
  readonly web: OpenSession;
}

/** A session on another workspace than the user's, with tsmux's hooks. */
export async function aWorld(): Promise<World> {
  const lab = await startLab();
  lab.write('.claude/settings.json', '{}');
  lab.write('.config/gtk-3.0/gtk.css', buttonStyle);
  expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
  return { lab, web: await openSession(lab, { name: 'web', workspace: '3: web' }) };
}

export const stateOf = async ({ lab }: World): Promise<string | undefined> =>
  JSON.parse((await lab.tsmux(['list', '--json'])).stdout).sessions[0]?.state;

export const is = (world: World, state: string) =>
  until(async () => (await stateOf(world)) === state, {
    why: `the session to be ${state}`,
    saw: () => stateOf(world),
  });

/** Claude asks while the user is elsewhere; gives the notification. */
export async function asks(world: World, watch: Watch, scenario = 'bash'): Promise<Asked> {
  // A test that failed must not fail those after it.
  if ((await stateOf(world)) === 'needs-input') await settle(world);
  const before = watch.asked().length;
  await world.lab.i3.command('workspace 1');
  await is(world, 'idle');
  world.web.prompt(`SCN:${scenario} please`);
  return nextPrompt(watch, before);
}

/** Ends the prompt in the terminal, and what follows. */
export async function settle(world: World): Promise<void> {
  await dialogHears(world.lab);
  await world.web.step({ do: 'press', key: '1' });
  await until(async () => /^(review|idle)$/.test((await stateOf(world)) ?? ''), {
    why: 'the end of the turn',
  });
  await world.lab.tsmux(['seen']);
}

export const middle = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
  [x + Math.floor(width / 2), y + Math.floor(height / 2)] as const;
