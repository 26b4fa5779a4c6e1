import { join, resolve } from 'node:path';
import { type HookScripts, type HooksTarget, hookPaths, hookScriptsFor } from '../claude/settings.ts';
import type { Context } from './context.ts';

/** What `setup` installs for this user on this machine, and where; `doctor` compares with it. */
export function hooksTarget(
  { env, paths, entry }: Context,
  configDir: string | undefined,
): { readonly target: HooksTarget; readonly scripts: HookScripts; readonly client: string } {
  const target = {
    configDir: resolve(configDir ?? configDirs(env, paths.home)[0] ?? paths.home),
    hooks: hookPaths(paths.data),
    stateDir: paths.state,
  };
  const { scripts, client } = hookScriptsFor({
    socket: paths.socket,
    node: process.execPath,
    tsmux: entry,
    path: env.PATH,
  });
  return { target, scripts, client: client.kind };
}

/** The configuration directories of Claude Code that are known without looking at processes; the user's own first. */
export function configDirs(env: Context['env'], home: string): readonly string[] {
  const usual = join(home, '.claude');
  const given = env.CLAUDE_CONFIG_DIR;
  return given === undefined || given === '' || given === usual ? [usual] : [given, usual];
}
