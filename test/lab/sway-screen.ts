// The screen of a lab under sway: pictures by grim, a virtual pointer, keys by wtype.
import { join } from 'node:path';
import { readPpm } from './picture.ts';
import { type Screen, screenshotOf } from './screen.ts';
import type { Shell } from './shell.ts';
import { openVirtualPointer } from './virtual-pointer.ts';

/** xdotool's names of keys that are held, as wtype has them. */
const held: Readonly<Record<string, string>> = { super: 'logo', ctrl: 'ctrl', shift: 'shift', alt: 'alt' };

export interface SwayScreen extends Screen {
  /** The pointer goes; nothing else has to be given back. */
  closePointer(): void;
}

export async function swayScreenOf(
  shell: Shell,
  size: { readonly width: number; readonly height: number },
): Promise<SwayScreen> {
  const { XDG_RUNTIME_DIR = '', WAYLAND_DISPLAY = '' } = shell.env;
  const pointer = await openVirtualPointer(join(XDG_RUNTIME_DIR, WAYLAND_DISPLAY), size);
  const picture = async () => readPpm(await shell.bytes('grim', ['-t', 'ppm', '-']));
  return {
    picture,
    screenshot: screenshotOf(picture),
    pointer,
    async key(...keys) {
      for (const key of keys) {
        const parts = key.split('+');
        const name = parts.pop() ?? '';
        const modifiers = parts.map((part) => held[part.toLowerCase()] ?? part);
        const down = modifiers.flatMap((modifier) => ['-M', modifier]);
        const up = modifiers.flatMap((modifier) => ['-m', modifier]);
        await shell.output('wtype', [...down, '-k', name, ...up]);
      }
    },
    type: async (text) => void (await shell.output('wtype', ['-d', '5', text])),
    closePointer: () => pointer.close(),
  };
}
