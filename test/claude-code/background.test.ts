import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WireSession, WireSnapshot } from '../../src/daemon/wire.ts';
import type { DrivenClaude } from '../stand-in/driven.ts';
import { until } from '../support/until.ts';
import { type Desk, startDesk } from './desk.ts';
import { VERSIONS } from './real-claude.ts';

/** Its own daemon starts first, and a spare process; on a busy machine that takes a while. */
const PATIENT = { timeout: 90_000 };

describe.each(VERSIONS)('a background session of Claude Code %s', PATIENT, (version) => {
  let desk: Desk;
  let jobId: string;
  let viewer: DrivenClaude;

  beforeAll(async () => {
    desk = await startDesk();
    // Of its environment 2.1.197 gives a background session nothing.
    const { configDir } = desk.world.folders;
    const settings = JSON.parse(readFileSync(join(configDir, 'settings.json'), 'utf8')) as object;
    const { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY } = desk.world.env;
    desk.world.settings({ ...settings, env: { ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY } });
  }, 60_000);
  afterAll(() => desk?.stop());

  async function sessions(): Promise<readonly WireSession[]> {
    const { stdout } = await desk.lab.tsmux(['list', '--json']);
    return (JSON.parse(stdout) as WireSnapshot).sessions;
  }
  /** The only session that there is. */
  const becomes = (holds: (session: WireSession) => boolean): Promise<WireSession> =>
    until(
      async () => {
        const [only, ...others] = await sessions();
        return only !== undefined && others.length === 0 && holds(only) && only;
      },
      { why: 'one session', limit: 60_000, saw: async () => [await sessions(), await viewer?.screen()] },
    );

  it('is listed with what it asks, and is nowhere', async () => {
    const args = ['--bg', 'SCN:bash please'];
    const starts = await desk.world.start({ version, in: 'pty', args, early: true });
    const said = /backgrounded · (\w{8})/;
    await until(async () => said.test(await starts.screen()), { why: 'its id', limit: 60_000 });
    jobId = said.exec(await starts.screen())?.[1] ?? '';
    const { kind, place } = await becomes(({ state }) => state === 'needs-input');
    expect(kind).toBe('background');
    expect(place.certainty).toBe('none');
    expect(place.reason).toContain('no window shows it');
  });

  it('is in the window where it is attached, and is still one session', async () => {
    const args = ['attach', jobId];
    viewer = await desk.world.start({ version, in: 'xterm', mode: null, args, early: true });
    await viewer.shows('❯ 1. Yes');
    const { place } = await becomes(({ place }) => place.certainty === 'exact');
    expect(place.window?.id).toBe(viewer.terminal.windowId);
  });

  it('is answered from outside, and done', async () => {
    const { prompts } = await becomes(({ prompts }) => prompts[0]?.answerable === 'hook');
    const answer = ['answer', '--to', prompts[0]?.id ?? '', '1'];
    expect(await desk.lab.tsmux(answer)).toMatchObject({ status: 0, stderr: '' });
    await viewer.shows('Done, the file exists now.');
    await becomes(({ state, lastMessage }) => {
      return ['review', 'idle'].includes(state) && lastMessage === 'Done, the file exists now.';
    });
  });

  it('is nowhere again when its window is closed, and gone when it is stopped', async () => {
    await viewer.terminal.close();
    await becomes(({ place }) => place.certainty === 'none');
    await desk.world.start({ version, in: 'pty', mode: null, args: ['stop', jobId], early: true });
    await until(async () => (await sessions()).length === 0, {
      why: 'its end',
      limit: 20_000,
      saw: sessions,
    });
  });
});
