import * as z from 'zod/mini';
import { nextChange } from '../bars/ages.ts';
import { type Action, actionOf } from '../bars/clicks.ts';
import { afterSending, isInert, mirrored, type Sent, type SentLine } from '../bars/inert.ts';
import { isKind, kinds } from '../bars/kinds.ts';
import { slotNames, slotOf } from '../bars/slot-name.ts';
import type { Config } from '../config/schema.ts';
import type { Option } from '../sessions/prompt.ts';
import type { Cancel, Clock } from '../system/clock.ts';
import { Failure } from '../system/failure.ts';
import { type BarPlace, createFaces, keyOf } from './bar-faces.ts';
import type { SlotKeeper } from './slot-keeper.ts';
import type { Snapshots } from './snapshots.ts';
import type { Lines } from './stream.ts';

/** The body of `POST /v1/click`. */
const clickBody = z.object({
  bar: z.nullish(z.string()),
  /** Without it, what the slot of the bar showed last is meant. */
  instance: z.nullish(z.string()),
  slot: z.nullish(z.union([z.string(), z.int()])),
  output: z.nullish(z.string()),
  /** As X11 counts. */
  button: z.int(),
  /** The number of the line that the bar showed, and for how many ms it had been out; null: since it was sent. */
  line: z.nullish(z.int()),
  age: z.nullish(z.number()),
  /** How long the click has been on its way, ms. */
  delay: z.nullish(z.number()),
});
type Click = z.infer<typeof clickBody>;

/** The query of `GET /v1/bar/{kind}`. */
export interface BarOptions {
  readonly output: string | null;
  readonly slot: string | null;
  /** Sends the line again from time to time, so that a client that only writes finds out that its bar has gone. */
  readonly keepAlive: boolean;
}

export interface Bars {
  /** @throws Failure for a kind of bar, or a slot, that there is not. */
  open(kind: string, options: BarOptions): Lines;
  /**
   * What is asked for, and for an option which one was shown where the click landed (null: not known).
   * @throws Failure `refused` while the block is inert.
   */
  click(body: unknown): { readonly action: Action; readonly shown: Option | null };
  /** The configuration is another one. */
  reconfigured(): void;
}

/** A client ends within 30 s of its bar, and there may be another process between the two, ms. */
export const KEEP_ALIVE = 12_000;

/** By how much a time may be shown late, so that the minutes of twenty sessions do not end at twenty moments, ms. */
const LATE = 5_000;

/** The clients of a bar look every few seconds whether there is a daemon again, ms. */
const COMING_BACK = 15_000;

interface Stream {
  readonly place: BarPlace;
  sent: Sent;
}

/**
 * The bars that read along. What they show is drawn again when the snapshot changed, or when time alone changes what
 * stands there.
 */
export function createBars(parts: {
  readonly clock: Clock;
  readonly snapshots: Snapshots;
  readonly config: () => Config;
  /** What starts tsmux, with absolute paths. */
  readonly program: readonly string[];
  readonly slots: SlotKeeper;
}): Bars {
  const { clock, snapshots, slots } = parts;
  const faces = createFaces(parts);
  const readers = new Set<() => void>();
  const keptAlive = new Set<() => void>();
  const streams = new Set<Stream>();
  /** How many session slots are on screen on an output; forgotten when a bar comes or goes. */
  const modules = new Map<string | null, number>();
  /** What bars of the same place were sent last, by whichever stream, or by none that is still open. */
  const shown = new Map<string, Sent>();
  let minute: { readonly at: number; readonly cancel: Cancel } | null = null;
  const beat: { count: number; cancel: Cancel } = { count: 0, cancel: () => {} };
  // Numbers of an earlier daemon, which a bar may still show, are never given out again.
  let line = clock.now();

  function refresh(): void {
    faces.forget();
    for (const reader of [...readers]) reader();
    awaitMinute();
  }

  function awaitMinute(): void {
    const now = clock.now();
    const next = readers.size === 0 ? null : nextChange(snapshots.current(), now);
    const at = next === null ? null : Math.max(next, now + LATE);
    // The one that is set comes in time: most changes leave the times as they are.
    if (minute !== null && next !== null && minute.at >= next && minute.at <= next + LATE) return;
    minute?.cancel();
    minute = at === null ? null : { at, cancel: clock.after(at - now, minuteIsOver) };
  }

  function minuteIsOver(): void {
    minute = null;
    refresh();
  }

  /** One timer for all of them: a machine that sleeps is woken once. */
  function awaitBeat(): void {
    beat.cancel();
    if (keptAlive.size === 0) return;
    beat.cancel = clock.after(KEEP_ALIVE, () => {
      beat.count += 1;
      for (const reader of [...keptAlive]) reader();
      awaitBeat();
    });
  }

  function modulesOn(output: string | null): number {
    let count = modules.get(output);
    if (count === undefined) {
      const numbers = [...streams].flatMap(({ place }) =>
        place.slot?.kind === 'session' && place.output === output ? [place.slot.number] : [],
      );
      count = Math.max(0, ...numbers);
      modules.set(output, count);
    }
    return count;
  }

  if (slots.awaits()) {
    clock.after(COMING_BACK, () => {
      slots.awaitNoMore();
      refresh();
    });
  }
  snapshots.subscribe(() => {
    if (readers.size > 0) refresh();
    else faces.forget();
  });

  function open(place: BarPlace, keepAlive: boolean): Lines {
    // With nobody reading along, nobody waited for the minute to pass; and one more slot may move sessions.
    faces.forget();
    const stream: Stream = { place, sent: [] };
    const key = keyOf(place);
    let told: { readonly text: string; readonly line: string } = { text: '', line: '' };
    let beaten = beat.count;
    return {
      subscribe(news) {
        readers.add(news);
        streams.add(stream);
        modules.clear();
        if (keepAlive) {
          keptAlive.add(news);
          if (keptAlive.size === 1) awaitBeat();
        }
        awaitMinute();
        return () => {
          readers.delete(news);
          keptAlive.delete(news);
          streams.delete(stream);
          modules.clear();
          if (keptAlive.size === 0) awaitBeat();
          if (readers.size === 0) awaitMinute();
        };
      },
      take() {
        const face = faces.of(place, modulesOn(place.output));
        if (face.text === told.text && told.line !== '') {
          const isDue = keepAlive && beaten !== beat.count;
          beaten = beat.count;
          return isDue ? told.line : '';
        }
        beaten = beat.count;
        line += 1;
        told = { text: face.text, line: `${face.parts.join(String(line))}\n` };
        const sent: SentLine = { line, at: clock.now(), blocks: face.sent };
        stream.sent = afterSending(stream.sent, sent);
        shown.set(key, afterSending(shown.get(key) ?? [], sent));
        return told.line;
      },
    };
  }

  /** The lines among which the click's is, that line, and the instance that was hit. */
  function aimedAt(click: Click): { sent: Sent; line: SentLine | undefined; instance: string } {
    const { instance } = click;
    if (typeof instance === 'string') {
      const all = [...[...streams].map(({ sent }) => sent), ...shown.values()];
      const sent = all.find((lines) => lines.some((each) => each.line === click.line)) ?? [];
      return { sent, line: sent.find((each) => each.line === click.line), instance };
    }
    const place = placeOf(click.bar ?? '', String(click.slot ?? ''), click.output ?? null);
    const sent = shown.get(keyOf(place)) ?? [];
    const last = sent.at(-1);
    const [first] = last?.blocks ?? [];
    if (first === undefined) {
      throw new Failure('refused', 'nothing is shown there', 'see: tsmux list');
    }
    return { sent, line: last, instance: first.instance };
  }

  return {
    open: (kind, { slot, output, keepAlive }) => open(placeOf(kind, slot ?? '', output), keepAlive),

    click(body) {
      const read = clickBody.safeParse(body);
      if (!read.success) throw new Failure('bad-request', 'not a click', 'see docs/api.md');
      const click = read.data;
      const { sent, line: aimed, instance } = aimedAt(click);
      const isJudged = typeof click.line === 'number' || typeof click.instance !== 'string';
      if (isJudged) {
        const age = click.age ?? clock.now() - (aimed?.at ?? 0) - (click.delay ?? 0);
        const at = { instance, line: aimed?.line ?? -1, age };
        // A module of Polybar may stand at either end.
        const isMoved = isInert(sent, at) || (click.bar === 'polybar' && isInert(mirrored(sent), at));
        if (isMoved) throw new Failure('refused', 'the block had just moved', 'click again');
      }
      const hit = aimed?.blocks.find((block) => block.instance === instance);
      return {
        action: actionOf({ instance, button: click.button }, parts.config().bar.clicks),
        shown: hit?.option ?? null,
      };
    },

    reconfigured: refresh,
  };
}

/** @throws Failure for a kind of bar, or a slot, that there is not. */
function placeOf(kind: string, slot: string, output: string | null): BarPlace {
  if (!isKind(kind)) {
    throw new Failure('no-such-route', `there is no bar ${kind}`, `known: ${Object.keys(kinds).join(', ')}`);
  }
  if (slot === '') return { kind, slot: null, output };
  const found = slotOf(slot);
  if (found === null) {
    throw new Failure('bad-request', `there is no slot ${slot}`, `a slot is ${slotNames}`);
  }
  return { kind, slot: found, output };
}
