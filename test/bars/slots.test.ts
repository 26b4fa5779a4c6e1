import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotOf } from '../../src/bars/slot-name.ts';
import { assignSlots, type Slots, slotBlocks } from '../../src/bars/slots.ts';
import { themeOf } from '../../src/bars/theme.ts';
import { displayNames } from '../../src/sessions/labels.ts';
import type { Session, Snapshot } from '../../src/sessions/session.ts';
import { minutes, moment, now, prompt, session } from './moment.ts';
import { barOf } from './view.ts';

const [web, api, docs, blog] = ['web', 'api', 'docs', 'blog'].map((name) => session(name)) as [
  Session,
  Session,
  Session,
  Session,
];
const assign = (sessions: readonly Session[], modules: number, before: Slots = new Map()) =>
  assignSlots(before, sessions, modules);
const shown = (slots: Slots, ...of: Session[]) => of.map(({ id }) => slots.get(id) ?? null);

describe('a slot', () => {
  it('stays with its session when others come and go', () => {
    const first = assign([web, api], 3);
    expect(shown(first, web, api)).toEqual([1, 2]);
    const second = assign([api], 3, first);
    expect(shown(second, api)).toEqual([2]);
    const third = assign([api, docs, blog], 3, second);
    expect(shown(third, api, docs, blog)).toEqual([2, 1, 3]);
  });

  it('goes to the most urgent when there are too few, and the others wait', () => {
    const asks = { ...blog, state: 'needs-input' as const };
    const slots = assign([web, api, docs, asks], 2);
    expect(shown(slots, web, api, docs, asks)).toEqual([1, 3, 4, 2]);
    // A slot on screen is never taken from who has it.
    const urgent = { ...docs, state: 'needs-input' as const };
    expect(shown(assign([web, api, urgent, asks], 2, slots), web, asks)).toEqual([1, 2]);
    // Who waited gets the one that is free now.
    expect(shown(assign([api, urgent, asks], 2, slots), urgent, asks, api)).toEqual([1, 2, 3]);
  });

  it('stays with its session whatever happens, and is never that of two', () => {
    const pool = Array.from({ length: 9 }, (_, index) => session(`s${index}`));
    const step = fc.record({
      alive: fc.subarray(pool),
      modules: fc.integer({ min: 1, max: 6 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let before: Slots = new Map();
        for (const { alive, modules } of steps) {
          const after = assign(alive, modules, before);
          expect([...after.keys()].sort()).toEqual(alive.map(({ id }) => id).sort());
          expect(new Set(after.values()).size).toBe(alive.length);
          const onScreen = [...after.values()].filter((slot) => slot <= modules);
          expect(onScreen.length).toBe(Math.min(modules, alive.length));
          for (const [id, slot] of after) {
            const had = before.get(id);
            if (had !== undefined && had <= modules) expect(slot).toBe(had);
          }
          before = after;
        }
      }),
    );
  });

  it('is named by a number or a word', () => {
    expect(['1', '12', 'summary', 'option3', '0', '100', 'Summary', '1 ', ''].map(slotOf)).toEqual([
      { kind: 'session', number: 1 },
      { kind: 'session', number: 12 },
      { kind: 'summary' },
      { kind: 'option', number: 3 },
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('a slot shows', () => {
  const texts = (word: string, snapshot: Snapshot, config = '') => {
    const slot = slotOf(word);
    if (slot === null) throw new Error(word);
    const settings = barOf(config);
    const names = displayNames(snapshot.sessions);
    const around = { names, now, settings, theme: themeOf(settings) };
    return slotBlocks(slot, assign(snapshot.sessions, 9), snapshot, around).map(({ text }) => text);
  };
  const old = prompt('make', { since: now - minutes(9) });
  const asking = { ...api, state: 'needs-input' as const, prompts: [prompt('npm install left-pad')] };
  const waiting = { ...docs, state: 'needs-input' as const, prompts: [old] };
  const crowd = moment([web, asking, waiting, { ...blog, state: 'busy' as const }]);

  it('its session at full length', () => {
    expect(texts('2', crowd)).toEqual(['▲ api · Bash npm install left-pad']);
    expect(texts('9', crowd)).toEqual([]);
  });

  it('the summary of all sessions, and what is wrong when there are none', () => {
    expect(texts('summary', crowd)).toEqual(['▲2 ○1 ◐1']);
    expect(texts('summary', moment([], { notice: 'Claude Code is not installed' }))).toEqual([
      'Claude Code is not installed',
    ]);
    expect(texts('summary', moment([]))).toEqual([]);
  });

  it('the oldest prompt and its options, or those of the one that is picked', () => {
    expect(texts('prompt', crowd)).toEqual(['▲ docs · Bash make']);
    expect(
      ['option1', 'option2', 'option3', 'option4', 'option5'].flatMap((word) => texts(word, crowd)),
    ).toEqual(['1 Yes', '2 Always npm install *', '3 No', '→']);
    const picked = { ...asking, prompts: [prompt('npm install left-pad', { pinned: true })] };
    expect(texts('prompt', moment([picked, waiting]))).toEqual(['▲◆ api · Bash npm install left-pad']);
    expect(texts('prompt', moment([web]))).toEqual([]);
    expect(texts('option1', moment([web]))).toEqual([]);
  });

  it('the quiet time', () => {
    expect(texts('quiet', moment([], { quiet: { until: now + minutes(5) } }))).toEqual(['☾ 5m']);
  });

  it('nothing while its session is in a state that is not shown', () => {
    expect(texts('1', crowd, '[bar]\nshow = ["needs-input"]')).toEqual([]);
    expect(texts('2', crowd, '[bar]\nshow = ["needs-input"]')).toHaveLength(1);
  });
});
