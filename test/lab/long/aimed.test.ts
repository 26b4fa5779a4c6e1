import { setTimeout as passed } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { i3barStandingOf } from '../i3bar.ts';
import { type Lab, startLab } from '../lab.ts';
import { type OpenSession, openSession } from '../sessions.ts';
import type { Rect } from '../window-manager.ts';

const minute = 60_000;
/** What has not stood there for half a second is inert; less what the pictures of the bar may be late, ms. */
const STOOD = 450;

/** Numbers from 0 to 1, the same ones for the same seed. */
function dice(seed: number): () => number {
  const rolls = fc.sample(fc.nat(999_999), { seed, numRuns: 20_000 });
  let roll = 0;
  return () => (rolls[roll++ % rolls.length] ?? 0) / 1e6;
}

interface Shown {
  readonly at: number;
  readonly spans: readonly (Pick<Rect, 'x' | 'width'> & { readonly instance: string })[];
}

/** What stood where on the bar, and when. */
function filmed(lab: Lab, bar: Rect) {
  const standing = i3barStandingOf(lab.i3);
  const pictures: Shown[] = [];
  let read = 0;
  const timer = setInterval(() => {
    const written = lab.bar.lines().length;
    if (written === read) return;
    read = written;
    const blocks = lab.bar.blocks();
    const rects = standing.blocks(blocks, bar);
    const spans = rects.map(({ x, width }, n) => ({ x, width, instance: blocks[n]?.instance ?? '' }));
    pictures.push({ at: Date.now(), spans });
  }, 3);
  return {
    options: () => pictures.at(-1)?.spans.filter(({ x, instance }) => x >= 0 && instance.includes('/')) ?? [],
    /** Every instance that stood under the pointer in that time. */
    under: (x: number, from: number, to: number) =>
      pictures
        .filter(({ at }, n) => at < to && (pictures[n + 1]?.at ?? Number.POSITIVE_INFINITY) >= from)
        .map(({ spans }) => spans.find((span) => x >= span.x && x < span.x + span.width)?.instance ?? ''),
    stop: () => clearInterval(timer),
  };
}

interface Press {
  readonly x: number;
  readonly from: number;
  readonly to: number;
  /** What i3bar says was hit; null: nothing. */
  readonly instance: string | null;
}

const Prompts = z.object({ prompts: z.array(z.object({ id: z.string() })) });
const Entry = z.object({
  prompt: z.string(),
  at: z.string(),
  outcome: z.object({ type: z.string(), means: z.optional(z.string()) }),
});
const History = z.object({ entries: z.array(Entry) });

it.each([1, 2])(
  'a press answers only what stood under the pointer for half a second (%i)',
  { timeout: 6 * minute },
  async (seed) => {
    const random = dice(seed);
    const oneOf = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)];
    const lab = await startLab({ bar: { command: 'tsmux i3bar' } });
    const over = Date.now() + 4 * minute;
    const again = async (least: number, most: number, what: () => Promise<unknown>) => {
      while (Date.now() < over) {
        await what();
        await passed(least + random() * (most - least));
      }
    };
    try {
      lab.write('.config/tsmux/config.toml', '[bar]\nbudget = 300\nwidths = { name = 40 }\n');
      lab.write('.claude/settings.json', '{}');
      expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
      const sessions: OpenSession[] = [];
      for (const [n, name] of ['api', 'web-shop', 'docs', 'infra-tools'].entries()) {
        sessions.push(await openSession(lab, { name, workspace: `${3 + n}` }));
      }
      await lab.i3.command('workspace 1');
      const bar = await lab.bar.rect();
      const film = filmed(lab, bar);
      /** Prompts that were denied from a shell. */
      const denied = new Set<string>();
      const presses: Press[] = [];

      const prompts = (session: OpenSession) => async () =>
        session.prompt(`SCN:${oneOf(['bash', 'bash', 'edit', 'webfetch'])} please`);
      const label = async () => {
        const label = `${oneOf(['a', 'b', 'c'])}${'x'.repeat(random() * 39)}`;
        await lab.tsmux(['label', `pid:${oneOf(sessions)?.pid}`, label]);
      };
      const deny = async () => {
        const open = Prompts.parse(JSON.parse((await lab.tsmux(['prompts', '--json'])).stdout)).prompts;
        const id = oneOf(open)?.id;
        if (id === undefined) return;
        denied.add(id);
        await lab.tsmux(['answer', '--to', id, '3']);
      };
      const press = async () => {
        const option = oneOf(film.options());
        if (option === undefined) return;
        await passed(random() * 700);
        const x = Math.floor(option.x + option.width / 2);
        const before = lab.bar.clicks().length;
        const from = Date.now();
        await lab.pointer.click(x, Math.floor(bar.y + bar.height / 2));
        const to = Date.now();
        // One that hit nothing is never told of.
        await passed(200);
        presses.push({ x, from, to, instance: lab.bar.clicks()[before]?.instance ?? null });
      };
      await Promise.all([
        ...sessions.map((session) => again(1_500, 5_500, prompts(session))),
        again(100, 1_300, label),
        again(300, 2_800, deny),
        again(0, 500, press),
      ]);
      film.stop();

      const history = History.parse(JSON.parse((await lab.tsmux(['history', '--json'])).stdout)).entries;
      const answered = history.filter(
        ({ prompt, outcome }) =>
          outcome.type === 'answered' && !(denied.has(prompt) && outcome.means === 'deny'),
      );
      for (const entry of answered) {
        const when = Date.parse(entry.at);
        const by = presses.find(
          ({ instance, from, to }) =>
            instance?.split('/')[1] === entry.prompt && when > from - 20 && when < to + 150,
        );
        expect(by, `what answered ${JSON.stringify(entry)}`).toBeDefined();
        const stood = film.under(by?.x ?? 0, (by?.from ?? 0) - STOOD, when - 3);
        expect(new Set(stood), JSON.stringify({ entry, by })).toEqual(new Set([by?.instance]));
        // Yes is the first of Claude's options.
        expect(entry.outcome.means === 'allow').toBe(by?.instance?.split('/')[2] === '1');
      }
      expect(answered.length).toBeGreaterThan(30);
    } finally {
      await lab.stop();
    }
  },
);
