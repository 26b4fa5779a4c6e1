// The lab's window manager, asked through its own i3-msg or swaymsg: a second opinion on what tsmux believes.
import { until } from '../support/until.ts';
import type { Running, Shell } from './shell.ts';

export interface TreeNode {
  readonly id: number;
  readonly type: string;
  readonly name: string | null;
  /** X window id; null for containers, and for Wayland windows. */
  readonly window?: number | null;
  readonly window_properties?: {
    readonly class?: string;
    readonly instance?: string;
    readonly title?: string;
  };
  /** sway only, and on windows only. */
  readonly pid?: number;
  readonly app_id?: string | null;
  readonly focused: boolean;
  readonly urgent: boolean;
  readonly fullscreen_mode: number;
  readonly rect: Rect;
  readonly nodes: readonly TreeNode[];
  readonly floating_nodes: readonly TreeNode[];
}

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Workspace {
  readonly name: string;
  readonly num: number;
  readonly output: string;
  readonly focused: boolean;
  readonly visible: boolean;
  /** Without what the bars take. */
  readonly rect: Rect;
}

/** A window of an application, as the tree shows it. */
export interface Window {
  readonly conId: number;
  /** Null where it is no window of an X server. */
  readonly windowId: number | null;
  /** The process it belongs to, where the tree says it. */
  readonly pid: number | null;
  readonly title: string;
  /** X11 class, or Wayland app_id. */
  readonly class: string;
  readonly workspace: string;
  readonly output: string;
  readonly focused: boolean;
}

export interface WindowManager<W extends Window = Window> {
  /** Runs a command; throws with the window manager's own words when any part of it failed. */
  command(command: string): Promise<void>;
  /** A name as one word of a command. */
  quoted(name: string): string;
  tree(): Promise<TreeNode>;
  workspaces(): Promise<Workspace[]>;
  /** All application windows, the scratchpad's too; bars are none. */
  windows(): Promise<W[]>;
  window(conId: number): Promise<W | undefined>;
  focused(): Promise<W | undefined>;
  /** Collects events (`window`, `workspace`, …) from now on; resolves when the subscription was accepted. */
  subscribe(...events: readonly string[]): Promise<Subscription>;
  /** Goes to a workspace that was never used in this lab, and gives its name. */
  freshWorkspace(): Promise<string>;
}

export interface Subscription {
  events(): { readonly change: string; readonly container?: TreeNode; readonly current?: TreeNode }[];
  close(): void;
}

function windowsIn(node: TreeNode, workspace = '', output = ''): Window[] {
  if (node.type === 'dockarea') return [];
  const here = node.type === 'workspace' ? (node.name ?? '') : workspace;
  const there = node.type === 'output' ? (node.name ?? '') : output;
  const below = [...node.nodes, ...node.floating_nodes].flatMap((child) => windowsIn(child, here, there));
  const windowId = node.window ?? null;
  const pid = node.pid ?? null;
  if (windowId === null && pid === null) return below;
  const self = {
    conId: node.id,
    windowId,
    pid,
    title: node.name ?? '',
    class: node.app_id ?? node.window_properties?.class ?? '',
    workspace: here,
    output: there,
    focused: node.focused,
  };
  return [self, ...below];
}

/** In a command of i3 a quote within quotes is escaped by a backslash; sway would keep that one, and has two kinds of quotes. */
const quoting = {
  'i3-msg': (name: string) => `"${name.replace(/["\\]/g, '\\$&')}"`,
  swaymsg: (name: string) => (name.includes('"') ? `'${name}'` : `"${name}"`),
};

export function windowManagerOf(shell: Shell, client: 'i3-msg' | 'swaymsg'): WindowManager {
  const ask = async (type: string) => JSON.parse(await shell.output(client, ['-t', type]));
  const tree = (): Promise<TreeNode> => ask('get_tree');
  const windows = async () => windowsIn(await tree());
  const command = async (text: string) => {
    const { stdout, stderr } = await shell.run(client, [text]);
    const replies = JSON.parse(stdout) as { success: boolean; error?: string }[];
    const failed = replies.find((reply) => !reply.success);
    if (failed !== undefined) throw new Error(`${client}: ${text}: ${failed.error ?? stderr}`);
  };
  let fresh = 0;

  return {
    command,
    quoted: quoting[client],
    tree,
    windows,
    workspaces: () => ask('get_workspaces'),
    window: async (conId) => (await windows()).find((window) => window.conId === conId),
    focused: async () => (await windows()).find((window) => window.focused),
    async subscribe(...events) {
      // The client says nothing when the subscription stands; the tick that comes first of all does.
      const names = JSON.stringify([...events, 'tick']);
      const running: Running = shell.spawn(client, ['-t', 'subscribe', '-m', names]);
      const all = () => running.lines().map((line) => JSON.parse(line));
      await until(() => all().some((event) => event.first === true), {
        why: 'the subscription',
        saw: running.stderr,
      });
      return { events: () => all().filter((event) => !('first' in event)), close: () => running.kill() };
    },
    async freshWorkspace() {
      const name = `fresh-${++fresh}`;
      await command(`workspace ${name}`);
      return name;
    },
  };
}
