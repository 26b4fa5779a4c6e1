import { isAbsolute, join } from 'node:path';

/** The folders that tsmux uses. What exists is for the one who opens them to find out. */
export interface Paths {
  /** 0700; holds the socket and the lock. */
  readonly runtime: string;
  readonly socket: string;
  /** Where hooks leave what happened. */
  readonly inbox: string;
  readonly state: string;
  readonly config: string;
  readonly data: string;
  readonly home: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** XDG Base Directory Specification: a path that is not absolute is to be ignored. */
function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/**
 * Without XDG_RUNTIME_DIR: /run/user/UID where systemd made it, else a folder in the temporary directory that
 * bears the uid; who creates it must check that it is a real directory, his own, with mode 0700.
 */
export function pathsOf(env: Environment, uid: number, runtimeDirExists: (path: string) => boolean): Paths {
  const home = absolute(env.HOME) ?? homeOfAccount();
  const systemd = `/run/user/${uid}`;
  const given = absolute(env.XDG_RUNTIME_DIR);
  const base =
    given !== undefined && runtimeDirExists(given) ? given : runtimeDirExists(systemd) ? systemd : undefined;
  const runtime = base === undefined ? join(os().tmpdir(), `tsmux-${uid}`) : join(base, 'tsmux');
  return {
    runtime,
    socket: join(runtime, 'tsmux.sock'),
    inbox: join(runtime, 'inbox'),
    state: join(absolute(env.XDG_STATE_HOME) ?? join(home, '.local/state'), 'tsmux'),
    config: join(absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config'), 'tsmux'),
    data: join(absolute(env.XDG_DATA_HOME) ?? join(home, '.local/share'), 'tsmux'),
    home,
  };
}

/** Reading it takes longer than all else here, and nearly every environment says what it would. */
const os = () => process.getBuiltinModule('node:os');

/** Where HOME is not set, as under some supervisors, the account's entry in passwd(5) tells it. */
function homeOfAccount(): string {
  try {
    return os().userInfo().homedir;
  } catch {
    return '/';
  }
}
