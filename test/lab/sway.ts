/**
 * The lab of lab.ts on Wayland: sway without a screen (wlroots' headless backend, drawn by the processor), XWayland, swaybar,
 * the same terminals, and a virtual pointer. sway refuses root, as whom the lab runs as a plain user anyway.
 *
 *     const lab = await startSwayLab({ outputs: 2, bar: { command: 'tsmux i3bar', output: 'HEADLESS-1' } });
 *     const web = await lab.terminal('foot', { workspace: '3: web' });
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.ts';
import { barConfig, barFont, barsOf, firstOf } from './bar.ts';
import { commandsOf, type Ground, layGround, startBus } from './ground.ts';
import type { AnyLab, LabOptions } from './lab.ts';
import { type Environment, type Running, type Shell, shellOf } from './shell.ts';
import { swayScreenOf } from './sway-screen.ts';
import { swaybarStandingOf } from './swaybar.ts';
import { terminalsOf } from './terminals.ts';
import { type WindowManager, windowManagerOf } from './window-manager.ts';

export interface SwayLab extends AnyLab {
  readonly sway: WindowManager;
}

const width = 1280;
const height = 720;

/** The session that sway starts says by itself where its sockets are. */
export interface Sway {
  readonly running: Running;
  /** WAYLAND_DISPLAY, DISPLAY and SWAYSOCK, as its programs have them. */
  readonly env: Environment;
}

export async function startSwayLab(options: LabOptions = {}): Promise<SwayLab> {
  const ground = await layGround(options.env);
  const { account } = ground;
  const outputs = options.outputs ?? 1;
  try {
    const bare = shellOf(account, ground.env);
    const bus = await startBus(bare);
    const env = { ...ground.env, DBUS_SESSION_BUS_ADDRESS: bus };

    const given = options.bar ?? [];
    const specs = 'command' in given ? [given] : given;
    const config = [
      `font ${barFont}`,
      'focus_follows_mouse no',
      ...Array.from(
        { length: outputs },
        (_, index) =>
          `output HEADLESS-${index + 1} resolution ${width}x${height} position ${index * width} 0`,
      ),
      // What the bus starts by itself, such as gnome-terminal's server, shows its windows here.
      'exec dbus-update-activation-environment WAYLAND_DISPLAY DISPLAY SWAYSOCK I3SOCK',
      ...specs.map((spec, index) => barConfig(spec, index, ground)),
      options.config ?? '',
    ].join('\n');
    const sway = await startSway(shellOf(account, env), ground, config, outputs);

    const shell = shellOf(account, { ...env, ...sway.env });
    const manager = windowManagerOf(shell, 'swaymsg');
    const screen = await swayScreenOf(shell, { width: width * outputs, height });
    ground.atStop(() => screen.closePointer());
    const bars = barsOf(specs, ground, screen, swaybarStandingOf(manager));
    await Promise.all(bars.map((bar) => bar.rect()));
    await manager.command('focus output HEADLESS-1');

    return {
      ...ground,
      ...shell,
      ...screen,
      ...commandsOf(shell, ground),
      uid: account.uid,
      manager,
      sway: manager,
      bars,
      get bar() {
        return firstOf(bars);
      },
      freshWorkspace: manager.freshWorkspace,
      terminal: terminalsOf(shell, manager, ground.makeFolder('terminals')),
    };
  } catch (error) {
    await ground.stop();
    throw error;
  }
}

let started = 0;

/** Starts sway and waits until its programs run. */
export async function startSway(
  shell: Shell,
  ground: Pick<Ground, 'folder' | 'makeFolder'>,
  config: string,
  outputs: number,
): Promise<Sway> {
  const folder = ground.makeFolder(`sway-${++started}`);
  const path = join(folder, 'config');
  const told = join(folder, 'env');
  // The last line: what stands before it has been read.
  writeFileSync(path, `${config}\nexec env >${told}.draft && mv ${told}.draft ${told}\n`);
  const running = shell.spawn('sway', ['-c', path], {
    env: {
      WLR_BACKENDS: 'headless',
      WLR_HEADLESS_OUTPUTS: `${outputs}`,
      WLR_LIBINPUT_NO_DEVICES: '1',
      WLR_RENDERER: 'pixman',
    },
  });
  await until(() => existsSync(told), { why: 'sway', limit: 15_000, every: 5, saw: running.stderr });
  const names = ['WAYLAND_DISPLAY', 'DISPLAY', 'SWAYSOCK', 'I3SOCK'];
  const env = readFileSync(told, 'utf8')
    .split('\n')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)
    .filter(([name]) => names.includes(name));
  return { running, env: Object.fromEntries(env) };
}
