import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Lab } from '../lab/lab.ts';
import type { DrivenClaude } from '../stand-in/driven.ts';
import { until } from '../support/until.ts';
import { type Desk, startDesk, type Watched } from './desk.ts';
import type { ClaudeWorld, Version } from './real-claude.ts';

export function describeTsmux(version: Version): void {
  describe.each(['xterm', 'tmux'] as const)(`with Claude Code ${version} in %s`, (where) => {
    let desk: Desk;
    let lab: Lab;
    let world: ClaudeWorld;
    let claude: DrivenClaude;
    let session: Watched;
    let windowId: number;
    let look: () => Promise<void>;

    beforeAll(async () => {
      desk = await startDesk();
      ({ lab, world } = desk);
      ({ claude, session, windowId, look } = await desk.open({ version, in: where, workspace: '3: web' }));
    });
    afterAll(() => desk?.stop());

    const elsewhere = () => desk.elsewhere();
    const hasFocus = async () => (await lab.i3.focused())?.windowId === windowId;

    it('is idle after its start, in a place that is known exactly', async () => {
      const { place } = await session.is('idle', ({ place }) => place.workspace?.name === '3: web');
      expect(place).toMatchObject({ certainty: 'exact', window: { id: windowId } });
      expect(place.pane?.kind).toBe(where === 'tmux' ? 'tmux' : undefined);
    });

    it('is busy while Claude works, in review when it has finished, and idle when that was seen', async () => {
      await session.is('idle');
      const states = session.since();
      await claude.type('SCN:slow please');
      await session.is('busy');
      await world.model.finish();
      await session.is('review');
      await look();
      await session.is('idle');
      expect(states()).toEqual(['busy', 'review', 'idle']);
      await elsewhere();
    });

    it('has nothing to review before what was typed meanwhile is done too', async () => {
      const states = session.since();
      await claude.type('SCN:slow please');
      await session.is('busy');
      await claude.shows('word word');
      await claude.type('SCN:hello queued');
      const has = (type: string) => claude.transcript().some((line) => line.type === type);
      await until(() => has('queue-operation'), { why: 'the prompt to be queued', saw: claude.screen });
      await world.model.finish();
      await session.is('review', ({ lastMessage }) => lastMessage === 'Hello! Everything is fine.');
      expect(states()).toEqual(['busy', 'review']);
      await look();
      await session.is('idle');
      await elsewhere();
    });

    it('is named by the user, which leaves nothing to review', async () => {
      const states = session.since();
      await claude.type('/rename shop-fix');
      await session.is('idle', ({ name }) => name === 'shop-fix');
      expect(states()).not.toContain('review');
    });

    it('needs input until the user has answered in the terminal', async () => {
      const states = session.since();
      await claude.type('SCN:bash please');
      const first = await session.is('needs-input', ({ prompts }) => prompts.length === 1);
      // Told by the session file or by the hook, whichever was first, it is one prompt.
      const { prompts } = await session.is('needs-input', ({ prompts }) => prompts[0]?.title === 'Bash');
      expect(prompts).toMatchObject([
        { id: first.prompts[0]?.id, title: 'Bash', text: `touch ${world.folders.outside}/x1` },
      ]);
      await claude.answer('1');
      await session.is('review');
      expect(states()).toEqual(['busy', 'needs-input', 'busy', 'review']);
    });

    it('is idle after an Esc, as nothing was finished', async () => {
      await claude.type('SCN:slow please');
      await session.is('busy');
      const states = session.since();
      await claude.press('Escape');
      await session.is('idle');
      expect(states()).toEqual(['idle']);
    });

    it('b4: is idle after a No, with no prompt left', async () => {
      await claude.type('SCN:npm please');
      await session.is('needs-input');
      await claude.answer('Escape');
      await session.is('idle', ({ prompts }) => prompts.length === 0);
    });

    it('is busy as long as a sub-agent runs, although the main turn has stopped', async () => {
      const states = session.since();
      await claude.type('SCN:agentslow please');
      await session.is('busy', ({ background }) => background.agents === 1);
      await claude.shows('The sub-agent runs in background.');
      await claude.shows('Waiting for 1 background agent');
      expect(session.now()?.state).toBe('busy');
      await world.model.finish();
      // A turn of its own reports it, and not before that is over there is something to review.
      const reported = () => {
        const lines = claude.transcript().map((line) => JSON.stringify(line));
        const told = lines.findLastIndex((line) => line.includes('<task-notification>'));
        return told > 0 && lines.slice(told).some((line) => line.includes('"type":"assistant"'));
      };
      await until(reported, { why: 'the report', limit: 20_000, saw: claude.screen });
      await session.is('review', ({ background }) => background.agents === 0);
      expect(states()).toEqual(['busy', 'review']);
    });

    it('needs input for a sub-agent too', async () => {
      await claude.type('SCN:agent please');
      await session.is('needs-input', ({ prompts }) => prompts.length === 1);
      // While a hook holds it there is no dialog; who comes to look finds one.
      await look();
      await claude.is('waiting');
      await elsewhere();
      await claude.answer('1');
      await session.is('review');
    });

    it('is in review, with the reason, when the model could not be reached', async () => {
      await claude.type('SCN:error400 please');
      const { reason } = await session.is('review', ({ reason }) => reason !== null);
      expect(reason).toMatch(/API Error|error/i);
    });

    it('comes to the front by a click on its block', async () => {
      await elsewhere();
      const { id } = await session.is('review');
      await lab.bar.still();
      await lab.bar.block(id).click();
      await until(hasFocus, { why: 'the window to have the focus', saw: lab.i3.windows });
    });

    it('is the same session after /clear', async () => {
      const before = session.now();
      await claude.type('/clear');
      await until(() => session.now()?.sessionId !== before?.sessionId, {
        why: 'a new session_id',
        saw: session.now,
      });
      expect(session.now()).toMatchObject({ id: before?.id, pid: before?.pid });
    });

    it('is gone after /exit', async () => {
      await claude.exit();
      await session.gone(2000);
    });

    it('is gone at once after a kill -9, with its prompt', async () => {
      const second = await world.start({ version, in: where });
      const watched = desk.watched(second);
      await second.type('SCN:bash please');
      await watched.is('needs-input');
      await second.kill();
      await watched.gone(where === 'xterm' ? 2000 : 5500);
      const { stdout } = await lab.tsmux(['list', '--json']);
      expect(JSON.parse(stdout).sessions).toEqual([]);
    });
  });
}
