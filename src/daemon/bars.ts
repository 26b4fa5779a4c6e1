import * as z from 'zod/mini';
import { nextChange } from '../bars/ages.ts';
import type { Block } from '../bars/block.ts';
import { blocksOf, columnsOf } from '../bars/blocks.ts';
import { type Action, actionOf } from '../bars/clicks.ts';
import { type I3barLine, i3barBlocks } from '../bars/i3bar.ts';
import { afterSending, isInert, type Sent } from '../bars/inert.ts';
import { themeOf } from '../bars/theme.ts';
import type { Config } from '../config/schema.ts';
import type { Option } from '../sessions/prompt.ts';
import type { Cancel, Clock } from '../system/clock.ts';
import { Failure } from '../system/failure.ts';
import type { Snapshots } from './snapshots.ts';
import type { Lines } from './stream.ts';

/** The body of `POST /v1/click`. */
const clickBody = z.object({
  instance: z.string(),
  /** As X11 counts. */
  button: z.int(),
  /** The number of the line that the bar showed, and for how many ms it had been out. */
  line: z.nullish(z.int()),
  age: z.nullish(z.number()),
});

export interface Bars {
  /** @throws Failure for a kind of bar that there is not. */
  open(kind: string): Lines;
  /**
   * What is asked for, and for an option which one was shown where the click landed (null: not known).
   * @throws Failure `refused` while the block is inert.
   */
  click(body: unknown): { readonly action: Action; readonly shown: Option | null };
}

interface Face {
  readonly blocks: readonly Block[];
  /** What every bar of this kind shows, as JSON without the line's number. */
  readonly text: string;
}

/**
 * The bars that read along. A moment is rendered once, for all of them; it is rendered again when the snapshot
 * changed, or when time alone changes what stands there.
 */
export function createBars(parts: {
  readonly clock: Clock;
  readonly snapshots: Snapshots;
  readonly config: () => Config;
}): Bars {
  const { clock, snapshots } = parts;
  const readers = new Set<() => void>();
  const streams = new Set<{ sent: Sent }>();
  let face: Face | null = null;
  let minute: Cancel | null = null;
  // Numbers of an earlier daemon, which a bar may still show, are never given out again.
  let line = clock.now();

  function currentFace(): Face {
    if (face !== null) return face;
    const { bar } = parts.config();
    const theme = themeOf(bar);
    const blocks = blocksOf(snapshots.current(), { now: clock.now(), settings: bar, theme });
    const shown: Omit<I3barLine, 'line'> = { blocks: i3barBlocks(blocks, theme), wrapped: bar.wrapped };
    face = { blocks, text: JSON.stringify(shown).slice(1) };
    return face;
  }

  function refresh(): void {
    face = null;
    for (const reader of [...readers]) reader();
    awaitMinute();
  }

  function awaitMinute(): void {
    minute?.();
    const now = clock.now();
    const next = readers.size === 0 ? null : nextChange(snapshots.current(), now);
    minute = next === null ? null : clock.after(Math.max(next - now, 0), refresh);
  }

  snapshots.subscribe(() => {
    if (readers.size > 0) refresh();
    else face = null;
  });

  return {
    open(kind) {
      if (kind !== 'i3bar') throw new Failure('no-such-route', `there is no bar ${kind}`, 'known: i3bar');
      // With nobody reading along, nobody waited for the minute to pass.
      if (readers.size === 0) face = null;
      const stream: { sent: Sent } = { sent: [] };
      let told = '';
      return {
        subscribe(news) {
          readers.add(news);
          streams.add(stream);
          awaitMinute();
          return () => {
            readers.delete(news);
            streams.delete(stream);
            if (readers.size === 0) awaitMinute();
          };
        },
        take() {
          const { blocks, text } = currentFace();
          if (text === told) return '';
          told = text;
          line += 1;
          const columns = blocks.map((block) => ({
            instance: block.instance,
            columns: columnsOf([block], themeOf(parts.config().bar)),
            option: block.option,
          }));
          stream.sent = afterSending(stream.sent, { line, at: clock.now(), blocks: columns });
          return `{"line":${line},${text}\n`;
        },
      };
    },

    click(body) {
      const read = clickBody.safeParse(body);
      if (!read.success) throw new Failure('bad-request', 'not a click', 'see docs/api.md');
      const { instance, button, line: shown, age } = read.data;
      let option: Option | null = null;
      if (typeof shown === 'number') {
        const stream = [...streams].find(({ sent }) => sent.some((one) => one.line === shown));
        if (stream === undefined || isInert(stream.sent, { instance, line: shown, age: age ?? 0 })) {
          throw new Failure('refused', 'the block had just moved', 'click again');
        }
        const line = stream.sent.find((one) => one.line === shown);
        option = line?.blocks.find((block) => block.instance === instance)?.option ?? null;
      }
      return { action: actionOf({ instance, button }, parts.config().bar.clicks), shown: option };
    },
  };
}
