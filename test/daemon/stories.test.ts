import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listed, world } from './truth-world.ts';

/**
 * What a user does in a day besides prompts and answers, played by stand-ins: what the built daemon tells of it, once
 * with the hooks that `tsmux setup` installs and once without any.
 */
const PATIENT = { timeout: 90_000 };

describe.each([
  ['with hooks', true],
  ['without hooks', false],
] as const)('%s', PATIENT, (_, hooked) => {
  it('a17: what Ctrl-B moves to the background does not keep it from review, and needs nobody', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await claude.type('SCN:slowtool please');
    await all.is(claude, 'busy', ({ tool }) => tool?.name === 'Bash');
    await claude.shows('run in background');
    await claude.press('C-b');
    await all.is(claude, 'review', ({ background }) => background.shells === 1);
    const message = 'Claude is waiting for your input';
    await claude.step({
      do: 'hook',
      event: 'Notification',
      fields: { message, notification_type: 'idle_prompt' },
    });
    writeFileSync(join(all.machine.home, 'outside/go'), '');
    const isTold = (said: string | null) => said?.includes('Background command "Wait" completed') === true;
    await all.is(claude, 'review', ({ background, lastMessage }) => {
      return background.shells === 0 && isTold(lastMessage);
    });
    expect(all.story(claude)).not.toContain('needs-input');
  });

  it('a worktree is a session of its own, beside that of its project', async () => {
    const all = await world(hooked);
    await all.daemon();
    const main = await all.start();
    const claude = await all.start({ args: ['--worktree', 'feature'] });
    await claude.type('SCN:hello please');
    await all.is(claude, 'review', ({ branch }) => branch === 'worktree-feature');
    const sessions = await listed(all);
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ pid }) => pid === claude.pid)).toMatchObject({
      name: 'feature',
      cwd: join(all.project, '.claude/worktrees/feature'),
    });
    expect(all.story(main)).toEqual(['idle']);
  });

  it('--resume goes on with the conversation in another process, which has its label and nothing to review', async () => {
    const all = await world(hooked);
    await all.daemon();
    const first = await all.start();
    await first.type('SCN:hello please');
    const { id, sessionId } = await all.is(first, 'review');
    await all.machine.tsmux('label', `pid:${first.pid}`, 'web');
    await first.exit();
    await all.gone(first, 5_000);
    const second = await all.start({ args: ['--resume', sessionId ?? ''] });
    const again = await all.is(second, 'idle', ({ label }) => label === 'web');
    expect(again).toMatchObject({ sessionId });
    expect(again.id).not.toBe(id);
    expect((await listed(all)).map(({ pid }) => pid)).toEqual([second.pid]);
    await second.type('SCN:bash please');
    await all.is(second, 'needs-input');
    expect(all.story(second)).not.toContain('review');
  });

  it('a18: /resume takes up another conversation in the same session', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await claude.type('SCN:hello please');
    const { id, sessionId } = await all.is(claude, 'review');
    await claude.type('/clear');
    await all.is(claude, 'idle', (session) => session.sessionId !== sessionId);
    await claude.type('/resume');
    await claude.is('waiting', 'dialog open');
    await claude.answer('1');
    const back = await all.is(claude, 'idle', (session) => session.sessionId === sessionId);
    expect(back.id).toBe(id);
    await claude.type('SCN:slow please');
    await all.is(claude, 'busy');
    expect(all.story(claude).filter((state) => state === 'review')).toHaveLength(1);
  });

  it('compaction is told while it lasts, and leaves nothing to review', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await claude.type('SCN:hello please');
    await all.is(claude, 'review');
    await all.machine.tsmux('seen', `pid:${claude.pid}`);
    await claude.step({ do: 'scenario', name: 'compact', answers: [{ endless: true }] });
    await claude.type('/compact');
    await all.is(claude, 'busy', ({ compacting }) => compacting === hooked);
    await claude.step({ do: 'finish' });
    await all.is(claude, 'idle', ({ compacting }) => !compacting);
    expect(all.story(claude).filter((state) => state === 'review')).toHaveLength(1);
  });

  it('/rename gives it a name, and nothing to review', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start();
    await all.is(claude, 'idle');
    await claude.type('/rename shop-fix');
    await all.is(claude, 'idle', ({ name }) => name === 'shop-fix');
    await claude.type('SCN:slow please');
    await all.is(claude, 'busy', ({ lastMessage }) => lastMessage === null);
    expect(all.story(claude)).not.toContain('review');
  });
});
