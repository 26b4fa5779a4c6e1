import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { isSimple, oneLine, pango } from '../../src/bars/text.ts';
import { cutEnd, cutMiddle, widthOf } from '../../src/bars/width.ts';

describe('untrusted text', () => {
  it('d2: stays on one line, with newline, tab, NUL, ESC and line separators written out', () => {
    expect(oneLine('a\nb\rc\td\0e\x1b[31mf\u2028g\u2029h\x9bi\x7f')).toBe(
      'a\\nb\\rc\\td\\0e\\e[31mf\\u2028g\\u2029h\\x9bi\\x7f',
    );
  });

  it('b15: cannot turn its direction or hide letters', () => {
    expect(oneLine('\u202egnp.exe\u2066x\u200bx\u200ex\ufeffx\u{e0041}')).toBe(
      '\\u202egnp.exe\\u2066x\\u200bx\\u200ex\\ufeffx\\u{e0041}',
    );
  });

  it('may hold half a character', () => {
    expect(oneLine('a\ud83db\udc00')).toBe('a\\ud83db\\udc00');
  });

  it('keeps letters of every script, emoji and their joiners', () => {
    for (const text of [
      'naïve café',
      '漢字',
      'שלום',
      '👩‍👩‍👧',
      '❤️',
      '👍🏽',
      '\ue0b0',
      '#️⃣',
      'R&D <x> "q" \\',
    ]) {
      expect(oneLine(text)).toBe(text);
    }
    expect(oneLine('a\u200db\ufe0f')).toBe('a\\u200db\\ufe0f');
  });

  it('cannot pile up marks over the lines around it', () => {
    expect(oneLine(`a${'\u0301'.repeat(500)}b`)).toBe(`a${'\u0301'.repeat(4)}b`);
  });

  it('holds nothing invisible once it is one line, and stays what it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const line = oneLine(text);
        expect(line).not.toMatch(
          /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u,
        );
        expect(oneLine(line)).toBe(line);
        expect(line).not.toMatch(/\p{Cs}/u);
      }),
      { numRuns: 1000 },
    );
  });

  it('d1: is no markup for Pango', () => {
    expect(pango('R&D <x> "q" \\ \'')).toBe('R&amp;D &lt;x&gt; &quot;q&quot; \\ &#39;');
  });
});

describe('text that is cut', () => {
  it('shows its start, or both its ends', () => {
    expect(cutEnd('npm install left-pad', 10)).toBe('npm insta…');
    expect(cutMiddle('rm -rf /home/ada/code /etc', 13)).toBe('rm -rf…e /etc');
    expect(cutMiddle('short', 5)).toBe('short');
    expect(cutMiddle('anything', 0)).toBe('');
    expect(cutMiddle('anything', 1)).toBe('…');
  });

  it('is measured as the library for it does, on the short way too', () => {
    const all = Array.from({ length: 0x2700 }, (_, code) => String.fromCharCode(code)).filter(isSimple);
    expect(all.length).toBeGreaterThan(1000);
    for (const character of all) {
      expect([character, stringWidth(character), oneLine(character)]).toEqual([character, 1, character]);
    }
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...all)), (characters) => {
        expect(widthOf(characters.join(''))).toBe(stringWidth(characters.join('')));
      }),
    );
  });

  it('is never wider than asked, nor a character cut in two', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: 'grapheme', minLength: 20, maxLength: 80 }),
        ),
        fc.integer({ min: 0, max: 40 }),
        (text, columns) => {
          for (const cut of [cutEnd(text, columns), cutMiddle(text, columns)]) {
            expect(widthOf(cut)).toBeLessThanOrEqual(columns);
            expect(cut).not.toMatch(/\p{Cs}/u);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('b15: may be two megabytes long', () => {
    const started = performance.now();
    const text = `rm ${'漢\u202e'.repeat(1_000_000)} /etc`;
    expect(cutMiddle(text, 20)).toMatch(/^rm 漢.*… *.* \/etc$/u);
    // Some ms where nothing else runs.
    expect(performance.now() - started).toBeLessThan(3_000);
  });
});
