// A window manager over a real Unix socket, as far as tsmux talks to one, with the manners of i3 or of sway.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDecoder, encode } from '../../src/desktop/i3ipc/codec.ts';
import { eventType, messageType } from '../../src/desktop/i3ipc/types.ts';

export interface FakeWindow {
  readonly id: number;
  readonly name?: string | null;
  readonly window?: number | null;
  readonly pid?: number;
  readonly focused?: boolean;
  readonly urgent?: boolean;
  readonly workspace?: string;
}

export interface FakeWm {
  readonly path: string;
  windows: readonly FakeWindow[];
  /** What GET_TREE answers with instead of `windows`, once, as bytes. */
  nextTree: Buffer | null;
  /** Requests get no reply. */
  deaf: boolean;
  /** Bytes in each write; 0 for all at once. */
  pieces: number;
  commandReply: unknown;
  readonly commands: readonly string[];
  /** Payloads of SUBSCRIBE. */
  readonly subscriptions: readonly string[];
  treesSent(): number;
  connections(): number;
  event(name: keyof typeof eventType | number, payload: unknown): void;
  raw(bytes: Buffer): void;
  /** Closes its connections; goes on listening. */
  hangUp(): void;
  listen(): Promise<void>;
  /** Stops listening as well; the socket's file goes, as Node.js does it. */
  quit(): Promise<void>;
  /** Ends all of it, also after `quit`. */
  close(): Promise<void>;
}

export function treeOf(windows: readonly FakeWindow[], output = 'HDMI-1'): unknown {
  const workspaces = [...new Set(windows.map(({ workspace }) => workspace ?? '1'))];
  return {
    id: 1,
    type: 'root',
    nodes: [
      {
        id: 2,
        type: 'output',
        name: output,
        nodes: workspaces.map((name, index) => ({
          id: 10 + index,
          type: 'workspace',
          name,
          num: Number.parseInt(name, 10) || -1,
          nodes: windows
            .filter(({ workspace }) => (workspace ?? '1') === name)
            .map(({ workspace: _, ...window }) => ({
              type: 'con',
              name: 'a window',
              nodes: [],
              floating_nodes: [],
              ...window,
            })),
        })),
      },
    ],
  };
}

/** Without a path it listens in a folder of its own, which `close` removes. */
export async function fakeWm(kind: 'i3' | 'sway', path?: string): Promise<FakeWm> {
  const folder = path === undefined ? mkdtempSync(join(tmpdir(), 'tsmux-wm-')) : null;
  const sockets = new Set<Socket>();
  const commands: string[] = [];
  const subscriptions: string[] = [];
  let trees = 0;
  let server: Server | null = null;

  const wm: FakeWm = {
    path: path ?? join(folder ?? '', 'ipc.sock'),
    windows: [],
    nextTree: null,
    deaf: false,
    pieces: 0,
    commandReply: [{ success: true }],
    commands,
    subscriptions,
    treesSent: () => trees,
    connections: () => sockets.size,
    event: (name, payload) =>
      send(encode(typeof name === 'number' ? name : eventType[name], JSON.stringify(payload), true)),
    raw: (bytes) => send(bytes),
    hangUp: () => {
      for (const socket of sockets) socket.destroySoon();
    },
    listen: () =>
      new Promise((resolve, reject) => {
        server = createServer(serve).on('error', reject);
        server.listen(wm.path, resolve);
      }),
    quit: async () => {
      wm.hangUp();
      await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
      server = null;
    },
    close: async () => {
      await wm.quit();
      if (folder !== null) rmSync(folder, { recursive: true, force: true });
    },
  };

  function send(bytes: Buffer, to: Iterable<Socket> = sockets): void {
    const size = wm.pieces || bytes.length;
    for (const socket of to) {
      socket.setNoDelay(true);
      for (let at = 0; at < bytes.length; at += size) socket.write(bytes.subarray(at, at + size));
    }
  }

  function answer(type: number, payload: string): Buffer | unknown {
    if (type === messageType.version) {
      return kind === 'sway'
        ? { human_readable: '1.9', variant: 'sway' }
        : { human_readable: '4.22 (2023-01-02)' };
    }
    if (type === messageType.subscribe) {
      subscriptions.push(payload);
      // sway 1.7 does not know the event `output`, and takes nothing after it in the same list.
      return { success: kind === 'i3' || !payload.includes('output') };
    }
    if (type === messageType.command) {
      commands.push(payload);
      return wm.commandReply;
    }
    trees += 1;
    const given = wm.nextTree;
    wm.nextTree = null;
    return given ?? treeOf(wm.windows);
  }

  function serve(socket: Socket): void {
    const decode = createDecoder();
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      for (const { type, payload } of decode(chunk)) {
        if (wm.deaf) continue;
        const reply = answer(type, payload.toString());
        const body = Buffer.isBuffer(reply) ? reply : Buffer.from(JSON.stringify(reply));
        const header = encode(type);
        header.writeUInt32LE(body.length, 6);
        send(Buffer.concat([header, body]), [socket]);
      }
    });
  }

  await wm.listen();
  return wm;
}
