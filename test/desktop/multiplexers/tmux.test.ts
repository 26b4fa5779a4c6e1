import { describe, expect, it } from 'vitest';
import { parseTmux } from '../../../src/desktop/multiplexers/tmux.ts';
import { type FakeProcess, type MachineOptions, machineOf } from '../machine.ts';

const socket = '/tmp/tmux-1001/default';
const twoTerminals: readonly FakeProcess[] = [
  { pid: 10, comm: 'xterm', holds: [1] },
  { pid: 11, comm: 'tmux: client', parent: 10, pts: 1 },
  { pid: 20, comm: 'st', holds: [2] },
  { pid: 21, comm: 'tmux: client', parent: 20, pts: 2 },
  { pid: 30, comm: 'tmux: server', holds: [4, 5], sockets: [socket] },
  { pid: 500, comm: 'claude', parent: 30, pts: 4, env: { WINDOWID: '301' } },
];
const windows = [
  { pid: 10, id: 201 },
  { pid: 20, id: 301 },
];

/** Two windows in one session: the claude's pane %0 in @0, another pane %1 in @1. */
const panes = 'pane /dev/pts/4 %0 @0 $0 my web\npane /dev/pts/5 %1 @1 $0 my web\n';

function tmuxMachine(clients: string, more: Partial<MachineOptions> = {}) {
  return machineOf({
    processes: twoTerminals,
    windows,
    run: (line) => (line.includes('list-panes') ? panes + clients : ''),
    ...more,
  });
}

describe('a session in tmux', () => {
  it('is in the window of the client that shows its pane, not in that of the last one typed in', async () => {
    const machine = tmuxMachine('client 11 0 100 $0 @0 %0\nclient 21 0 200 $0 @1 %1\n');
    const { place, hops } = await machine.locate(500);
    expect(place).toMatchObject({
      certainty: 'exact',
      window: { id: 201 },
      pane: { kind: 'tmux', id: '%0', focused: true },
    });
    expect(hops.map(({ at }) => at)).toContain('tmux %0 in session my web');
  });

  it('is, where several clients show its pane, in the window of the most recent one', async () => {
    const machine = tmuxMachine('client 11 0 100 $0 @0 %0\nclient 21 0 200 $0 @0 %0\n');
    expect((await machine.locate(500)).place.window?.id).toBe(301);
  });

  it('is, where none shows it, in the window of the most recent client, and does not have its focus', async () => {
    const machine = tmuxMachine('client 11 0 100 $0 @1 %1\nclient 21 0 200 $0 @1 %1\n');
    expect((await machine.locate(500)).place).toMatchObject({
      window: { id: 301 },
      pane: { focused: false },
    });
  });

  it('can be read and answered in its very pane, also while nobody shows it', async () => {
    for (const clients of ['', 'client 11 0 100 $0 @1 %1\n']) {
      const machine = tmuxMachine(clients, {
        run: (line) =>
          line.includes('list-panes')
            ? panes + clients
            : line.includes('capture-pane')
              ? ' ❯ 1. Yes\n'
              : line.includes('if-shell')
                ? 'sent\n'
                : '',
      });
      const pane = await machine.locator.screen({ key: machine.key(500), attachedBy: null });
      expect(await pane?.read()).toBe(' ❯ 1. Yes\n');
      expect(machine.ran.at(-1)).toBe(`tmux -u -S ${socket} capture-pane -p -t %0`);
      expect(await pane?.send({ mark: 'pone', key: '1', lines: [' ❯ 1. Yes'] })).toBe('sent');
      expect(machine.ran.at(-1)).toContain('if-shell -F -t %0');
    }
  });

  it('does not have the focus while another pane of its window has it', async () => {
    const machine = tmuxMachine('client 11 0 100 $0 @0 %7\n');
    expect((await machine.locate(500)).place.pane?.focused).toBe(false);
  });

  it('is detached when the only client is a control client, or shows another session', async () => {
    for (const clients of ['client 11 1 100 $0 @0 %0\n', 'client 11 0 100 $3 @9 %9\n', '']) {
      const { place } = await tmuxMachine(clients).locate(500);
      expect(place).toMatchObject({
        certainty: 'none',
        reason: 'tmux session my web has no client attached',
        pane: { kind: 'tmux', id: '%0', focused: false },
      });
    }
  });

  it('that is detached says how to attach it', async () => {
    const machine = tmuxMachine('');
    expect(await machine.locator.showPane({ key: machine.key(500), attachedBy: null })).toEqual({
      done: false,
      why: 'tmux session my web has no client attached',
      hint: "attach it in a terminal: tmux -S /tmp/tmux-1001/default attach -t '=my web'",
    });
  });

  it('is found through each of grouped sessions, which list its pane once each', async () => {
    const grouped = 'pane /dev/pts/4 %0 @0 $0 main\npane /dev/pts/4 %0 @0 $1 grouped\n';
    const machine = tmuxMachine('', {
      run: (line) => (line.includes('list-panes') ? `${grouped}client 21 0 100 $1 @0 %0\n` : ''),
    });
    expect((await machine.locate(500)).place).toMatchObject({ certainty: 'exact', window: { id: 301 } });
  });

  it('is found by the socket of its own server, whatever TMUX says', async () => {
    for (const TMUX of [undefined, '/tmp/tmux-1001/other,999,0', '/tmp/elsewhere,30,0']) {
      const processes = twoTerminals.map((process) =>
        process.pid === 500 ? { ...process, env: TMUX === undefined ? {} : { TMUX } } : process,
      );
      const machine = tmuxMachine('client 11 0 100 $0 @0 %0\n', { processes });
      expect((await machine.locate(500)).place.certainty).toBe('exact');
      expect(machine.ran[0]).toMatch(`tmux -u -S ${socket} list-panes`);
    }
  });

  it('is not in tmux at all when its terminal was only started from a pane', async () => {
    const processes = [
      ...twoTerminals.slice(0, 5),
      { pid: 500, comm: 'claude', parent: 20, pts: 2, env: { TMUX: `${socket},30,0`, TMUX_PANE: '%0' } },
    ];
    const machine = tmuxMachine('client 11 0 100 $0 @0 %0\n', { processes });
    expect((await machine.locate(500)).place).toMatchObject({ window: { id: 301 }, pane: null });
    expect(machine.ran).toEqual([]);
  });

  it('is not shown by a client on another machine while one is here', async () => {
    const processes = [
      ...twoTerminals,
      { pid: 40, comm: 'sshd', holds: null },
      { pid: 41, comm: 'tmux: client', parent: 40, pts: 9 },
    ];
    const clients = 'client 41 0 900 $0 @0 %0\nclient 11 0 100 $0 @1 %1\n';
    expect((await tmuxMachine(clients, { processes }).locate(500)).place.window?.id).toBe(201);
    const remote = await tmuxMachine('client 41 0 900 $0 @0 %0\n', { processes }).locate(500);
    expect(remote.place.reason).toBe('over ssh: no window here');
  });

  it('says when its server does not answer', async () => {
    const machine = tmuxMachine('', { run: () => null });
    expect((await machine.locate(500)).place.reason).toBe('its tmux server does not answer');
  });

  it('is asked for once by ten sessions of one server', async () => {
    const machine = tmuxMachine('client 11 0 100 $0 @0 %0\n');
    await Promise.all(Array.from({ length: 10 }, () => machine.locate(500)));
    expect(machine.ran).toHaveLength(1);
  });

  it('in a tmux within a tmux has the focus only where both show it', async () => {
    const inner = '/tmp/tmux-1001/inner';
    const processes: FakeProcess[] = [
      { pid: 10, comm: 'xterm', holds: [1] },
      { pid: 11, comm: 'tmux: client', parent: 10, pts: 1 },
      { pid: 30, comm: 'tmux: server', holds: [2], sockets: [socket] },
      { pid: 31, comm: 'tmux: client', parent: 30, pts: 2 },
      { pid: 40, comm: 'tmux: server', holds: [4], sockets: [inner] },
      { pid: 500, comm: 'claude', parent: 40, pts: 4 },
    ];
    const run = (outerPane: string) => (line: string) =>
      line.includes(inner)
        ? 'pane /dev/pts/4 %0 @0 $0 in\nclient 31 0 1 $0 @0 %0\n'
        : `pane /dev/pts/2 %0 @0 $0 out\nclient 11 0 1 $0 @0 ${outerPane}\n`;
    const shown = machineOf({ processes, windows, run: run('%0') });
    expect((await shown.locate(500)).place).toMatchObject({ window: { id: 201 }, pane: { focused: true } });
    const hidden = machineOf({ processes, windows, run: run('%5') });
    expect((await hidden.locate(500)).place.pane).toMatchObject({ id: '%0', focused: false });
    await hidden.locator.showPane({ key: hidden.key(500), attachedBy: null });
    expect(hidden.ran.at(-1)).toBe(`tmux -S ${socket} select-pane -Z -t %0`);
  });
});

describe('showing a pane of tmux', () => {
  const shown = async (clients: string) => {
    const machine = tmuxMachine(clients);
    expect(await machine.locator.showPane({ key: machine.key(500), attachedBy: null })).toEqual({
      done: true,
    });
    return machine.ran.filter((line) => !line.includes('list-panes'));
  };

  it('changes nothing where it is shown already', async () => {
    expect(await shown('client 11 0 100 $0 @0 %0\n')).toEqual([]);
  });

  it('selects the pane only, where its window is shown', async () => {
    expect(await shown('client 11 0 100 $0 @0 %7\n')).toEqual([`tmux -S ${socket} select-pane -Z -t %0`]);
  });

  it("selects the window in the client's own session, and the pane", async () => {
    expect(await shown('client 11 0 100 $0 @1 %1\n')).toEqual([
      `tmux -S ${socket} select-window -t $0:@0 ; select-pane -Z -t %0`,
    ]);
  });
});

describe('the answer of tmux', () => {
  it('is read whatever a session is called, and what is not understood is left out', () => {
    const text =
      'pane /dev/pts/4 %0 @0 $0  a  b: ✳ \npane x\nnew thing\nclient 11 0 oops\nclient 9 0 5 $0 @0 %0\n\n';
    expect(parseTmux(text)).toEqual({
      panes: [{ tty: '/dev/pts/4', pane: '%0', window: '@0', session: '$0', sessionName: ' a  b: ✳ ' }],
      clients: [{ pid: 9, control: false, activity: 5, session: '$0', window: '@0', pane: '%0' }],
    });
  });
});
