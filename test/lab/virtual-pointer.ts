/**
 * A pointer for a compositor that has none: the wire protocol of Wayland (wayland.freedesktop.org/docs, "Wire Format") and
 * wlr-virtual-pointer-unstable-v1. A headless sway tells its clients of no pointer until somebody makes one, so this
 * one stays as long as the lab does.
 */
import { connect, type Socket } from 'node:net';
import type { Pointer } from './screen.ts';

/** The object that is there from the start. */
const display = 1;

const managerName = 'zwlr_virtual_pointer_manager_v1';
/** linux/input-event-codes.h. */
const buttons = [0x110, 0x112, 0x111];

const word = (...values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value >>> 0, index * 4);
  return bytes;
};

/** Its length with the NUL, then the text, filled up to whole words. */
function string(text: string): Buffer {
  const bytes = Buffer.from(`${text}\0`);
  return Buffer.concat([word(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

interface Message {
  readonly object: number;
  readonly opcode: number;
  readonly body: Buffer;
}

/** Messages that are complete, and the bytes after them. */
function split(bytes: Buffer): { messages: Message[]; rest: Buffer } {
  const messages: Message[] = [];
  let at = 0;
  while (bytes.length - at >= 8) {
    const sizeAndOpcode = bytes.readUInt32LE(at + 4);
    const size = sizeAndOpcode >>> 16;
    if (bytes.length - at < size) break;
    const body = bytes.subarray(at + 8, at + size);
    messages.push({ object: bytes.readUInt32LE(at), opcode: sizeAndOpcode & 0xffff, body });
    at += size;
  }
  return { messages, rest: bytes.subarray(at) };
}

export interface VirtualPointer extends Pointer {
  close(): void;
}

/** `size`: of all outputs together, in pixels. */
export async function openVirtualPointer(
  path: string,
  size: { readonly width: number; readonly height: number },
): Promise<VirtualPointer> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const connecting = connect(path, () => resolve(connecting));
    connecting.once('error', reject);
  });
  // A compositor takes ids only in their order.
  let last = display;
  const newId = () => ++last;
  const registry = newId();
  const waiting = new Map<number, (done: Error | null) => void>();
  const globals = new Map<string, number>();
  const fail = (error: Error) => {
    for (const done of waiting.values()) done(error);
    waiting.clear();
  };

  function take({ object, opcode, body }: Message): void {
    if (object === registry && opcode === 0) {
      const length = body.readUInt32LE(4);
      globals.set(body.toString('utf8', 8, 8 + length - 1), body.readUInt32LE(0));
    } else if (object === display && opcode === 0) {
      fail(new Error(`the compositor refused a request on object ${body.readUInt32LE(0)}: ${body}`));
    } else {
      waiting.get(object)?.(null);
      waiting.delete(object);
    }
  }

  let unread: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    const { messages, rest } = split(Buffer.concat([unread, chunk]));
    unread = rest;
    for (const message of messages) take(message);
  });
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the compositor is gone')));
  // The lab ends when the tests do, not when this socket does.
  socket.unref();

  const request = (object: number, opcode: number, ...parts: readonly Buffer[]) => {
    const body = Buffer.concat(parts);
    socket.write(Buffer.concat([word(object, ((8 + body.length) << 16) | opcode), body]));
  };
  /** `wl_display.sync`: resolves when the compositor has done everything that was asked before. */
  const done = () =>
    new Promise<void>((resolve, reject) => {
      const callback = newId();
      waiting.set(callback, (error) => (error === null ? resolve() : reject(error)));
      request(display, 0, word(callback));
    });

  request(display, 1, word(registry));
  await done();
  const name = globals.get(managerName);
  if (name === undefined) throw new Error(`the compositor has no ${managerName}`);
  const manager = newId();
  request(registry, 0, word(name), string(managerName), word(1, manager));
  const pointer = newId();
  // Any seat: 0 stands for none.
  request(manager, 0, word(0, pointer));
  await done();

  const now = () => Date.now() % 2 ** 32;
  const frame = () => request(pointer, 4);

  const move = async (x: number, y: number) => {
    request(pointer, 1, word(now(), x, y, size.width, size.height));
    frame();
    await done();
  };
  /** One notch of a wheel: 15 units of 24.8 fixed point, as libinput counts them. */
  const turnWheel = async (down: boolean) => {
    request(pointer, 5, word(0));
    request(pointer, 7, word(now(), 0, (down ? 15 : -15) * 256, down ? 1 : -1));
    frame();
    await done();
  };
  const press = async (code: number) => {
    for (const state of [1, 0]) {
      request(pointer, 2, word(now(), code, state));
      frame();
      await done();
    }
  };

  return {
    move,
    async click(x, y, button = 1) {
      await move(x, y);
      if (button === 4 || button === 5) return turnWheel(button === 5);
      await press(buttons[button - 1] ?? 0x110);
    },
    close: () => socket.destroy(),
  };
}
