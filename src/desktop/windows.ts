import type { Workspace } from '../sessions/place.ts';
import type { DesktopWindow } from './desktop.ts';
import { type TreeNode, treeNode } from './i3ipc/types.ts';

/** The workspace under which i3 and sway keep hidden scratchpad windows. */
const scratchpad = '__i3_scratch';

interface Step {
  readonly node: unknown;
  readonly output: string | null;
  readonly workspace: Workspace | null;
}

/**
 * The windows of a GET_TREE reply, in tree order. `pid` is filled from sway's tree and null under i3, which
 * does not know it. Bars and other docks are no windows here.
 *
 * @throws when the root is not a node at all: the reply is to be dropped then
 */
export function windowsOf(tree: unknown): DesktopWindow[] {
  if (!treeNode.safeParse(tree).success) throw new Error('the tree has no root');
  const windows: DesktopWindow[] = [];
  const steps: Step[] = [{ node: tree, output: null, workspace: null }];
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const parsed = treeNode.safeParse(step.node);
    if (!parsed.success || parsed.data.type === 'dockarea') continue;
    const node = parsed.data;
    const output = node.type === 'output' ? (node.name ?? null) : step.output;
    const workspace = node.type === 'workspace' ? workspaceOf(node, output) : step.workspace;
    const isWindow = (node.window ?? node.pid ?? node.shell ?? null) !== null;
    if (isWindow) windows.push(windowOf(node, workspace));
    // A stack: the last one in comes out first.
    for (const child of [...(node.nodes ?? []), ...(node.floating_nodes ?? [])].reverse()) {
      steps.push({ node: child, output, workspace });
    }
  }
  return windows;
}

function workspaceOf(node: TreeNode, output: string | null): Workspace | null {
  const { name, num } = node;
  if (typeof name !== 'string' || name === scratchpad) return null;
  return { name, num: typeof num === 'number' && num >= 0 ? num : null, output };
}

function windowOf(node: TreeNode, workspace: Workspace | null): DesktopWindow {
  return {
    conId: node.id,
    id: node.window ?? null,
    // sway sends a null name until the client has set one.
    title: node.name ?? node.window_properties?.title ?? '',
    focused: node.focused ?? false,
    pid: node.pid ?? null,
    appId: node.app_id ?? node.window_properties?.class ?? null,
    workspace,
    urgent: node.urgent ?? false,
  };
}
