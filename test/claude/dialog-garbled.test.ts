import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Dialog, readDialog } from '../../src/claude/dialog.ts';
import { screen, screenNames } from './screens.ts';

const blankless = (text: string): string => text.replaceAll(/\s/g, '');

/** Where changed files are shown at the right, what is left of them. */
const leftOfChanges = (rows: readonly string[]) => rows.map((row) => row.replace(/│[^│]*$/, ''));

const dialogs = screenNames.filter((name) => readDialog(screen(name)) !== null);
const anyScreen = fc.constantFrom(...dialogs).map((name) => ({
  name,
  rows: screen(name).split('\n'),
  original: readDialog(screen(name)) as Dialog,
}));

const keyed = (dialog: Dialog) => dialog.options.filter(({ key }) => key !== null);

describe('a screen that was cut or garbled', () => {
  it('gives no dialog, or that very one, when rows are missing at its top or its bottom', () => {
    fc.assert(
      fc.property(anyScreen, fc.nat(60), fc.nat(20), ({ rows, original }, above, below) => {
        const written = rows.findLastIndex((row) => row !== '') + 1;
        const dialog = readDialog(rows.slice(above, written - below).join('\n'));
        if (dialog === null) return;
        expect(dialog.kind).toBe(original.kind);
        expect(dialog.options).toEqual(original.options);
      }),
      { numRuns: 500 },
    );
  });

  it('gives no label that is not a part of the one with that digit, when any rows are missing', () => {
    fc.assert(
      fc.property(
        anyScreen,
        fc.uniqueArray(fc.nat(50), { minLength: 1, maxLength: 4 }),
        ({ rows, original }, missing) => {
          // Claude's own dialogs (/model) are never answered from outside: their options are offered to nobody.
          fc.pre(original.kind !== 'dialog');
          const written = rows.findLastIndex((row) => row !== '');
          const kept = rows.filter((_, at) => !missing.includes(written - at));
          const dialog = readDialog(kept.join('\n'));
          for (const { key, label, means } of dialog === null ? [] : keyed(dialog)) {
            const same = original.options.find((option) => option.key === key);
            const words = blankless(`${same?.label} ${same?.description ?? ''}`);
            const found = blankless(label)
              .split('')
              .reduce((from, letter) => words.indexOf(letter, from) + 1 || Number.POSITIVE_INFINITY, 0);
            expect(found, `${key} ${label}`).toBeLessThan(Number.POSITIVE_INFINITY);
            if (same?.means === 'deny' || same?.means === 'allow') expect(means).toBe(same.means);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('gives only options whose digit and words are on the screen, whatever was overwritten', () => {
    const spot = fc.record({
      row: fc.nat(50),
      column: fc.nat(119),
      text: fc.oneof(
        fc.constantFrom('❯', '─', '╌', '1', '2', '9', '.', ' ', '  ', 'Yes', 'No', '3. No', '❯ 2. Yes', '·'),
        fc.string({ unit: 'grapheme', maxLength: 4 }),
      ),
    });
    fc.assert(
      fc.property(anyScreen, fc.array(spot, { minLength: 1, maxLength: 8 }), ({ rows }, spots) => {
        const garbled = [...rows];
        const written = rows.findLastIndex((row) => row !== '');
        for (const { row, column, text } of spots) {
          const at = Math.max(0, written - row);
          const line = (garbled[at] ?? '').padEnd(column);
          garbled[at] = `${line.slice(0, column)}${text}${line.slice(column + text.length)}`;
        }
        const dialog = readDialog(garbled.join('\n'));
        const shown = [garbled, leftOfChanges(garbled)].map((some) => blankless(some.join('')));
        for (const { key, label } of dialog === null ? [] : keyed(dialog)) {
          const words = blankless(label);
          const ways = [`${key}.${words}`, `${key}${words}`, `${key}.[ ]${words}`, `${key}.[✔]${words}`];
          expect(
            shown.some((text) => ways.some((way) => text.includes(blankless(way)))) || dialog?.multiSelect,
            `${key} ${label}`,
          ).toBe(true);
          expect(shown.some((text) => text.includes(words))).toBe(true);
        }
      }),
      { numRuns: 800 },
    );
  });

  it('never fails, whatever the text', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 60 }), (rows) => {
        expect(readDialog(rows.join('\n'))).toBeNull();
      }),
    );
  });
});
