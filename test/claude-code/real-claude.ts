import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Account, labAccount } from '../lab/account.ts';
import type { AnyLab } from '../lab/lab.ts';
import { type DrivenClaude, drive } from '../stand-in/driven.ts';
import { openFoot } from '../stand-in/foot.ts';
import { openKitty } from '../stand-in/kitty.ts';
import { openPty, openTmux, openXterm, type Program } from '../stand-in/terminals.ts';
import { until } from '../support/until.ts';
import { type Model, startModel } from './model-server.ts';
import { type Namespace, startNamespace } from './namespace.ts';
import type { Folders } from './scenarios.ts';

export type Version = '2.1.332' | '2.1.197';
export const VERSIONS: readonly Version[] = ['2.1.332', '2.1.197'];

export interface StartOptions {
  readonly version: Version;
  readonly in: 'tmux' | 'xterm' | 'foot' | 'kitty' | 'pty';
  /** Permission mode as the command line calls it; null: nothing is said of it. */
  readonly mode?: 'manual' | 'plan' | 'acceptEdits' | 'auto' | 'bypassPermissions' | null;
  readonly cwd?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** It has the MCP server `shop` (mcp-server.mjs); 2.1.197 does not wait for one: a tool called too early is not there. */
  readonly shop?: boolean;
  /** Do not wait until it is idle. */
  readonly early?: boolean;
}

/** A home with a project in it, a scripted model that no one else can reach, and real Claude Code sessions. */
export interface ClaudeWorld {
  readonly home: string;
  readonly folders: Folders;
  readonly model: Model;
  readonly account: Account;
  /** Environment of the sessions, without that of a terminal. */
  readonly env: Readonly<Record<string, string>>;
  readonly wrap: NonNullable<Program['wrap']>;
  readonly tmuxSocket: string;
  /** Starts a session and waits until it is idle. */
  start(options: StartOptions): Promise<DrivenClaude>;
  /** Writes the user's settings.json, as the user owns it. */
  settings(value: object): void;
  /** Makes another project, which nobody trusts yet; gives its path. */
  project(name: string): string;
  /** Makes another configuration folder in the home, with settings of its own; gives its path. */
  configDir(name: string, settings: object): string;
  stop(): Promise<void>;
}

function programOf(version: Version): string {
  const program = join(
    import.meta.dirname,
    '../../.cache/claude-code',
    version,
    `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  );
  if (!existsSync(program))
    throw new Error(`no Claude Code ${version}: run: node scripts/install-claude.mjs`);
  return program;
}

/** manual is what 2.1.332 calls the mode that is "default" in all payloads, and in 2.1.197 on the command line as well. */
function modeArguments(version: Version, mode: StartOptions['mode'] = 'manual'): readonly string[] {
  if (mode === null) return [];
  return ['--permission-mode', version === '2.1.197' && mode === 'manual' ? 'default' : mode];
}

/** @param sign the file that the server makes when Claude Code knows its tools. */
function shopServer(sign: string) {
  const shop = { command: process.execPath, args: [join(import.meta.dirname, 'mcp-server.mjs'), sign] };
  return {
    args: ['--mcp-config', JSON.stringify({ mcpServers: { shop } })],
    known: () => until(() => existsSync(sign), { why: 'the MCP server', limit: 20_000 }),
  };
}

function makeProject(folder: string): void {
  mkdirSync(join(folder, 'src'), { recursive: true });
  const cart = 'export function sum(items: number[]) {\n  let total = 0;\n  return total;\n}\n';
  writeFileSync(join(folder, 'src/cart.ts'), cart);
  execFileSync('git', ['init', '-q', '-b', 'main', folder]);
  // Without a commit there can be no worktree.
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', ['-C', folder, ...who, 'commit', '-q', '--allow-empty', '-m', 'The shop']);
}

/** @param lab a desktop to live on; its user, home and environment are used, and sessions can be in its terminals. */
export async function startClaudeWorld(lab?: AnyLab): Promise<ClaudeWorld> {
  const root = mkdtempSync(join(tmpdir(), 'tsmux-claude-'));
  chmodSync(root, 0o755);
  const isRoot = process.getuid?.() === 0;
  // Ends whatever carries the folder in its environment, and removes it, also when the test run was killed. For
  // root it finds a user that no other test has now.
  const guard = spawn('/bin/sh', [join(import.meta.dirname, '../lab/guard.sh'), root], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  });
  const free = lab === undefined && isRoot ? String((await once(guard.stdout, 'data'))[0]).trim() : undefined;
  const account = await labAccount(lab?.env.USER ?? free);
  const home = lab?.home ?? join(root, 'home');
  const folders: Folders = {
    project: join(home, 'code/webshop'),
    outside: join(root, 'outside'),
    configDir: join(home, '.claude'),
  };
  for (const folder of [folders.outside, folders.configDir]) mkdirSync(folder, { recursive: true });
  makeProject(folders.project);
  // Onboarding was done and the folder is trusted: no dialog at the first start.
  const trusted = {
    hasTrustDialogAccepted: true,
    hasCompletedProjectOnboarding: true,
    projectOnboardingSeenCount: 4,
  };
  const state = {
    numStartups: 5,
    hasCompletedOnboarding: true,
    bypassPermissionsModeAccepted: true,
    theme: 'dark',
    lastOnboardingVersion: '2.1.332',
    customApiKeyResponses: { approved: [API_KEY.slice(-20)], rejected: [] },
    projects: { [folders.project]: trusted },
  };
  writeFileSync(join(home, '.claude.json'), JSON.stringify(state), { mode: 0o600 });
  const own = (path: string) => execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, path]);
  own(root);
  own(home);

  const modelSocket = join(root, 'model.sock');
  const model = await startModel({ socket: modelSocket, folders });
  const namespace: Namespace = await startNamespace(modelSocket);
  const wrap: ClaudeWorld['wrap'] = (command, args) => namespace.inside(...account.as(command, args));
  const env = {
    PATH: process.env.PATH ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TERM: 'xterm-256color',
    SHELL: '/bin/bash',
    USER: account.name,
    LOGNAME: account.name,
    ...lab?.env,
    HOME: home,
    TSMUX_CLAUDE_WORLD: root,
    ANTHROPIC_BASE_URL: namespace.modelUrl,
    ANTHROPIC_API_KEY: API_KEY,
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
  };
  const tmuxSocket = join(root, 'tmux.sock');
  const sessions: DrivenClaude[] = [];

  async function start(what: StartOptions): Promise<DrivenClaude> {
    const cwd = what.cwd ?? folders.project;
    const nth = sessions.length;
    const shop = what.shop === true ? shopServer(join(folders.outside, `shop-${nth}`)) : null;
    const program: Program = {
      command: programOf(what.version),
      args: [...modeArguments(what.version, what.mode), ...(what.args ?? []), ...(shop?.args ?? [])],
      cwd,
      env: { ...env, ...what.env },
      wrap,
    };
    const open = {
      tmux: () => openTmux(program, { socket: tmuxSocket, session: `s${nth}` }),
      xterm: () => openXterm(program, join(root, `xterm-${nth}.log`)),
      foot: () => openFoot(program, join(root, `foot-${nth}`)),
      kitty: () => openKitty(program, join(root, `kitty-${nth}.sock`)),
      pty: () => openPty(program),
    };
    const terminal = await open[what.in]();
    const claude = drive(terminal, what.env?.CLAUDE_CONFIG_DIR ?? folders.configDir, cwd);
    sessions.push(claude);
    if (what.early !== true) await claude.is('idle');
    await shop?.known();
    return claude;
  }

  return {
    home,
    folders,
    model,
    account,
    env,
    wrap,
    tmuxSocket,
    start,
    settings: (value) => {
      const file = join(folders.configDir, 'settings.json');
      writeFileSync(file, JSON.stringify(value, null, 2));
      own(file);
    },
    project: (name) => {
      const folder = join(home, 'code', name);
      makeProject(folder);
      own(folder);
      return folder;
    },
    configDir: (name, value) => {
      const folder = join(home, name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'settings.json'), JSON.stringify(value, null, 2));
      writeFileSync(join(folder, '.claude.json'), JSON.stringify(state), { mode: 0o600 });
      own(folder);
      return folder;
    },
    stop: async () => {
      const swept = once(guard, 'exit');
      guard.stdin.end();
      await swept;
      await model.stop();
      await namespace.stop();
    },
  };
}

const API_KEY = 'sk-ant-not-a-key-for-anything';
