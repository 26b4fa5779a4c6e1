import * as z from 'zod/mini';

/**
 * What tsmux reads of the replies and events of i3 and sway. Both grow with every version, so a field that is
 * of another type counts as not sent, and the rest of the message stands.
 */

/** i3 docs, "IPC interface", section 3.1. */
export const messageType = { command: 0, subscribe: 2, tree: 4, version: 7 } as const;
export type MessageType = (typeof messageType)[keyof typeof messageType];

/** Section 4; the numbers are those of the event's type without the high bit. */
export const eventType = { workspace: 0, output: 1, window: 3, shutdown: 6 } as const;
export type EventName = keyof typeof eventType;

/** The name of an event that was subscribed to; null for any other. */
export function eventName(type: number): EventName | null {
  for (const [name, number] of Object.entries(eventType)) if (number === type) return name as EventName;
  return null;
}

/** Absent is the usual case, and without an error that would have to be caught: a tree has hundreds of nodes. */
const text = z.catch(z.nullish(z.string()), null);
const flag = z.catch(z.optional(z.boolean()), false);
/** i3 sends pointers as ids, up to 2^56: whole in a double, but above any int32. */
const id = z.int().check(z.positive());
const children = z.catch(z.optional(z.array(z.unknown())), []);

/** One node of the tree. Its children are parsed one by one, so that a bad one costs only itself. */
export const treeNode = z.object({
  id,
  type: text,
  name: text,
  /** i3: the output's name, on every node below it. */
  output: text,
  num: z.catch(z.nullish(z.int()), null),
  focused: flag,
  urgent: flag,
  /** X11 window id; null for containers and Wayland windows. */
  window: z.catch(z.nullish(id.check(z.lt(2 ** 32))), null),
  window_properties: z.catch(z.nullish(z.object({ class: text, title: text })), null),
  /** sway only. */
  pid: z.catch(z.nullish(id), null),
  app_id: text,
  /** sway only, and on windows only: `xdg_shell` or `xwayland`. */
  shell: text,
  nodes: children,
  floating_nodes: children,
});
export type TreeNode = z.infer<typeof treeNode>;

/** `container` of a window event is the window, or in i3 its wrapper where it goes to or from the scratchpad. */
export const windowEvent = z.object({
  change: text,
  container: z.catch(z.nullish(z.pick(treeNode, { id: true, name: true, window: true })), null),
});

export const shutdownEvent = z.object({ change: text });

/** One entry for each command of the request. */
export const commandReply = z.array(z.object({ success: flag, error: text }));

export const subscribeReply = z.object({ success: flag });

export const versionReply = z.object({
  human_readable: text,
  /** Sent by sway and its kin only. */
  variant: text,
});
