// The lab's window manager, asked through i3's own i3-msg: a second opinion on what tsmux believes.
import { until } from '../support/until.ts';
import type { Running, Shell } from './shell.ts';

export interface TreeNode {
  readonly id: number;
  readonly type: string;
  readonly name: string | null;
  /** X window id; null for containers. */
  readonly window: number | null;
  readonly window_properties?: {
    readonly class?: string;
    readonly instance?: string;
    readonly title?: string;
  };
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
}

/** A window of an application, as the tree shows it. */
export interface Window {
  readonly conId: number;
  readonly windowId: number;
  readonly title: string;
  readonly class: string;
  readonly workspace: string;
  readonly output: string;
  readonly focused: boolean;
}

export interface I3 {
  /** Runs an i3 command; throws with i3's own words when any part of it failed. */
  command(command: string): Promise<void>;
  tree(): Promise<TreeNode>;
  workspaces(): Promise<Workspace[]>;
  /** All application windows, the scratchpad's too; bars are none. */
  windows(): Promise<Window[]>;
  window(conId: number): Promise<Window | undefined>;
  focused(): Promise<Window | undefined>;
  /** The bars' own windows, one for each output that shows one. */
  bars(): Promise<TreeNode[]>;
  /** Collects events (`window`, `workspace`, …) from now on; resolves when i3 has accepted the subscription. */
  subscribe(...events: readonly string[]): Promise<Subscription>;
  /** Restarts in place: sockets close, windows stay. */
  restart(): Promise<void>;
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
  if (node.window === null) return below;
  const self = {
    conId: node.id,
    windowId: node.window,
    title: node.name ?? '',
    class: node.window_properties?.class ?? '',
    workspace: here,
    output: there,
    focused: node.focused,
  };
  return [self, ...below];
}

function barsIn(node: TreeNode): TreeNode[] {
  const below = [...node.nodes, ...node.floating_nodes].flatMap(barsIn);
  return node.window_properties?.class === 'i3bar' ? [node, ...below] : below;
}

export function i3Of(shell: Shell): I3 {
  const ask = async (...args: string[]) => JSON.parse(await shell.output('i3-msg', args));

  const tree = (): Promise<TreeNode> => ask('-t', 'get_tree');
  const windows = async () => windowsIn(await tree());

  return {
    async command(command) {
      const { stdout, stderr } = await shell.run('i3-msg', [command]);
      const replies = JSON.parse(stdout) as { success: boolean; error?: string }[];
      const failed = replies.find((reply) => !reply.success);
      if (failed !== undefined) throw new Error(`i3: ${command}: ${failed.error ?? stderr}`);
    },
    tree,
    windows,
    workspaces: () => ask('-t', 'get_workspaces'),
    window: async (conId) => (await windows()).find((window) => window.conId === conId),
    focused: async () => (await windows()).find((window) => window.focused),
    bars: async () => barsIn(await tree()),
    async subscribe(...events) {
      // i3-msg says nothing when the subscription stands; the tick that i3 sends first does.
      const names = JSON.stringify([...events, 'tick']);
      const running: Running = shell.spawn('i3-msg', ['-t', 'subscribe', '-m', names]);
      const all = () => running.lines().map((line) => JSON.parse(line));
      await until(() => all().some((event) => event.first === true), {
        why: 'the subscription',
        saw: running.stderr,
      });
      return { events: () => all().filter((event) => !('first' in event)), close: () => running.kill() };
    },
    async restart() {
      // The reply may be lost with the socket.
      await shell.run('i3-msg', ['restart']);
      await until(async () => (await shell.run('i3-msg', ['-t', 'get_version'])).status === 0, {
        why: 'i3 after its restart',
      });
    },
  };
}
