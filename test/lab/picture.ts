// A picture of the lab's screen, pixel by pixel.
import { writeFile } from 'node:fs/promises';
import { crc32, deflateSync } from 'node:zlib';
import type { Rect } from './window-manager.ts';

/** `#rrggbb`, lower case. */
export type Colour = string;

export interface Picture {
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): Colour;
  /** Where each colour stands within a part of the picture: the smallest rectangle around all of its pixels. */
  find(colour: Colour, within?: Rect): (Rect & { readonly pixels: number }) | null;
  /** Writes it, or a part of it, as PNG. */
  save(path: string, within?: Rect): Promise<void>;
}

/** X11/XWDFile.h: a header of 32-bit words, most significant byte first, then the colour map, then the rows. */
export function readXwd(dump: Buffer): Picture {
  const word = (index: number) => dump.readUInt32BE(index * 4);
  const [headerSize, width, height, byteOrder] = [word(0), word(4), word(5), word(7)];
  const [bitsPerPixel, bytesPerLine, colours] = [word(11), word(12), word(19)];
  // 24 where it had to put together windows of several depths.
  if (bitsPerPixel !== 32 && bitsPerPixel !== 24) throw new Error(`xwd: ${bitsPerPixel} bits a pixel`);
  const bytes = bitsPerPixel / 8;
  const pixels = dump.subarray(headerSize + colours * 12);
  const value = (x: number, y: number) => {
    const offset = y * bytesPerLine + x * bytes;
    const read = byteOrder === 0 ? pixels.readUIntLE(offset, bytes) : pixels.readUIntBE(offset, bytes);
    return read & 0xffffff;
  };
  return pictureOf(width, height, value);
}

/** ppm(5), as grim writes it: `P6 WIDTH HEIGHT 255`, one white space, then three bytes for each pixel. */
export function readPpm(dump: Buffer): Picture {
  const head = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(dump.subarray(0, 64).toString('latin1'));
  if (head === null) throw new Error('no portable pixmap');
  const [width, height] = [Number(head[1]), Number(head[2])];
  const pixels = dump.subarray(head[0].length);
  return pictureOf(width, height, (x, y) => pixels.readUIntBE((y * width + x) * 3, 3));
}

function pictureOf(width: number, height: number, value: (x: number, y: number) => number): Picture {
  return {
    width,
    height,
    at: (x, y) => `#${value(x, y).toString(16).padStart(6, '0')}`,
    find(colour, within = { x: 0, y: 0, width, height }) {
      const wanted = Number.parseInt(colour.slice(1), 16);
      let [left, top, right, bottom, count] = [width, height, -1, -1, 0];
      for (let y = within.y; y < within.y + within.height; y++)
        for (let x = within.x; x < within.x + within.width; x++) {
          if (value(x, y) !== wanted) continue;
          [left, top] = [Math.min(left, x), Math.min(top, y)];
          [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
          count++;
        }
      if (count === 0) return null;
      return { x: left, y: top, width: right - left + 1, height: bottom - top + 1, pixels: count };
    },
    async save(path, within = { x: 0, y: 0, width, height }) {
      const row = 1 + within.width * 3;
      const rows = Buffer.alloc(within.height * row);
      for (let y = 0; y < within.height; y++)
        for (let x = 0; x < within.width; x++)
          rows.writeUIntBE(value(within.x + x, within.y + y), y * row + x * 3 + 1, 3);
      await writeFile(path, png(within.width, within.height, rows));
    },
  };
}

/** PNG specification, 5.3 and 11.2: 8-bit RGB, each row with filter 0. */
function png(width: number, height: number, rows: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const around = Buffer.alloc(8);
    around.writeUInt32BE(data.length, 0);
    around.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
