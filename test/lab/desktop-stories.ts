// What is true of tsmux's desktop under every window manager, for `describe` to begin with; more `it` may follow.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createDesktop } from '../../src/desktop/create-desktop.ts';
import type { Desktop, DesktopWindow } from '../../src/desktop/desktop.ts';
import { createWindowManagers, type WindowManagers } from '../../src/desktop/window-managers.ts';
import { until } from '../support/until.ts';
import { type LabDesktop, surroundings, whereaboutsOf } from './desktops.ts';
import type { AnyLab } from './lab.ts';
import type { Terminal } from './terminals.ts';

/** What tsmux knows of the windows. */
export function storiesOfWindows<L extends AnyLab>({
  name,
  outputs,
  terminal: kind,
  ...desktop
}: LabDesktop<L>) {
  const now = {} as { lab: L; managers: WindowManagers };
  beforeAll(async () => {
    now.lab = await desktop.start();
  });
  afterAll(() => now.lab?.stop());
  beforeEach(async () => {
    now.managers = createWindowManagers({ ...surroundings(now.lab), onChange: () => {} });
    await now.managers.start();
  });
  afterEach(() => now.managers.stop());

  const windows = () => now.managers.all().flatMap((manager) => manager.tree()?.windows ?? []);
  const window = ({ conId, windowId }: Terminal) =>
    windows().find((one) => (windowId === null ? one.conId === conId : one.id === windowId));
  const shows = (terminal: Terminal, expected: Partial<DesktopWindow>) =>
    until(
      () => {
        expect(window(terminal)).toMatchObject(expected);
        return true;
      },
      { why: JSON.stringify(expected), saw: windows },
    );
  const command = (words: string) => now.lab.manager.command(words);
  const [first, second] = outputs;

  it('c1, g9: finds it with no environment at all, and whose each window is', async () => {
    const terminal = await now.lab.terminal(kind, { workspace: '3: web', title: 'shop' });
    await shows(terminal, {
      id: terminal.windowId,
      title: 'shop',
      pid: terminal.terminalPid,
      appId: expect.stringMatching(new RegExp(`^${kind}$`, 'i')),
      focused: false,
      workspace: { name: '3: web', num: 3, output: first },
    });
    await terminal.focus();
    await shows(terminal, { focused: true });
    const version = expect.stringMatching(/^\d/);
    expect(now.managers.all()).toMatchObject([{ desktop: name, version }]);
    await terminal.close();
    await until(() => window(terminal) === undefined, { why: 'the window to go' });
  });

  it('follows a window from workspace to workspace, c17: and a workspace that gets another name or output', async () => {
    const terminal = await now.lab.terminal(kind, { workspace: 'one' });
    await shows(terminal, { workspace: { name: 'one', num: null, output: first } });
    await command(`[con_id=${terminal.conId}] move to workspace two`);
    await shows(terminal, { workspace: { name: 'two', num: null, output: first } });
    await command('rename workspace two to "7: <b>seven</b>"');
    await shows(terminal, { workspace: { name: '7: <b>seven</b>', num: 7, output: first } });
    await command(`[con_id=${terminal.conId}] focus`);
    await command(`move workspace to output ${second}`);
    await shows(terminal, { workspace: { name: '7: <b>seven</b>', num: 7, output: second } });
    await command(`focus output ${first}`);
    await terminal.close();
  });

  it('sees a window in the scratchpad, and one that is urgent', async () => {
    const terminal = await now.lab.terminal(kind, { workspace: 'one' });
    await command(`focus output ${first}`);
    await command('workspace one');
    const { output } = await terminal.window();
    await command(`[con_id=${terminal.conId}] move scratchpad`);
    await shows(terminal, { workspace: null, focused: false });
    await command(`[con_id=${terminal.conId}] scratchpad show`);
    await shows(terminal, { workspace: { name: 'one', num: null, output }, focused: true });
    await now.lab.freshWorkspace();
    await shows(terminal, { focused: false, urgent: false });
    await desktop.urge(now.lab, terminal);
    await shows(terminal, { urgent: true });
    await terminal.close();
  });

  return { now, windows, window, shows };
}

/** What tsmux does with them. */
export function storiesOfGoing<L extends AnyLab>({ outputs, terminal: kind, ...labDesktop }: LabDesktop<L>) {
  const now = {} as { lab: L; desktop: Desktop };
  beforeAll(async () => {
    now.lab = await labDesktop.start();
    now.desktop = createDesktop({ ...surroundings(now.lab), titleNonce: false });
    await now.desktop.start();
  });
  afterAll(async () => {
    await now.desktop?.stop();
    await now.lab?.stop();
  });

  const command = (words: string) => now.lab.manager.command(words);
  const focused = () => now.lab.manager.focused();
  const goesTo = async (terminal: Terminal) => {
    expect(await now.desktop.go(whereaboutsOf(terminal))).toEqual({ done: true });
    const { conId, windowId } = terminal;
    // i3 gives new container ids when it restarts.
    expect(await focused()).toMatchObject(windowId === null ? { conId } : { windowId });
  };

  it('focuses the window, wherever it is', async () => {
    const web = await now.lab.terminal(kind, { workspace: '3: web' });
    const other = await now.lab.terminal('xterm', { workspace: 'other' });
    await goesTo(web);
    const beside = await now.lab.terminal(kind, { workspace: 'other' });
    await command(`[con_id=${other.conId}] focus, fullscreen enable`);
    await goesTo(beside);
    await goesTo(other);
    for (const terminal of [web, other, beside]) await terminal.close();
  });

  it('c17: goes to the right window after its workspace was renamed and moved', async () => {
    const web = await now.lab.terminal(kind, { workspace: 'before' });
    await now.desktop.locate(whereaboutsOf(web));
    const [first, second] = outputs;
    const output = (await web.window()).output === first ? second : first;
    await command('rename workspace before to after');
    await command(`[con_id=${web.conId}] focus`);
    await command(`move workspace to output ${output}`);
    await command('workspace before');
    await goesTo(web);
    expect(await focused()).toMatchObject({ workspace: 'after', output });
    await command(`focus output ${first}`);
    await web.close();
  });

  it('c18: stays where it is when it is there already, with workspace_auto_back_and_forth', async () => {
    await labDesktop.goBackAndForth(now.lab);
    const web = await now.lab.terminal(kind, { workspace: 'here' });
    await command('workspace elsewhere');
    for (const _ of [1, 2, 3]) {
      await goesTo(web);
      expect(await focused()).toMatchObject({ workspace: 'here' });
    }
    await web.close();
  });

  it('brings a window out of the scratchpad', async () => {
    const web = await now.lab.terminal(kind, { workspace: 'here' });
    await command(`[con_id=${web.conId}] move scratchpad`);
    const place = async () => (await now.desktop.locate(whereaboutsOf(web))).place;
    const isThere = async () => {
      const { certainty, workspace } = await place();
      return certainty === 'exact' && workspace === null;
    };
    await until(isThere, { why: 'the scratchpad', saw: place });
    await goesTo(web);
    await web.close();
  });

  it('says why it cannot go to a session whose window has been closed', async () => {
    const web = await now.lab.terminal(kind, { workspace: 'here' });
    const gone = whereaboutsOf(web);
    await web.close();
    expect(await now.desktop.go(gone)).toMatchObject({ done: false, why: 'its process is gone' });
  });

  return { now, goesTo };
}
