import { type ChildProcess, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgram } from './started.ts';
import { ended, until } from './world.ts';

/** A headless sway with windows of foot on its outputs. */
export interface Sway {
  /** WAYLAND_DISPLAY, SWAYSOCK and the rest, for programs that belong into it. */
  readonly env: NodeJS.ProcessEnv;
  spawn(command: string, ...args: readonly string[]): ChildProcess;
  /** Opens a window on an output; gives the pid of what runs in it. */
  open(output: string): Promise<number>;
  end(): Promise<void>;
}

/** Which of these programs the machine lacks; null: none. */
export function missingPrograms(...programs: readonly string[]): string | null {
  const missing = programs.filter(
    (program) => spawnSync('sh', ['-c', 'command -v "$0"', program]).status !== 0,
  );
  return missing.length === 0 ? null : missing.join(', ');
}

/** sway refuses to run as root; in a namespace where root has another number it does not, and the files stay its own. */
const asUser =
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'] : [];

export async function startSway(
  folder: string,
  home: NodeJS.ProcessEnv,
  outputs: readonly string[],
): Promise<Sway> {
  const told = join(folder, 'sway.env');
  const config = join(folder, 'sway.conf');
  writeFileSync(
    config,
    `xwayland disable\nfocus_follows_mouse no\nexec env >${told}.draft && mv ${told}.draft ${told}\n`,
  );
  const headless = {
    WLR_BACKENDS: 'headless',
    WLR_HEADLESS_OUTPUTS: `${outputs.length}`,
    WLR_LIBINPUT_NO_DEVICES: '1',
    WLR_RENDERER: 'pixman',
  };
  const asThatUser = (env: NodeJS.ProcessEnv, command: string, args: readonly string[]) => {
    const [program = command, ...words] = [...asUser, command, ...args];
    return startProgram(program, words, { env, stdio: 'ignore' });
  };
  const sway = asThatUser({ ...home, ...headless }, 'sway', ['-c', config]);
  await until(() => existsSync(told), 'sway');
  const names = /^(WAYLAND_DISPLAY|SWAYSOCK|I3SOCK)=(.*)$/gm;
  const env: NodeJS.ProcessEnv = {
    ...home,
    ...Object.fromEntries(
      [...readFileSync(told, 'utf8').matchAll(names)].map(([, name, value]) => [name, value]),
    ),
  };
  const started: ChildProcess[] = [];
  const run = (command: string, ...args: readonly string[]) => {
    const child = asThatUser(env, command, args);
    started.push(child);
    return child;
  };
  const command = (text: string) => {
    if (spawnSync('swaymsg', [text], { env }).status !== 0) throw new Error(`swaymsg ${text} failed`);
  };
  const countWindows = () =>
    spawnSync('swaymsg', ['-t', 'get_tree'], { env, encoding: 'utf8' }).stdout.match(/"app_id": "foot/g)
      ?.length;
  run('foot', '--server');
  await until(
    () => existsSync(join(env.XDG_RUNTIME_DIR ?? '', `foot-${env.WAYLAND_DISPLAY}.sock`)),
    'the server of foot',
  );
  let windows = 0;
  return {
    env,
    spawn: run,
    async open(output) {
      const file = join(folder, `window-${++windows}`);
      command(`focus output ${output}`);
      command(`workspace ${windows}`);
      run('footclient', '--no-wait', 'sh', '-c', `echo $$ >${file} && exec sleep 3600`);
      await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '', 'a program in foot');
      await until(() => countWindows() === windows, 'its window');
      return Number(readFileSync(file, 'utf8'));
    },
    async end() {
      for (const child of [...started, sway]) child.kill();
      await Promise.all([...started, sway].map(ended));
    },
  };
}
