import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listed, world } from '../daemon/truth-world.ts';
import { startStandIn } from '../stand-in/index.ts';
import { until } from '../support/until.ts';

/** Processes of all kinds start here, on a machine that may be busy. */
const PATIENT = { timeout: 90_000 };

describe.each([
  ['with hooks', true],
  ['without hooks', false],
] as const)('%s', PATIENT, (_, hooked) => {
  it('a background session is one session, attached or not, and is where it is attached', async () => {
    const all = await world(hooked);
    await all.daemon();
    const claude = await all.start({ kind: 'bg' });
    const { sessionId } = await all.is(claude, 'idle');
    await claude.step({ do: 'prompt', text: 'SCN:hello please' });
    await all.is(claude, 'review');
    const viewer = await startStandIn({
      home: all.machine.home,
      cwd: all.project,
      early: true,
      args: ['attach', (sessionId ?? '').slice(0, 8)],
      tmux: { socket: join(all.machine.home, 'tmux'), session: 'attached' },
    });
    onTestFinished(() => viewer.stop());
    await viewer.shows('Hello! Everything is fine.');
    const explained = async () => (await all.machine.tsmux('explain', `pid:${claude.pid}`)).stdout;
    await until(async () => (await explained()).includes('tmux session attached has no client'), {
      why: 'the place of the viewer',
      limit: 15_000,
      saw: explained,
    });
    expect((await listed(all)).map(({ pid, kind }) => ({ pid, kind }))).toEqual([
      { pid: claude.pid, kind: 'background' },
    ]);
    await viewer.type('SCN:bash please');
    const way = hooked ? 'hook' : 'keys';
    const { prompts } = await all.is(
      claude,
      'needs-input',
      (session) => session.prompts[0]?.answerable === way,
    );
    expect(prompts).toHaveLength(1);
    expect((await all.machine.tsmux('answer', '--to', prompts[0]?.id ?? '', '1')).stderr).toBe('');
    await all.is(claude, 'review', (session) => session.prompts.length === 0);
  });
});
