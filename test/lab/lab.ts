/**
 * A real desktop for tests: an X server of its own (Xvfb), a D-Bus session bus, i3 with i3bar, terminals, tmux, and a
 * pointer; everything in a folder of its own and as a plain user, so that labs run beside each other and beside the desktop
 * of whoever runs the tests. Needs the Debian packages of scripts/install-desktop.mjs. sway.ts has the same on Wayland.
 *
 *     const lab = await startLab({ bar: { command: 'tsmux i3bar -- i3status' } });
 *     const web = await lab.terminal('xterm', { workspace: '3: web', title: 'web' });
 *     await until(() => lab.bar.blocks().length === 1, { why: 'a block' });
 *     await lab.bar.block('web').click();
 *     await lab.stop();
 */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { type Bar, type BarSpec, barConfig, barFont, barsOf, firstOf } from './bar.ts';
import { type Commands, commandsOf, type Ground, layGround, startBus } from './ground.ts';
import { type I3, i3Of } from './i3.ts';
import { i3barStandingOf } from './i3bar.ts';
import { type Screen, xScreenOf } from './screen.ts';
import { type Environment, type Shell, shellOf } from './shell.ts';
import {
  type Terminal,
  type TerminalKind,
  type TerminalOptions,
  terminalsOf,
  type XTerminal,
} from './terminals.ts';
import type { WindowManager } from './window-manager.ts';

export interface LabOptions {
  /** Each is 1280 × 720; the second stands right of the first. Names: `fake-0`, `fake-1`; under sway `HEADLESS-1` and `-2`. */
  readonly outputs?: 1 | 2;
  readonly bar?: BarSpec | readonly BarSpec[] | null;
  /** More lines of the window manager's configuration. */
  readonly config?: string;
  /** Added to the environment of everything in the lab. */
  readonly env?: Environment;
}

/** What a lab has whatever its window manager is. */
export interface AnyLab<T extends Terminal = Terminal> extends Shell, Screen, Commands, Omit<Ground, 'env'> {
  readonly uid: number;
  readonly manager: WindowManager;
  /** The first bar, and all of them. */
  readonly bar: Bar;
  readonly bars: readonly Bar[];
  terminal(kind: TerminalKind, options?: TerminalOptions): Promise<T>;
  /** Goes to a workspace that was never used in this lab, and gives its name. */
  freshWorkspace(): Promise<string>;
}

export interface Lab extends AnyLab<XTerminal> {
  readonly i3: I3;
}

const width = 1280;
const height = 720;

export async function startLab(options: LabOptions = {}): Promise<Lab> {
  const ground = await layGround(options.env);
  const { folder, runtime, account } = ground;
  try {
    const display = await startXvfb(shellOf(account, ground.env), width * (options.outputs ?? 1));
    // As on a real desktop, what the bus starts by itself knows the display.
    const bus = await startBus(shellOf(account, { ...ground.env, DISPLAY: display }));
    const i3env = { ...ground.env, DISPLAY: display, DBUS_SESSION_BUS_ADDRESS: bus };

    const given = options.bar ?? [];
    const specs = 'command' in given ? [given] : given;
    const config = [
      '# i3 config file (v4)',
      `font ${barFont}`,
      `fake-outputs ${['0', '1280']
        .slice(0, options.outputs ?? 1)
        .map((x) => `${width}x${height}+${x}+0`)
        .join(',')}`,
      'focus_follows_mouse no',
      'force_display_urgency_hint 0 ms',
      ...specs.map((spec, index) => barConfig(spec, index, ground)),
      options.config ?? '',
    ].join('\n');
    writeFileSync(join(folder, 'i3.conf'), `${config}\n`);
    const socket = await startI3(shellOf(account, i3env), join(folder, 'i3.conf'), runtime);

    const shell = shellOf(account, { ...i3env, I3SOCK: socket });
    const i3 = i3Of(shell);
    const screen = xScreenOf(shell);
    const bars = barsOf(specs, ground, screen, i3barStandingOf(i3));
    await until(async () => (await i3.bars()).length >= specs.length, { why: 'the bars' });
    // Else i3 starts where the pointer is: in the middle of both.
    await i3.command('focus output fake-0');

    return {
      ...ground,
      ...shell,
      ...screen,
      ...commandsOf(shell, ground),
      uid: account.uid,
      manager: i3,
      i3,
      bars,
      get bar() {
        return firstOf(bars);
      },
      freshWorkspace: i3.freshWorkspace,
      terminal: terminalsOf(shell, i3, ground.makeFolder('terminals')),
    };
  } catch (error) {
    await ground.stop();
    throw error;
  }
}

/** Xvfb finds a free display number itself and says it when it is ready: nothing to guess, nothing to race for. */
export async function startXvfb(shell: Shell, screenWidth: number): Promise<string> {
  const screen = ['-screen', '0', `${screenWidth}x${height}x24`, '-dpi', '96'];
  const server = shell.spawn('Xvfb', ['-displayfd', '1', ...screen, '-nolisten', 'tcp', '-noreset']);
  const [number] = await until(() => (server.lines().length > 0 ? server.lines() : null), {
    why: 'Xvfb',
    limit: 15_000,
    every: 2,
    saw: server.stderr,
  });
  return `:${number}`;
}

/** Gives the path of i3's socket, which bears its pid: `$XDG_RUNTIME_DIR/i3/ipc-socket.PID`. */
export async function startI3(shell: Shell, config: string, runtime: string): Promise<string> {
  const i3 = shell.spawn('i3', ['-c', config]);
  const socket = join(runtime, 'i3', `ipc-socket.${i3.pid}`);
  const ready = async () =>
    existsSync(socket) && (await shell.run('i3-msg', ['-s', socket, '-t', 'get_version'])).status === 0;
  await until(ready, {
    why: 'i3',
    limit: 15_000,
    every: 5,
    saw: () => [i3.stderr(), existsSync(runtime) && readdirSync(runtime)],
  });
  return socket;
}
