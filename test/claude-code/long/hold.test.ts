import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startDesk } from '../desk.ts';
import { VERSIONS } from '../real-claude.ts';

const minute = 60_000;

describe.concurrent.each(VERSIONS)('Claude Code %s', (version) => {
  it('still takes an answer through its hook after eleven minutes', { timeout: 15 * minute }, async ({
    onTestFinished,
  }) => {
    const desk = await startDesk();
    onTestFinished(() => desk.stop());
    const { claude, session } = await desk.open({ version, in: 'xterm', workspace: '2' });
    await claude.type('SCN:bash please');
    const { id } = await session.asks(({ answerable }) => answerable === 'hook');
    // A hook that says nothing of its timeout is ended by Claude Code after ten.
    await passed(11 * minute);
    expect(session.now()?.prompts).toMatchObject([{ id, answerable: 'hook' }]);
    expect(existsSync(join(desk.world.folders.outside, 'x1'))).toBe(false);
    expect(await desk.lab.tsmux(['answer', '--to', id, '1'])).toMatchObject({ status: 0 });
    await claude.shows('Allowed by PermissionRequest hook');
    await claude.is('idle');
    expect(existsSync(join(desk.world.folders.outside, 'x1'))).toBe(true);
  });
});
