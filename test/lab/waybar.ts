// Waybar under the lab's sway: started as its user would start it, and looked at on the screen.
import { until } from '../support/until.ts';
import type { BarSpec } from './bar.ts';
import type { Running } from './shell.ts';
import type { SwayLab } from './sway.ts';
import { swaybarStandingOf } from './swaybar.ts';
import type { Rect } from './window-manager.ts';

export interface Waybar {
  readonly running: Running;
  /** Where it stands, on the first output or on this one. */
  rect(output?: string): Promise<Rect>;
  /** The pixels of a colour within it; null where there are none. */
  find(colour: string, output?: string): Promise<(Rect & { readonly pixels: number }) | null>;
  /** Waits until the colour is there, and until a click on it does something: what has just moved is inert. */
  shows(colour: string, output?: string): Promise<Rect>;
  lacks(colour: string, output?: string): Promise<void>;
  /** What Waybar has complained about. */
  complaints(): string[];
}

export interface WaybarFiles {
  /** Paths within the lab. */
  readonly config: string;
  readonly style: string;
  readonly position: 'top' | 'bottom';
  /** As many as have a bar. */
  readonly outputs: readonly string[];
}

/** Longer than what has appeared or moved is inert, ms. */
const inert = 700;

export async function startWaybar(lab: SwayLab, files: WaybarFiles): Promise<Waybar> {
  const running = lab.spawn('waybar', ['-c', files.config, '-s', files.style]);
  const standing = swaybarStandingOf(lab.sway);
  const spec: BarSpec = { command: 'waybar', position: files.position };
  const rect = (output = files.outputs[0]) => standing.bar(spec, output);
  const find = async (colour: string, output?: string) => {
    const found = (await lab.picture()).find(colour, await rect(output));
    // The edges of letters mix their colour with what is behind them, and may hit upon this one.
    return found !== null && found.pixels >= 50 ? found : null;
  };
  const said = () => `${running.stdout()}${running.stderr()}`;
  const bar: Waybar = {
    running,
    rect,
    find,
    async shows(colour, output) {
      let drawn: { readonly at: number; readonly text: string } = { at: 0, text: '' };
      return until(
        async () => {
          const now = await find(colour, output);
          const text = JSON.stringify(now);
          if (text !== drawn.text) drawn = { at: Date.now(), text };
          return now !== null && Date.now() - drawn.at >= inert ? now : null;
        },
        { why: `${colour} in Waybar`, limit: 10_000, every: 50, saw: said },
      );
    },
    async lacks(colour, output) {
      await until(async () => (await find(colour, output)) === null, {
        why: `no ${colour} in Waybar`,
        saw: said,
      });
    },
    complaints: () =>
      said()
        .split('\n')
        .filter((line) => /\[error\]|\[warning\]|Gtk-WARNING|markup/i.test(line)),
  };
  for (const output of files.outputs) await rect(output);
  return bar;
}
