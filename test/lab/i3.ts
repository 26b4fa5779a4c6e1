import { until } from '../support/until.ts';
import type { Shell } from './shell.ts';
import { type TreeNode, type Window, type WindowManager, windowManagerOf } from './window-manager.ts';

export interface XWindow extends Window {
  readonly windowId: number;
}

export interface I3 extends WindowManager<XWindow> {
  /** The bars' own windows, one for each output that shows one. */
  bars(): Promise<TreeNode[]>;
  /** Restarts in place: sockets close, windows stay. */
  restart(): Promise<void>;
}

function barsIn(node: TreeNode): TreeNode[] {
  const below = [...node.nodes, ...node.floating_nodes].flatMap(barsIn);
  return node.window_properties?.class === 'i3bar' ? [node, ...below] : below;
}

export function i3Of(shell: Shell): I3 {
  const any = windowManagerOf(shell, 'i3-msg');
  const windows = async () =>
    (await any.windows()).flatMap(({ windowId, ...rest }) =>
      windowId === null ? [] : [{ ...rest, windowId }],
    );
  return {
    ...any,
    windows,
    window: async (conId) => (await windows()).find((window) => window.conId === conId),
    focused: async () => (await windows()).find((window) => window.focused),
    bars: async () => barsIn(await any.tree()),
    async restart() {
      // The reply may be lost with the socket.
      await shell.run('i3-msg', ['restart']);
      await until(async () => (await shell.run('i3-msg', ['-t', 'get_version'])).status === 0, {
        why: 'i3 after its restart',
      });
    },
  };
}
