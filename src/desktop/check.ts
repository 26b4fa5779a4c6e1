import { homedir } from 'node:os';
import type { Check } from '../system/check.ts';
import { type Clock, systemClock } from '../system/clock.ts';
import { silentLog } from '../system/log.ts';
import type { DisplayEnvironment } from './desktop.ts';
import { realPath, type SocketPlaces, socketPlaces } from './sockets.ts';
import { createWindowManagers } from './window-managers.ts';
import type { WindowManager } from './wm.ts';

export interface Surroundings {
  readonly environment: DisplayEnvironment;
  readonly places: SocketPlaces;
  readonly home: string;
  readonly clock: Clock;
}

/** The window managers that answer, and whether it is known whose their windows are. */
export async function check(surroundings: Surroundings = own()): Promise<Check[]> {
  const managers = createWindowManagers({ ...surroundings, log: silentLog, onChange: () => {} });
  try {
    await managers.start();
    const found = managers.all();
    return [
      ...(found.length === 0 ? [absent()] : found.flatMap(checksOf)),
      ...staleVariables(surroundings.environment, found),
      ...polling(managers.polling()),
    ];
  } finally {
    managers.stop();
  }
}

function own(): Surroundings {
  return {
    environment: process.env,
    places: socketPlaces(process.env.XDG_RUNTIME_DIR, process.getuid?.() ?? 0),
    home: homedir(),
    clock: systemClock,
  };
}

function absent(): Check {
  return {
    name: 'window manager',
    status: 'absent',
    detail: 'no i3 and no sway answers',
    hint: 'start one; a running daemon finds it by itself',
  };
}

function checksOf(manager: WindowManager): Check[] {
  const windows = manager.tree()?.windows;
  const version = `${manager.desktop} ${manager.version} at ${manager.path}`;
  if (windows === undefined) {
    const hint = 'its log may say why; a window whose title is no UTF-8 can be the reason';
    return [{ name: manager.desktop, status: 'broken', detail: `${version} sends no usable tree`, hint }];
  }
  const answers: Check = { name: manager.desktop, status: 'ok', detail: version, hint: null };
  const unknown = windows.filter(({ pid }) => pid === null).length;
  if (unknown === 0) return [answers];
  return [
    answers,
    {
      name: 'owners of windows',
      status: unknown === windows.length ? 'broken' : 'warning',
      detail: `${unknown} of ${windows.length} windows do not tell whose they are`,
      hint:
        unknown === windows.length
          ? 'the X server may refuse tsmux: run this where DISPLAY and XAUTHORITY are set'
          : 'sessions in those are not found',
    },
  ];
}

/** A tmux server that outlived its i3 hands the old path to every new shell. */
function staleVariables(environment: DisplayEnvironment, found: readonly WindowManager[]): Check[] {
  return (['I3SOCK', 'SWAYSOCK'] as const).flatMap((name) => {
    const path = environment[name];
    if (path === undefined || path === '' || found.some((manager) => manager.path === realPath(path)))
      return [];
    return [
      {
        name,
        status: 'warning' as const,
        detail: `${path} is dead`,
        hint: found.length > 0 ? 'tsmux uses the one that answers' : null,
      },
    ];
  });
}

function polling(why: string | null): Check[] {
  if (why === null) return [];
  return [
    {
      name: 'inotify',
      status: 'warning',
      detail: `${why}: a window manager that starts later is found within half a minute`,
      hint: 'raise fs.inotify.max_user_watches and max_user_instances (sysctl)',
    },
  ];
}
