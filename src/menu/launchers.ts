import { Failure } from '../system/failure.ts';
import { findProgram } from '../system/find-program.ts';

type Environment = Readonly<Record<string, string | undefined>>;

interface Launcher {
  readonly program: string;
  /** With these it shows the lines of its stdin, and prints the chosen one. */
  readonly args: readonly string[];
  /** What it can draw on. */
  readonly on: readonly ('wayland' | 'x11')[];
}

/** The first that fits is taken: those of Wayland before those that need Xwayland. */
export const launchers: readonly Launcher[] = [
  // fuzzel(1), DMENU MODE
  { program: 'fuzzel', args: ['--dmenu', '--prompt', 'tsmux '], on: ['wayland'] },
  // wofi(1); wofi(5): the user's own configuration may allow markup and images, and these lines have neither.
  {
    program: 'wofi',
    args: ['--dmenu', '--insensitive', '-p', 'tsmux', '-D', 'allow_markup=false', '-D', 'allow_images=false'],
    on: ['wayland'],
  },
  // rofi-dmenu(5)
  { program: 'rofi', args: ['-dmenu', '-i', '-no-custom', '-p', 'tsmux'], on: ['x11'] },
  // bemenu(1)
  { program: 'bemenu', args: ['-i', '-l', '15', '-p', 'tsmux'], on: ['wayland', 'x11'] },
  // dmenu(1)
  { program: 'dmenu', args: ['-i', '-l', '15', '-p', 'tsmux'], on: ['x11'] },
];

/**
 * The program and arguments that the user configured, or else of the first launcher that is there.
 *
 * @throws Failure when there is none.
 */
export function launcherFor(env: Environment, configured: readonly string[]): readonly string[] {
  if (configured.length > 0) return configured;
  const displays = [
    ...(env.WAYLAND_DISPLAY ? (['wayland'] as const) : []),
    ...(env.DISPLAY ? (['x11'] as const) : []),
  ];
  if (displays.length === 0) {
    throw new Failure('failed', 'neither DISPLAY nor WAYLAND_DISPLAY is set', 'run it inside of the desktop');
  }
  const fitting = launchers.filter(({ on }) => on.some((display) => displays.includes(display)));
  for (const { program, args } of fitting) {
    const path = findProgram(program, env.PATH);
    if (path !== null) return [path, ...args];
  }
  const names = fitting.map(({ program }) => program).join(', ');
  throw new Failure(
    'failed',
    `no launcher was found (${names})`,
    'install one, or set command of [menu] in config.toml',
  );
}
