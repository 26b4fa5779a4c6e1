import { describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { startLab } from './lab.ts';
import { hasFocus } from './on-the-bar.ts';
import { openSession } from './sessions.ts';
import { startSwayLab } from './sway.ts';
import type { WindowManager } from './window-manager.ts';

/** A desktop, and a terminal on it that opens at once. */
const desktops = {
  async i3() {
    const lab = await startLab({ outputs: 2 });
    return { lab, manager: lab.i3 as WindowManager, terminal: 'xterm' as const, other: 'fake-1' };
  },
  async sway() {
    const lab = await startSwayLab({ outputs: 2 });
    return { lab, manager: lab.sway, terminal: 'foot' as const, other: 'HEADLESS-2' };
  },
};

describe.each(['i3', 'sway'] as const)('tsmux next under %s', (kind) => {
  it('goes from one that needs the user to the next, and back to the window where he began', async () => {
    const { lab, manager, terminal, other } = await desktops[kind]();
    try {
      lab.write('.claude/settings.json', '{}');
      expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
      const web = await openSession(lab, { name: 'web', terminal, workspace: '3' });
      const api = await openSession(lab, { name: 'api', terminal, workspace: '4' });
      // Whatever else he does, on the other output.
      const notes = await lab.terminal(terminal);
      await notes.focus();
      await manager.command(`move container to output ${other}`);
      await notes.focus();
      const states = async () =>
        JSON.parse((await lab.tsmux(['list', '--json'])).stdout).sessions.map(
          (one: { name: string; state: string }) => `${one.name} ${one.state}`,
        );
      for (const [session, name] of [
        [web, 'web'],
        [api, 'api'],
      ] as const) {
        await until(async () => (await states()).includes(`${name} idle`), { why: `${name} to be idle` });
        session.prompt('SCN:bash please');
        await until(async () => (await states()).includes(`${name} needs-input`), {
          why: `${name} to ask`,
          saw: states,
        });
      }
      await hasFocus(manager, notes);
      const next = async (...words: readonly string[]) => {
        expect(await lab.tsmux(['next', ...words])).toMatchObject({ status: 0, stderr: '' });
      };
      await next();
      await hasFocus(manager, web.terminal);
      await next();
      await hasFocus(manager, api.terminal);
      await next('--back');
      await hasFocus(manager, web.terminal);
      await next('--back');
      await hasFocus(manager, notes);
      expect((await lab.tsmux(['next', '--back'])).status).toBe(4);

      // A window that has been closed since is passed over.
      await next();
      await notes.close();
      const { status, stderr } = await lab.tsmux(['next', '--back']);
      expect([status, stderr]).toEqual([4, expect.stringContaining('nothing to go back to')]);
    } finally {
      await lab.stop();
    }
  });
});
