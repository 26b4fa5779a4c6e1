// The lab's screen: pictures of it, and the pointer and keys that act on it.
import { type Picture, readXwd } from './picture.ts';
import type { Shell } from './shell.ts';

export interface Screen {
  picture(): Promise<Picture>;
  /** Writes a PNG and gives the picture. */
  screenshot(path: string): Promise<Picture>;
  readonly pointer: Pointer;
  /** Real key presses, for the window that has the focus: `key('ctrl+c')`, `key('Return')`. */
  key(...keys: readonly string[]): Promise<void>;
  type(text: string): Promise<void>;
}

export interface Pointer {
  move(x: number, y: number): Promise<void>;
  /** Buttons: 1 left, 2 middle, 3 right, 4 and 5 the wheel. `holding`: modifiers, as xdotool names them. */
  click(x: number, y: number, button?: number, holding?: readonly string[]): Promise<void>;
}

export function screenshotOf(picture: () => Promise<Picture>): Screen['screenshot'] {
  return async (path) => {
    const taken = await picture();
    await taken.save(path);
    return taken;
  };
}

export function xScreenOf(shell: Shell): Screen {
  const xdotool = (...args: string[]) => shell.output('xdotool', args);
  const picture = async () => readXwd(await shell.bytes('xwd', ['-root', '-silent']));
  return {
    picture,
    screenshot: screenshotOf(picture),
    pointer: {
      move: async (x, y) => void (await xdotool('mousemove', `${x}`, `${y}`)),
      async click(x, y, button = 1, holding = []) {
        const down = holding.flatMap((key) => ['keydown', key]);
        const up = holding.flatMap((key) => ['keyup', key]);
        await xdotool('mousemove', `${x}`, `${y}`, ...down, 'click', `${button}`, ...up);
      },
    },
    key: async (...keys) => void (await xdotool('key', '--clearmodifiers', ...keys)),
    type: async (text) => void (await xdotool('type', '--delay', '5', text)),
  };
}
