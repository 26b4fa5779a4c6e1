import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { type Lab, startLab } from './lab.ts';
import { type LabLocator, locatorIn } from './locator.ts';
import type { Terminal } from './terminals.ts';

let lab: Lab;
let locator: LabLocator;
let count = 0;

beforeAll(async () => {
  lab = await startLab();
  locator = await locatorIn(lab);
  // No terminal of these tests is the first window that is there.
  await lab.terminal('xterm', { workspace: '9', title: 'not this one' });
});
afterAll(() => lab?.stop());

/** A command that stands for Claude Code, and its pid once it runs. */
function session() {
  const file = join(lab.runtime, `session-${++count}.pid`);
  return {
    command: ['sh', '-c', `echo $$ >${file}; exec sleep 1000`] as const,
    pid: () =>
      until(() => existsSync(file) && Number(readFileSync(file, 'utf8')), {
        why: 'the session',
        limit: 10_000,
      }),
  };
}

const xterm = (command: readonly string[], env: Record<string, string> = {}): Promise<Terminal> =>
  lab.terminal('xterm', { workspace: `w${++count}`, command, env });

async function isIn(terminal: Terminal, pid: number, pane: object | null): Promise<void> {
  const { workspace } = await terminal.window();
  await until(
    async () => {
      expect((await locator.locate(pid)).place).toMatchObject({
        certainty: 'exact',
        window: { id: terminal.windowId },
        workspace: { name: workspace },
        pane,
      });
      return true;
    },
    { why: 'the session in its window' },
  );
}

async function isNowhere(pid: number, reason: RegExp): Promise<void> {
  await until(
    async () => {
      expect((await locator.locate(pid)).place).toMatchObject({ certainty: 'none', window: null });
      expect((await locator.locate(pid)).place.reason).toMatch(reason);
      return true;
    },
    { why: 'the session to be nowhere' },
  );
}

describe('a session in tmux', () => {
  const socket = () => join(lab.runtime, `tmux-${count}.sock`);
  let server = '';
  const tmux = async (...args: string[]) =>
    (await lab.output('tmux', ['-f', '/dev/null', '-S', server, ...args])).trim();
  const client = (name: string, ...more: string[]) =>
    xterm(['tmux', '-f', '/dev/null', '-S', server, 'attach', '-t', name, ...more]);

  beforeEach(() => {
    count += 1;
    server = socket();
  });
  afterEach(() => lab.run('tmux', ['-S', server, 'kill-server']));

  async function start(name: string, env: Record<string, string> = {}): Promise<number> {
    const { command, pid } = session();
    await lab.output('tmux', ['-f', '/dev/null', '-S', server, 'new-session', '-d', '-s', name, ...command], {
      env,
    });
    return pid();
  }

  it('is where its client is; detached: nowhere; attached elsewhere: there', async () => {
    const pid = await start('work');
    await isNowhere(pid, /^tmux session work has no client attached$/);
    const first = await client('work');
    await isIn(first, pid, { kind: 'tmux', id: '%0', focused: true });
    await tmux('detach-client', '-s', 'work');
    await isNowhere(pid, /^tmux session work has no client attached$/);
    const second = await client('work');
    await isIn(second, pid, { kind: 'tmux', id: '%0' });
  });

  it('is, with several clients, where its pane is shown, and is brought there when asked', async () => {
    const pid = await start('work');
    await tmux('new-window', '-t', 'work', 'cat');
    await tmux('split-window', '-t', 'work:0', 'cat');
    await tmux('new-session', '-d', '-t', 'work', '-s', 'grouped');
    await tmux('select-window', '-t', 'work:1');
    await tmux('select-window', '-t', 'grouped:0');
    const other = await client('work');
    const shows = await client('grouped');
    // Its window is shown there, with another pane active.
    await isIn(shows, pid, { id: '%0', focused: false });
    expect(await locator.showPane(pid)).toEqual({ done: true });
    await isIn(shows, pid, { id: '%0', focused: true });
    expect(await tmux('display-message', '-p', '-t', 'work:', '#{window_index}')).toBe('1');

    await tmux('detach-client', '-s', 'grouped');
    await isIn(other, pid, { focused: false });
    expect(await locator.paneFocus(pid)).toBe(false);
    expect(await locator.showPane(pid)).toEqual({ done: true });
    expect(await tmux('display-message', '-p', '-t', 'work:', '#{window_index} #{pane_id}')).toBe('0 %0');
    await until(() => locator.paneFocus(pid), { why: 'the focus' });
  });

  it('is found without TMUX, with that of another server, and with a WINDOWID of elsewhere', async () => {
    const { command, pid } = session();
    const wrap = (...env: string[]) => ['new-window', '-t', 'work', 'env', ...env, ...command];
    await start('work', { WINDOWID: '1' });
    await tmux(...wrap('-u', 'TMUX', '-u', 'TMUX_PANE'));
    const terminal = await client('work');
    await isIn(terminal, await pid(), { kind: 'tmux', id: '%1' });

    const stale = session();
    await tmux('new-window', '-t', 'work', 'env', 'TMUX=/tmp/none,1,0', 'WINDOWID=1', ...stale.command);
    await isIn(terminal, await stale.pid(), { kind: 'tmux', id: '%2' });
  });

  it('is not in tmux where its terminal was only started from a pane', async () => {
    await start('work');
    const { command, pid } = session();
    const server = await tmux('display-message', '-p', '#{pid}');
    const terminal = await xterm(['env', `TMUX=${socket()},${server},0`, 'TMUX_PANE=%0', ...command]);
    await isIn(terminal, await pid(), null);
  });

  it('is not attached by a control client', async () => {
    const pid = await start('work');
    const control = lab.spawn('tmux', ['-S', server, '-C', 'attach', '-t', 'work']);
    await until(() => control.stdout().includes('%session-changed'), { why: 'the control client' });
    await isNowhere(pid, /has no client attached/);
    control.stdin.end();
    await control.finished;
  });

  it('is found in a tmux within a tmux', async () => {
    const pid = await start('inner');
    const outer = join(lab.runtime, `outer-${count}.sock`);
    const attach = ['env', '-u', 'TMUX', 'tmux', '-S', server, 'attach', '-t', 'inner'];
    const terminal = await xterm([
      'tmux',
      '-f',
      '/dev/null',
      '-S',
      outer,
      'new-session',
      '-s',
      'out',
      ...attach,
    ]);
    await isIn(terminal, pid, { kind: 'tmux', id: '%0', focused: true });
    await lab.output('tmux', ['-S', outer, 'new-window', 'cat']);
    await isIn(terminal, pid, { focused: false });
    expect(await locator.showPane(pid)).toEqual({ done: true });
    await isIn(terminal, pid, { focused: true });
    await lab.run('tmux', ['-S', outer, 'kill-server']);
  });
});

describe('a session in another program that has terminals', () => {
  it('is in screen, wherever that is attached, and nowhere while it is detached', async () => {
    const { command, pid } = session();
    const terminal = await xterm(['screen', '-c', '/dev/null', '-S', 'work', ...command]);
    await isIn(terminal, await pid(), { kind: 'screen', id: '0', focused: true });
    await lab.run('screen', ['-S', 'work', '-X', 'screen', 'cat']);
    await isIn(terminal, await pid(), { focused: false });
    expect(await locator.showPane(await pid())).toEqual({ done: true });
    await lab.run('screen', ['-S', 'work', '-X', 'detach']);
    await isNowhere(await pid(), /^screen \d+\.work is detached$/);
    const again = await xterm(['screen', '-c', '/dev/null', '-r', 'work']);
    await isIn(again, await pid(), { kind: 'screen' });
    await lab.run('screen', ['-S', 'work', '-X', 'quit']);
  });

  it('is in script', async () => {
    const { command, pid } = session();
    const words = command.map((word) => `'${word}'`).join(' ');
    const terminal = await xterm(['script', '-q', '-c', words, '/dev/null']);
    await isIn(terminal, await pid(), { kind: 'script', focused: true });
  });

  it('is in a terminal of Neovim', async () => {
    const { command, pid } = session();
    const words = command.map((word) => `'${word.replaceAll("'", "''")}'`).join(', ');
    const terminal = await xterm(['nvim', '--clean', '-c', `call termopen([${words}])`]);
    await isIn(terminal, await pid(), { kind: 'nvim', focused: false });
  });

  it('is in a wrapper that passes its terminal through, and not in a server that happens to have one', async () => {
    const wrapped = session();
    const python = (command: readonly string[], raw: boolean) => [
      'python3',
      '-c',
      raw
        ? `import pty; pty.spawn(${JSON.stringify(command)})`
        : `import os, pty\npid, fd = pty.fork()\nif pid == 0: os.execvp("sh", ${JSON.stringify(command)})\nos.read(fd, 1)\nos.waitpid(pid, 0)`,
    ];
    const terminal = await xterm(python(wrapped.command, true));
    await isIn(terminal, await wrapped.pid(), null);

    const served = session();
    await xterm(python(served.command, false));
    await isNowhere(await served.pid(), /does not show it in a window here/);
  });

  it('is found although it has no terminal of its own any more, as after su -c', async () => {
    const { command, pid } = session();
    const terminal = await xterm(['setsid', '--fork', '--wait', ...command]);
    await isIn(terminal, await pid(), null);
  });

  it('c24: is found although its parents have ended', async () => {
    const { command, pid } = session();
    const words = command.map((word) => `'${word}'`).join(' ');
    const terminal = await xterm(['sh', '-c', `(${words} &); exec cat`]);
    await isIn(terminal, await pid(), null);
  });
});

describe('a session in kitty with remote control', () => {
  it('is in its window and tab, and its tab is shown when asked', async () => {
    const socket = join(lab.runtime, 'kitty.sock');
    const kitty = lab.spawn(
      'kitty',
      ['--config', 'NONE', '-o', 'allow_remote_control=yes', '--listen-on', `unix:${socket}`, 'cat'],
      { env: { LIBGL_ALWAYS_SOFTWARE: '1' } },
    );
    const ask = async (...args: string[]) => lab.output('kitty', ['@', '--to', `unix:${socket}`, ...args]);
    await until(async () => (await lab.run('kitty', ['@', '--to', `unix:${socket}`, 'ls'])).status === 0, {
      why: 'kitty',
      limit: 20_000,
    });
    const first = session();
    const second = session();
    await ask('launch', '--type=os-window', ...first.command);
    await ask('launch', '--type=tab', '--match', 'recent:0', ...second.command);
    const shown = await locator.locate(await second.pid(), { titleNonce: false });
    expect(shown.place).toMatchObject({ certainty: 'exact', pane: { kind: 'kitty', focused: true } });
    const hidden = await locator.locate(await first.pid(), { titleNonce: false });
    expect(hidden.place).toMatchObject({
      window: { id: shown.place.window?.id },
      pane: { kind: 'kitty', focused: false },
    });
    expect(await locator.showPane(await first.pid())).toEqual({ done: true });
    await until(async () => locator.paneFocus(await first.pid()), { why: 'the tab' });
    kitty.kill();
    // kitty draws without a graphics card here, and its remote control starts anew for each command.
  }, 60_000);
});
