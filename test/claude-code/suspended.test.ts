import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type Desk, startDesk } from './desk.ts';
import { VERSIONS } from './real-claude.ts';
import { type User, userAt } from './user.ts';

describe.each(VERSIONS)('Claude Code %s, suspended', (version) => {
  let desk: Desk;
  let user: User;
  beforeAll(async () => {
    desk = await startDesk();
    user = userAt(desk.lab);
  });
  afterAll(() => desk?.stop());

  it('is told as it was, takes no answer, and takes it when it is brought back', async () => {
    const { claude, session } = await desk.open({ version, in: 'xterm', workspace: '3' });
    const marker = join(desk.world.folders.outside, 'x1');
    rmSync(marker, { force: true });
    const isStopped = () => / T /.test(readFileSync(`/proc/${claude.pid}/stat`, 'latin1'));
    await claude.type('SCN:bash please');
    const { id } = await session.asks(
      ({ answerable, options }) => answerable === 'hook' && options.length > 3,
    );
    await claude.ready();

    // What Ctrl-Z comes to. It has no shell around it that would bring it back; tmux would do so at once.
    process.kill(claude.pid, 'SIGSTOP');
    await until(isStopped, { why: 'it to be stopped' });
    const states = session.since();
    for (const key of ['1', '2']) {
      expect(await user.types('answer', '--to', id, key)).toMatchObject({
        status: 5,
        stderr: expect.stringMatching(/is suspended.*fg/s),
      });
    }
    await user.clicks('1 Yes');
    await until(async () => (await user.types('list')).stdout.includes('is suspended'), {
      why: 'the notice',
    });
    expect(session.now()?.prompts).toMatchObject([{ id, answerable: 'hook' }]);

    process.kill(claude.pid, 'SIGCONT');
    await until(() => !isStopped(), { why: 'it to go on' });
    expect(existsSync(marker)).toBe(false);
    await user.answers('--to', id, '1');
    await session.is('review', ({ prompts }) => prompts.length === 0);
    expect(existsSync(marker)).toBe(true);
    expect(states()).toEqual(['busy', 'review']);
  });
});
