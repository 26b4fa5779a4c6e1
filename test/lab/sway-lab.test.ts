import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { processesIn } from './processes.ts';
import { type SwayLab, startSwayLab } from './sway.ts';

describe('the lab under sway', () => {
  let lab: SwayLab;

  beforeAll(async () => {
    lab = await startSwayLab({
      outputs: 2,
      bar: { command: 'status.sh $HOME/blocks', output: 'HEADLESS-1' },
    });
    lab.write('blocks', '[]');
  });
  afterAll(() => lab?.stop());

  it('opens a terminal on a workspace and knows its window and its command', async () => {
    const terminal = await lab.terminal('foot', { workspace: '3: a "b"', title: 'shop' });
    // foot's windows are called foot at first.
    await until(async () => (await terminal.window())?.title === 'shop', { why: 'its title' });
    expect(await terminal.window()).toMatchObject({
      workspace: '3: a "b"',
      output: 'HEADLESS-1',
      class: 'foot',
      windowId: null,
    });
    expect(readFileSync(`/proc/${terminal.pid}/comm`, 'utf8')).toBe('cat\n');
    expect(readFileSync(`/proc/${terminal.terminalPid}/comm`, 'utf8')).toBe('foot\n');
    await terminal.close();
  });

  it('opens a terminal of X11 through XWayland', async () => {
    const terminal = await lab.terminal('xterm', { title: 'old' });
    expect(await terminal.window()).toMatchObject({ title: 'old', class: 'XTerm' });
    expect(terminal.windowId).not.toBeNull();
    await terminal.close();
  });

  it('hands real clicks on a block to the status command, where the block must stand', async () => {
    const shown = [
      { full_text: 'left', name: 'one', background: '#102030' },
      { full_text: 'web ● busy', name: 'two', instance: 'a', background: '#aa5500', border: '#00ff00' },
      { full_text: 'end', name: 'three', background: '#203040', separator_block_width: 20 },
    ];
    lab.write('blocks', JSON.stringify(shown));
    await until(() => lab.bar.blocks().length === 3, { why: 'three blocks', saw: lab.bar.lines });
    for (const { name, background } of shown) {
      const drawn = await until(async () => (await lab.picture()).find(background, await lab.bar.rect()), {
        why: `the block ${name} on the screen`,
      });
      const block = await lab.bar.block(name).rect();
      const border = name === 'two' ? 1 : 0;
      expect([drawn.x, drawn.width]).toEqual([block.x + border, block.width - 2 * border]);
    }
    await lab.bar.block('web').click(3);
    await lab.bar.block('end').click();
    await lab.bar.block('one').click(4);
    const clicks = await until(() => (lab.bar.clicks().length === 3 ? lab.bar.clicks() : null), {
      why: 'three clicks',
      saw: lab.bar.clicks,
    });
    expect(clicks).toMatchObject([
      { name: 'two', instance: 'a', button: 3 },
      { name: 'three', button: 1 },
      { name: 'one', button: 4 },
    ]);
  });

  it('hands keys to the window that has the focus', async () => {
    const terminal = await lab.terminal('foot');
    await terminal.focus();
    await lab.sway.command('bindsym Mod4+y workspace typed');
    await until(
      async () => {
        await lab.key('super+y');
        return (await lab.sway.workspaces()).some(({ name, focused }) => name === 'typed' && focused);
      },
      { why: 'the workspace that a key names' },
    );
    await terminal.close();
  });

  it('runs beside another lab, and leaves no process and no file when it stops', async () => {
    const other = await startSwayLab();
    const { folder } = other;
    expect(other.env.SWAYSOCK).not.toBe(lab.env.SWAYSOCK);
    await other.terminal('foot');
    await other.stop();
    expect(processesIn(folder)).toEqual([]);
    expect(readdirSync('/tmp').map((name) => `/tmp/${name}`)).not.toContain(folder);
    expect((await lab.sway.workspaces()).length).toBeGreaterThan(0);
  });
});
