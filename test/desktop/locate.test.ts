import { describe, expect, it } from 'vitest';
import { type FakeProcess, machineOf } from './machine.ts';
import { recorded } from './recorded.ts';

const session = (parent: number, more: Partial<FakeProcess> = {}): FakeProcess => ({
  pid: 500,
  comm: 'claude',
  parent,
  pts: 4,
  env: {},
  ...more,
});

/** Windows bear the name of the session in them: `T-xterm1`, `Terminal - T-xfce1`. */
const isOf = (title: string, tag: string) => title.endsWith(`T-${tag}`);

describe('a session on a recorded i3 desktop', () => {
  const exact = ['alac1', 'alac2', 'alacM1', 'alacM2', 'kitty1', 'kitty2', 'kittyS1', 'kittyS2'];
  const more = ['st1', 'st2', 'urxvt1', 'urxvt2', 'urxvtc1', 'urxvtc2', 'xterm1', 'xterm2'];

  it.each([...exact, ...more])('c7: is in the window of %s', async (tag) => {
    const desktop = recorded('map-x11');
    const { place } = await machineOf({ ...desktop, titleNonce: false }).locate(desktop.pid(tag));
    expect(place.certainty).toBe('exact');
    expect(isOf(place.window?.title ?? '', tag)).toBe(true);
  });

  it('c6: in one of two windows of gnome-terminal is in none of them for sure', async () => {
    const desktop = recorded('map-x11');
    const { place } = await machineOf({ ...desktop, titleNonce: false }).locate(desktop.pid('gterm2'));
    expect(place).toMatchObject({ certainty: 'ambiguous', window: null, workspace: null });
    expect(place.reason).toMatch(/has 2 windows and does not tell which one shows it/);
    expect(place.candidates.map(({ window }) => window.title).toSorted()).toEqual(['T-gterm1', 'T-gterm2']);
  });

  it.each(['xfce1', 'xfce2', 'xfceD', 'mate1', 'mate2', 'qterm1', 'qterm2', 'crt1', 'crt2'])(
    'c7: is in the window of %s',
    async (tag) => {
      const desktop = recorded('map-more');
      const { place } = await machineOf({ ...desktop, titleNonce: false }).locate(desktop.pid(tag));
      expect(place.certainty).toBe('exact');
      expect(isOf(place.window?.title ?? '', tag)).toBe(true);
    },
  );

  it.each(['terminator1', 'lxt2', 'tilix1'])('c7: in a window of %s is ambiguous', async (tag) => {
    const desktop = recorded('map-more');
    const { place } = await machineOf({ ...desktop, titleNonce: false }).locate(desktop.pid(tag));
    expect(place.certainty).toBe('ambiguous');
    expect(place.candidates.some(({ window }) => isOf(window.title, tag))).toBe(true);
  });
});

describe('a session on a recorded sway desktop', () => {
  it.each(['xterm1', 'xterm2', 'urxvt1'])('c22: is in the XWayland window of %s', async (tag) => {
    const desktop = recorded('map-sway');
    const { place } = await machineOf({ ...desktop, titleNonce: false }).locate(desktop.pid(tag));
    expect(place).toMatchObject({ certainty: 'exact', desktop: 'sway', window: { title: `T-${tag}` } });
    expect(place.window?.id).toEqual(expect.any(Number));
  });

  it.each(['foot1', 'foot2', 'kitty1', 'alac1'])('is in the Wayland window of %s', async (tag) => {
    const desktop = recorded('map-sway');
    const { place } = await machineOf({ ...desktop, titleNonce: false }).locate(desktop.pid(tag));
    expect(place).toMatchObject({ certainty: 'exact', window: { title: `T-${tag}`, id: null } });
  });

  it.each(['footc1', 'kittyS2', 'alacM1', 'gterm1'])(
    'c7: in a window of %s, one of several of its process, is ambiguous',
    async (tag) => {
      const desktop = recorded('map-sway');
      const { place } = await machineOf({ ...desktop, titleNonce: false }).locate(desktop.pid(tag));
      expect(place.certainty).toBe('ambiguous');
      expect(place.candidates.map(({ window }) => window.title)).toContain(`T-${tag}`);
    },
  );

  it.each(['Zkitty', 'Zfoot', 'Zalac'])(
    'c22: is not in the xterm whose WINDOWID %s has inherited',
    async (tag) => {
      const desktop = recorded('stale-sway');
      const { place } = await machineOf({ ...desktop, titleNonce: false }).locate(desktop.pid(tag));
      expect(place).toMatchObject({ certainty: 'exact', window: { title: `T-${tag}` } });
    },
  );
});

describe('WINDOWID', () => {
  const twoWindows = (env: Record<string, string>) =>
    machineOf({
      processes: [
        { pid: 10, comm: 'lxterminal', holds: [4, 5] },
        { pid: 11, comm: 'xterm', holds: [6] },
        { pid: 499, comm: 'bash', parent: 10, pts: 4, env },
        session(499, { env: { WINDOWID: '202' } }),
      ],
      windows: [
        { pid: 10, id: 201 },
        { pid: 10, id: 202 },
        { pid: 11, id: 301 },
      ],
      titleNonce: false,
    });

  it('is taken as the terminal gave it to its own child, not as the session has it', async () => {
    const { place } = await twoWindows({ WINDOWID: '201' }).locate(500);
    expect(place).toMatchObject({ certainty: 'exact', window: { id: 201 } });
  });

  it.each(['301', '0', '94828552171536', '4294967497', 'x201', ''])(
    'of %j is not believed: no such window belongs to the terminal',
    async (value) => {
      const { place } = await twoWindows({ WINDOWID: value }).locate(500);
      expect(place.certainty).toBe('ambiguous');
      expect(place.candidates).toHaveLength(2);
    },
  );
});

describe('a session without a window', () => {
  const reasonOf = async (processes: readonly FakeProcess[], windows = [{ pid: 77 }]) => {
    const { place } = await machineOf({ processes, windows }).locate(500);
    expect(place.certainty).toBe('none');
    expect(place.window).toBeNull();
    return place.reason;
  };

  it('c2: says so where windows do not tell their process', async () => {
    const processes = [{ pid: 10, comm: 'odd', holds: [4] }, session(10)];
    const { place } = await machineOf({ processes, windows: [{ pid: null }, { pid: null }] }).locate(500);
    expect(place).toMatchObject({
      certainty: 'none',
      reason:
        'odd (pid 10) holds its terminal and has no window here; 2 windows do not tell which process it belongs to',
    });
  });

  it('c23: says that it runs over ssh', async () => {
    const sshd = { pid: 10, comm: 'sshd', holds: null };
    expect(await reasonOf([sshd, session(10)])).toBe('over ssh: no window here');
  });

  it.each(['containerd-shim', 'conmon'])('c23: says that it runs in a container (%s)', async (comm) => {
    const shim = { pid: 10, comm, holds: comm === 'conmon' ? [4] : null };
    expect(await reasonOf([shim, session(10, { inContainer: true })])).toBe('in a container: no window here');
  });

  it('c23: in a container is not in the terminal whose number is the same', async () => {
    const processes = [{ pid: 77, comm: 'xterm', holds: [4] }, session(1, { inContainer: true })];
    expect(await reasonOf(processes)).toBe('in a container: no window here');
  });

  it.each(['zellij', 'dtach', 'mosh-server'])('says why %s is not followed', async (comm) => {
    expect(await reasonOf([{ pid: 10, comm, holds: [4] }, session(10)])).toMatch(/zellij|dtach|mosh/);
  });

  it('says that no window manager was found', async () => {
    const machine = machineOf({ processes: [{ pid: 10, comm: 'xterm', holds: [4] }, session(10)] });
    expect((await machine.locate(500)).place.reason).toBe('no i3 and no sway was found');
  });

  it('c24: reparented and without any terminal, ends the walk', async () => {
    expect(await reasonOf([{ pid: 500, comm: 'claude', parent: 1 }])).toBe('it has no terminal');
  });

  it('says when its process is gone', async () => {
    const machine = machineOf({ processes: [], windows: [] });
    expect((await machine.locate(500)).place.reason).toBe('its process is gone');
  });

  it('whose pid was given to another process is gone too', async () => {
    const machine = machineOf({
      processes: [{ pid: 10, comm: 'xterm', holds: [4] }, session(10)],
      windows: [{ pid: 10 }],
    });
    const key = { ...machine.key(500), startTime: 1 };
    const { place } = await machine.locator.locate({ key, attachedBy: null });
    expect(place.reason).toBe('its process is gone');
  });

  it('of a browser terminal is not in the shell in which the server was started', async () => {
    const processes = [
      { pid: 77, comm: 'xterm', holds: [1] },
      { pid: 78, comm: 'bash', parent: 77, pts: 1 },
      { pid: 79, comm: 'ttyd', parent: 78, pts: 1, holds: [4] },
      session(79),
    ];
    const cooked = machineOf({ processes, windows: [{ pid: 77 }], run: () => 'isig icanon echo' });
    expect((await cooked.locate(500)).place.certainty).toBe('none');
    const raw = machineOf({ processes, windows: [{ pid: 77 }], run: () => '-isig -icanon -echo' });
    expect((await raw.locate(500)).place.certainty).toBe('exact');
  });

  it('of a terminal on another display is not in the shell from which that was started', async () => {
    const processes = [
      { pid: 77, comm: 'xterm', holds: [1] },
      { pid: 78, comm: 'bash', parent: 77, pts: 1 },
      { pid: 79, comm: 'xterm', parent: 78, pts: 1, holds: [4], background: true },
      session(79),
    ];
    // The shell waits at its prompt, with its terminal in raw mode.
    const machine = machineOf({ processes, windows: [{ pid: 77 }], run: () => '-icanon' });
    expect((await machine.locate(500)).place.certainty).toBe('none');
  });
});

describe('the walk', () => {
  const window = { pid: 10, id: 201 };

  it('starts at the nearest ancestor with a terminal (su -c takes it away)', async () => {
    const processes = [
      { pid: 10, comm: 'xterm', holds: [4] },
      { pid: 11, comm: 'bash', parent: 10, pts: 4 },
      { pid: 12, comm: 'su', parent: 11, pts: 4, holds: null },
      { pid: 500, comm: 'claude', parent: 12 },
    ];
    const { place, hops } = await machineOf({ processes, windows: [window] }).locate(500);
    expect(place.certainty).toBe('exact');
    expect(hops[0]?.how).toBe(
      'no terminal of its own; pid 12 su, its nearest ancestor with one, is on /dev/pts/4',
    );
  });

  it('leads through sudo, whose descriptors may not be read', async () => {
    const processes = [
      { pid: 10, comm: 'xterm', holds: [3] },
      { pid: 11, comm: 'sudo', parent: 10, pts: 3, holds: null },
      { pid: 500, comm: 'claude', parent: 11, pts: 4 },
    ];
    const { place } = await machineOf({ processes, windows: [window] }).locate(500);
    expect(place).toMatchObject({ certainty: 'exact', pane: null });
  });

  it('leads through script', async () => {
    const processes = [
      { pid: 10, comm: 'xterm', holds: [3] },
      { pid: 11, comm: 'script', parent: 10, pts: 3, holds: [4] },
      session(11),
    ];
    const { place } = await machineOf({ processes, windows: [window] }).locate(500);
    expect(place).toMatchObject({
      certainty: 'exact',
      pane: { kind: 'script', id: '/dev/pts/4', focused: true },
    });
  });

  it('leads through a terminal of Neovim, also where its user interface is a process of its own', async () => {
    const inOne = [
      { pid: 10, comm: 'xterm', holds: [3] },
      { pid: 11, comm: 'nvim', parent: 10, pts: 3, holds: [4] },
      session(11),
    ];
    const inTwo = [
      { pid: 10, comm: 'xterm', holds: [3] },
      { pid: 11, comm: 'nvim', parent: 10, pts: 3, holds: [] },
      { pid: 12, comm: 'nvim', parent: 11, holds: [4] },
      session(12),
    ];
    for (const processes of [inOne, inTwo]) {
      const { place } = await machineOf({ processes, windows: [window] }).locate(500);
      expect(place).toMatchObject({ certainty: 'exact', pane: { kind: 'nvim', focused: false } });
    }
  });

  it('ends at the windows of an editor whose child holds the terminal', async () => {
    const processes = [
      { pid: 10, comm: 'code', holds: [] },
      { pid: 11, comm: 'code', parent: 10, holds: [4] },
      session(11),
    ];
    const { place, mayBeHidden } = await machineOf({ processes, windows: [window] }).locate(500);
    expect(place.certainty).toBe('exact');
    expect(mayBeHidden).toBe(true);
  });

  it('ends at the editor that runs a session without a terminal, wherever that was started', async () => {
    const processes = [
      { pid: 20, comm: 'xterm', holds: [1] },
      { pid: 10, comm: 'code', parent: 20, pts: 1, holds: [] },
      { pid: 11, comm: 'node', parent: 10, pts: 1, holds: [] },
      { pid: 500, comm: 'claude', parent: 11, pts: 1 },
    ];
    const { place } = await machineOf({ processes, windows: [window, { pid: 20, id: 301 }] }).locate(500);
    expect(place.window?.id).toBe(201);
  });

  it('says each step', async () => {
    const processes = [
      { pid: 10, comm: 'xterm', holds: [4] },
      { pid: 11, comm: 'bash', parent: 10, pts: 4 },
      session(11),
    ];
    const { hops } = await machineOf({ processes, windows: [window] }).locate(500);
    expect(hops).toEqual([
      { at: 'pid 500 claude', how: 'on /dev/pts/4' },
      { at: '/dev/pts/4', how: 'of pid 10 xterm: it holds the master side and is an ancestor' },
      { at: 'window 201 on workspace 1', how: 'the only window of xterm' },
    ]);
  });
});

describe('asking again', () => {
  it('looks at no descriptors while the session and its terminal live, and sees its new workspace', async () => {
    const processes = [{ pid: 10, comm: 'xterm', holds: [4] }, session(10)];
    const machine = machineOf({ processes, windows: [{ pid: 10, id: 201 }] });
    await machine.locate(500);
    const walked = machine.looked.filter((pid) => pid !== 10).length;
    const workspace = { name: '7', num: 7, output: 'fake-1' };
    machine.trees = [
      { desktop: 'i3', windows: (machine.trees[0]?.windows ?? []).map((w) => ({ ...w, workspace })) },
    ];
    expect((await machine.locate(500)).place.workspace).toEqual(workspace);
    expect(machine.looked.filter((pid) => pid !== 10)).toHaveLength(walked);
  });

  it('walks anew when the terminal is another one', async () => {
    const machine = machineOf({
      processes: [{ pid: 10, comm: 'xterm', holds: [4] }, session(10)],
      windows: [
        { pid: 10, id: 201 },
        { pid: 20, id: 301 },
      ],
    });
    await machine.locate(500);
    // As reptyr does it.
    machine.processes = [
      { pid: 20, comm: 'st', holds: [9] },
      { pid: 500, comm: 'claude', parent: 20, pts: 9 },
    ];
    expect((await machine.locate(500)).place.window?.id).toBe(301);
  });

  it('knows that a tab may hide it where the terminal holds more terminals than windows', async () => {
    const processes = [{ pid: 10, comm: 'gnome-terminal-', holds: [4, 5] }, session(10)];
    const { mayBeHidden } = await machineOf({ processes, windows: [{ pid: 10 }] }).locate(500);
    expect(mayBeHidden).toBe(true);
    const alone = [{ pid: 10, comm: 'gnome-terminal-', holds: [4] }, session(10)];
    expect(
      (await machineOf({ processes: alone, windows: [{ pid: 10 }] }).locate(500)).mayBeHidden,
    ).toBeUndefined();
  });
});

describe('a background session', () => {
  const processes = [
    { pid: 10, comm: 'xterm', holds: [4] },
    { pid: 300, comm: 'claude', parent: 10, pts: 4 },
    { pid: 500, comm: 'claude', pts: 16 },
    { pid: 501, comm: 'bg-pty-host', holds: [16] },
  ];

  it('is where it is attached', async () => {
    const machine = machineOf({ processes, windows: [{ pid: 10, id: 201 }] });
    const { place } = await machine.locator.locate({ key: machine.key(500), attachedBy: [300] });
    expect(place).toMatchObject({ certainty: 'exact', window: { id: 201 } });
  });

  it('is nowhere while nothing is attached, and says what attaches it', async () => {
    const machine = machineOf({ processes, windows: [{ pid: 10, id: 201 }] });
    const whereabouts = { key: machine.key(500), attachedBy: [], attachId: 'e905a0db' };
    const { place } = await machine.locator.locate(whereabouts);
    expect(place).toMatchObject({
      certainty: 'none',
      reason: 'runs in the background, and no window shows it (claude attach e905a0db does)',
    });
    expect(await machine.locator.showPane(whereabouts)).toMatchObject({
      done: false,
      hint: 'run in a terminal: claude attach e905a0db',
    });
  });
});
