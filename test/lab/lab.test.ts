import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type Lab, startLab } from './lab.ts';
import { processesIn } from './processes.ts';

describe('the lab', () => {
  let lab: Lab;

  beforeAll(async () => {
    lab = await startLab({ outputs: 2, bar: { command: 'status.sh $HOME/blocks', output: 'fake-0' } });
    lab.write('blocks', '[]');
  });
  afterAll(() => lab?.stop());

  it('opens a terminal on a workspace and knows its window and its command', async () => {
    const terminal = await lab.terminal('xterm', { workspace: '3: a "b" \\', title: 'shop' });
    expect(await terminal.window()).toMatchObject({
      title: 'shop',
      workspace: '3: a "b" \\',
      class: 'XTerm',
    });
    expect(readFileSync(`/proc/${terminal.pid}/comm`, 'utf8')).toBe('cat\n');
    expect(readFileSync(`/proc/${terminal.terminalPid}/comm`, 'utf8')).toBe('xterm\n');
    await terminal.close();
    expect(await lab.i3.window(terminal.conId)).toBeUndefined();
  });

  it('runs everything as a plain user in an environment of its own', async () => {
    expect(await lab.output('id', ['-u'])).not.toBe('0\n');
    expect(await lab.output('env')).not.toMatch(/^(SUDO_USER|VITEST|NODE_ENV|CLAUDE\w*)=/m);
  });

  it('hands real clicks on a block to the status command, where the block must stand', async () => {
    const shown = [
      { full_text: 'left', name: 'one', background: '#102030' },
      { full_text: 'web ● busy', name: 'two', instance: 'a', background: '#aa5500', border: '#00ff00' },
      { full_text: 'end', name: 'three', separator_block_width: 20 },
    ];
    lab.write('blocks', JSON.stringify(shown));
    await until(() => lab.bar.blocks().length === 3, { why: 'three blocks', saw: lab.bar.lines });

    const background = await until(async () => (await lab.picture()).find('#102030', await lab.bar.rect()), {
      why: 'the first block on the screen',
    });
    const first = await lab.bar.block('one').rect();
    expect([background.x, background.width]).toEqual([first.x, first.width]);

    await lab.bar.block('web').click(3, { holding: ['Shift'] });
    await lab.bar.block('end').click();
    const [web, end] = await until(() => (lab.bar.clicks().length === 2 ? lab.bar.clicks() : null), {
      why: 'two clicks',
      saw: lab.bar.clicks,
    });
    expect(web).toMatchObject({ name: 'two', instance: 'a', button: 3, modifiers: ['Shift'] });
    expect(web?.width).toBe((await lab.bar.block('two').rect()).width);
    expect(end).toMatchObject({ name: 'three', button: 1 });
  });

  it('tells of the events of the window manager', async () => {
    const events = await lab.i3.subscribe('workspace');
    const name = await lab.freshWorkspace();
    await until(() => events.events().some((event) => event.current?.name === name), {
      why: 'the focus',
      saw: events.events,
    });
    events.close();
  });

  it('runs beside another lab, and leaves no process and no file when it stops', async () => {
    const other = await startLab({ bar: { command: 'status.sh $HOME/blocks' } });
    const { folder } = other;
    expect(other.env.DISPLAY).not.toBe(lab.env.DISPLAY);
    await other.terminal('xterm');
    await other.tmux('new-session', '-d', 'cat');
    other.spawn('setsid', ['sh', '-c', 'trap "" TERM HUP; exec sleep 1000']);
    await until(() => processesIn(folder).length >= 8, {
      why: 'all of its processes',
      saw: () => processesIn(folder),
    });

    await other.stop();
    expect(processesIn(folder)).toEqual([]);
    expect(readdirSync('/tmp').map((name) => `/tmp/${name}`)).not.toContain(folder);
    expect((await lab.i3.workspaces()).length).toBeGreaterThan(0);
  });
});
