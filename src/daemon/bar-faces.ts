import type { Block } from '../bars/block.ts';
import { blocksOf } from '../bars/blocks.ts';
import type { SentBlock } from '../bars/inert.ts';
import { type KindName, kinds } from '../bars/kinds.ts';
import { columnsOf } from '../bars/piece.ts';
import type { Slot } from '../bars/slot-name.ts';
import { slotBlocks } from '../bars/slots.ts';
import { type Theme, themeOf } from '../bars/theme.ts';
import type { BarConfig, Config } from '../config/schema.ts';
import { displayNames } from '../sessions/labels.ts';
import type { Session, SessionId, Snapshot } from '../sessions/session.ts';
import type { Clock } from '../system/clock.ts';
import type { SlotKeeper } from './slot-keeper.ts';
import type { Snapshots } from './snapshots.ts';

/** Which bar is meant. */
export interface BarPlace {
  readonly kind: KindName;
  readonly slot: Slot | null;
  /** The output that it is on; null: whichever. */
  readonly output: string | null;
}

/** What a bar shows at one moment. */
export interface Face {
  readonly blocks: readonly Block[];
  /** As a click needs them. */
  readonly sent: readonly SentBlock[];
  /** Between the parts stands the number of the line. */
  readonly parts: readonly string[];
  /** Equal for lines that differ in nothing but their number. */
  readonly text: string;
}

export interface Faces {
  /** @param modules how many session slots are on screen beside this one. */
  of(place: BarPlace, modules: number): Face;
  /** Something changed: everything is drawn anew when it is asked for. */
  forget(): void;
}

/** What the bars on one output have in common at one moment. */
interface Scene {
  readonly snapshot: Snapshot;
  readonly names: ReadonlyMap<SessionId, string>;
  readonly theme: Theme;
}

/** The same for bars that show the same. */
export function keyOf({ kind, slot, output }: BarPlace): string {
  return JSON.stringify([kind, slot, output]);
}

/** Draws what bars show: each face once in a moment, however many bars show it. */
export function createFaces(parts: {
  readonly clock: Clock;
  readonly snapshots: Snapshots;
  readonly config: () => Config;
  readonly program: readonly string[];
  readonly slots: SlotKeeper;
}): Faces {
  const drawn = new Map<string, Face>();
  const scenes = new Map<string | null, Scene>();
  const themes = new WeakMap<BarConfig, Theme>();

  /** The same as long as the configuration is: what was drawn with it still holds. */
  function themeBy(bar: BarConfig): Theme {
    const theme = themes.get(bar) ?? themeOf(bar);
    themes.set(bar, theme);
    return theme;
  }

  function sceneOn(output: string | null): Scene {
    let scene = scenes.get(output);
    if (scene === undefined) {
      const { bar } = parts.config();
      const snapshot = onOutput(parts.snapshots.current(), output, bar);
      scene = { snapshot, names: displayNames(snapshot.sessions), theme: themeBy(bar) };
      scenes.set(output, scene);
    }
    return scene;
  }

  function draw({ kind, slot, output }: BarPlace, modules: number): Face {
    const { bar } = parts.config();
    const { snapshot, names, theme } = sceneOn(output);
    const around = { names, now: parts.clock.now(), settings: bar, theme };
    if (slot?.kind === 'session') {
      parts.slots.assign(output, snapshot.sessions, Math.max(modules, slot.number));
    }
    const blocks =
      slot === null ? blocksOf(snapshot, around) : slotBlocks(slot, parts.slots.of(output), snapshot, around);
    const view = {
      blocks,
      theme,
      sessions: snapshot.sessions.filter(({ state }) => bar.show.includes(state)),
      names,
      clicks: bar.clicks,
      program: parts.program,
      wrapped: bar.wrapped,
    };
    const rendered = kinds[kind].render(view);
    return {
      blocks,
      sent: blocks.map((block) => ({
        instance: block.instance,
        columns: columnsOf([block], theme),
        option: block.option,
      })),
      parts: rendered,
      text: rendered.join('\0'),
    };
  }

  return {
    of(place, modules) {
      const key = `${keyOf(place)} ${modules}`;
      let face = drawn.get(key);
      if (face === undefined) {
        face = draw(place, modules);
        drawn.set(key, face);
      }
      return face;
    },
    forget() {
      drawn.clear();
      scenes.clear();
    },
  };
}

/** A session that is on no output is on all bars: it would be on none else. */
function onOutput(snapshot: Snapshot, output: string | null, { outputs }: BarConfig): Snapshot {
  if (output === null || outputs === 'all') return snapshot;
  const isThere = ({ place }: Session) => (place.workspace?.output ?? output) === output;
  return { ...snapshot, sessions: snapshot.sessions.filter(isThere) };
}
