import { existsSync, realpathSync } from 'node:fs';
import { type Client, type ClientParts, createClient } from '../daemon/client.ts';
import { type Paths, pathsOf } from '../system/paths.ts';

/** What every command starts from. */
export interface Context {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uid: number;
  readonly paths: Paths;
  /** Starts a daemon when none runs. */
  readonly client: Client;
  /** Takes only a daemon that runs. */
  readonly idleClient: Client;
  readonly clientParts: ClientParts;
  /** The file that was started as `tsmux`, with an absolute path. */
  readonly entry: string;
}

export function contextOf(env: Context['env'], program: string): Context {
  const uid = process.getuid?.() ?? 0;
  const paths = pathsOf(env, uid, existsSync);
  const entry = realpathSync(program);
  const parts: ClientParts = { paths, uid, env, entry, say };
  return {
    env,
    uid,
    paths,
    entry,
    clientParts: parts,
    client: createClient(parts),
    idleClient: createClient({ ...parts, entry: null }),
  };
}

/** What goes on while the user waits is for him, and not for a script. */
function say(words: string): void {
  if (process.stderr.isTTY) process.stderr.write(`tsmux: ${words}\n`);
}
