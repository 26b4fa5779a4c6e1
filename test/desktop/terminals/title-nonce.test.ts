import { describe, expect, it } from 'vitest';
import { type FakeProcess, type MachineOptions, machineOf } from '../machine.ts';

const processes: readonly FakeProcess[] = [
  { pid: 10, comm: 'gnome-terminal-', holds: [4, 5] },
  { pid: 500, comm: 'claude', parent: 10, pts: 4 },
  { pid: 600, comm: 'claude', parent: 10, pts: 5 },
];
const windows = [
  { pid: 10, id: 201, title: 'first' },
  { pid: 10, id: 202, title: 'second' },
];

/** A terminal that shows titles as real ones do: the tab on /dev/pts/N is shown in the window of this id. */
function terminal(
  shownIn: Record<number, number>,
  options: Partial<MachineOptions> & { restores?: boolean | 'blank' } = {},
) {
  const saved = new Map<number, string>();
  const setTitle = (id: number | undefined, title: (old: string) => string) => {
    machine.trees = machine.trees.map((tree) => ({
      ...tree,
      windows: tree.windows.map((window) =>
        window.id === id ? { ...window, title: title(window.title) } : window,
      ),
    }));
  };
  const machine = machineOf({
    processes,
    windows,
    onWrite(pts, text) {
      const id = shownIn[pts];
      if (text.includes('\x1b[22;0t'))
        setTitle(id, (old) => {
          saved.set(pts, old);
          return old;
        });
      const title = /\x1b\]0;([^\x07]*)\x07/.exec(text)?.[1];
      if (title !== undefined) setTitle(id, () => `Terminal - ${title}`);
      if (text.includes('\x1b[23;0t') && options.restores !== false)
        setTitle(id, (old) => (options.restores === 'blank' ? '' : (saved.get(pts) ?? old)));
    },
    ...options,
  });
  return machine;
}

const titles = (machine: ReturnType<typeof terminal>) =>
  machine.trees.flatMap((tree) => tree.windows.map(({ title }) => title));

describe('asking by title', () => {
  it('c6: finds the window that shows the word, and gives its title back', async () => {
    const machine = terminal({ 4: 202, 5: 201 });
    expect((await machine.locate(500)).place).toMatchObject({
      certainty: 'exact',
      window: { id: 202, title: 'second' },
    });
    expect(titles(machine)).toEqual(['first', 'second']);
    expect(machine.written).toEqual([
      { pts: 4, text: '\x1b[22;0t\x1b]0;tsmux-abcd1234\x07' },
      { pts: 4, text: '\x1b[23;0t' },
    ]);
  });

  it('is done once for a process, however many ask', async () => {
    const machine = terminal({ 4: 202, 5: 201 });
    await Promise.all([machine.locate(500), machine.locate(500)]);
    await machine.locate(500);
    expect(machine.written).toHaveLength(2);
  });

  it('is done anew when the window that was found is gone', async () => {
    const shownIn: Record<number, number> = { 4: 202, 5: 201 };
    const machine = terminal(shownIn);
    await machine.locate(500);
    shownIn[4] = 203;
    machine.trees = machine.trees.map((tree) => ({
      ...tree,
      windows: tree.windows.map((window) =>
        window.id === 202 ? { ...window, id: 203, title: 'new' } : window,
      ),
    }));
    expect((await machine.locate(500)).place.window?.id).toBe(203);
    expect(machine.written).toHaveLength(4);
  });

  it('leaves it ambiguous, once and for all, when no window shows the word (a hidden tab)', async () => {
    const machine = terminal({});
    for (let time = 0; time < 3; time += 1) {
      const { place } = await machine.locate(500);
      expect(place.certainty).toBe('ambiguous');
      expect(place.reason).toMatch(/the title showed in none of them/);
    }
    expect(machine.written).toHaveLength(2);
  });

  it('is not done where it is forbidden', async () => {
    const machine = terminal({ 4: 202 }, { titleNonce: false });
    expect((await machine.locate(500)).place.reason).toMatch(/asking by title is switched off/);
    expect(machine.written).toEqual([]);
  });

  it('is not done where the window is known already', async () => {
    const machine = terminal({ 4: 201 }, { windows: windows.slice(0, 1) });
    expect((await machine.locate(500)).place.certainty).toBe('exact');
    expect(machine.written).toEqual([]);
  });

  it('is not done in a terminal inside an editor: it would be text in a buffer', async () => {
    const editor = processes.map((process) =>
      process.pid === 10 ? { ...process, comm: 'emacs-gtk' } : process,
    );
    const machine = terminal({ 4: 202 }, { processes: editor });
    expect((await machine.locate(500)).place.certainty).toBe('ambiguous');
    expect(machine.written).toEqual([]);
  });

  it('writes the old title back, with no control character in it, where the terminal keeps none', async () => {
    const hostile = windows.map((window) => ({ ...window, title: 'a\x1b]0;b\x07\u009bc' }));
    const machine = terminal({ 4: 202 }, { windows: hostile, restores: false });
    await machine.locate(500);
    expect(machine.written.at(-1)).toEqual({ pts: 4, text: '\x1b]0;a]0;bc\x07' });
  });

  it('writes the old title back where the terminal comes back without one, as nobody had set any', async () => {
    const machine = terminal({ 4: 202 }, { restores: 'blank' });
    await machine.locate(500);
    expect(machine.written.at(-1)).toEqual({ pts: 4, text: '\x1b]0;second\x07' });
  });

  it('goes to the terminal of the tmux client, never to the pane', async () => {
    const inTmux: readonly FakeProcess[] = [
      { pid: 10, comm: 'gnome-terminal-', holds: [4, 5] },
      { pid: 11, comm: 'tmux: client', parent: 10, pts: 5 },
      { pid: 30, comm: 'tmux: server', holds: [7], sockets: ['/tmp/tmux-1/default'] },
      { pid: 500, comm: 'claude', parent: 30, pts: 7 },
    ];
    const machine = terminal(
      { 4: 201, 5: 202 },
      { processes: inTmux, run: () => 'pane /dev/pts/7 %0 @0 $0 s\nclient 11 0 1 $0 @0 %0\n' },
    );
    expect((await machine.locate(500)).place.window?.id).toBe(202);
    expect(new Set(machine.written.map(({ pts }) => pts))).toEqual(new Set([5]));
  });

  it('is forgotten with the session', async () => {
    const machine = terminal({ 4: 202 });
    await machine.locate(500);
    machine.locator.forget(machine.key(500));
    await machine.locate(500);
    expect(machine.written).toHaveLength(4);
  });
});
