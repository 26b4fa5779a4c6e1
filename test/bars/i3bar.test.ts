import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../../src/bars/blocks.ts';
import { i3barBlocks } from '../../src/bars/i3bar.ts';
import { styles, type Theme, themeOf } from '../../src/bars/theme.ts';
import { widthOf } from '../../src/bars/width.ts';
import { defaultConfig } from '../../src/config/schema.ts';
import { displayNames } from '../../src/sessions/labels.ts';
import type { Snapshot } from '../../src/sessions/session.ts';
import { anyMoment, lookedAt, moment, now, session } from './moment.ts';

const draw = (snapshot: Snapshot, theme: Theme = styles.chips) =>
  i3barBlocks(
    blocksOf(snapshot, {
      names: displayNames(snapshot.sessions),
      now,
      theme,
      settings: defaultConfig.bar,
    }),
    theme,
  );

describe('blocks for i3bar', () => {
  it('look as in the picture', () => {
    const drawn = draw(lookedAt()).map((block) => [
      block.full_text,
      block.color,
      block.background,
      block.separator_block_width,
    ]);
    expect(drawn).toEqual([
      [' ▲ web · Bash npm install left-pad ', '#1a1b26', '#e0af68', 0],
      [' 1 Yes ', '#e0af68', '#3b3222', 1],
      [' 2 Always npm install * ', '#e0af68', '#3b3222', 1],
      [' 3 No ', '#e0af68', '#3b3222', 1],
      [' → ', '#e0af68', '#3b3222', 12],
      [' ● docs 2m ', '#7dcfff', '#1f2a38', 4],
      [' ◐ api Edit cart.ts 4m ', '#9d7cd8', '#2a2438', 4],
      [' ◐ infra +2 11m ', '#9d7cd8', '#2a2438', 4],
      [' ○ blog ', '#7f8490', '#20222c', 4],
      [' ☾ 24m ', '#565f89', undefined, 4],
    ]);
  });

  it('d1, d2: are valid JSON on one line, with scalars only, no markup and no urgency', () => {
    fc.assert(
      fc.property(anyMoment, (snapshot) => {
        const line = JSON.stringify(draw(snapshot));
        expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
        for (const block of JSON.parse(line)) {
          expect(block).toMatchObject({ name: 'tsmux', instance: expect.stringMatching(/^[a-z0-9/]+$/) });
          expect(Object.keys(block)).not.toContain('markup');
          expect(Object.keys(block)).not.toContain('urgent');
          for (const value of Object.values(block))
            expect(['string', 'number', 'boolean']).toContain(typeof value);
        }
      }),
    );
  });

  it('d1: show a name with markup and quotes as it is', () => {
    expect(draw(moment([session('R&D <x> "q" \\')]))[0]?.full_text).toBe(' ○ R&D <x> "q" \\ ');
  });

  it('d16: are an empty list when nothing runs', () => {
    expect(draw(moment([]))).toEqual([]);
  });

  it('stand between the separators of the bar itself in the plain style', () => {
    const drawn = draw(lookedAt(), styles.plain);
    expect(drawn.map((block) => block.full_text).slice(0, 2)).toEqual([
      '▲ web · Bash npm install left-pad',
      ' 1 Yes ',
    ]);
    expect(drawn.map((block) => block.separator)).toEqual([
      ...[false, false, false, false, true],
      ...[true, true, true, true, true],
    ]);
    expect(drawn[1]).toMatchObject({ border: '#e0af68' });
    expect(drawn[1]).not.toHaveProperty('background');
  });
});

describe('a theme', () => {
  it('tells the states apart by the glyph alone, each one column wide', () => {
    for (const { faces } of Object.values(styles)) {
      const glyphs = ['needs-input', 'review', 'busy', 'idle', 'unknown'] as const;
      expect(new Set(glyphs.map((look) => faces[look].glyph)).size).toBe(5);
      for (const look of glyphs) expect(widthOf(faces[look].glyph)).toBe(1);
    }
  });

  it('takes single changes', () => {
    const theme = themeOf({
      ...defaultConfig.bar,
      faces: { busy: { glyph: 'B' }, idle: { background: '#000000' } },
    });
    expect(theme.faces.busy).toEqual({ ...styles.chips.faces.busy, glyph: 'B' });
    expect(theme.faces.idle.background).toBe('#000000');
    expect(theme.faces.review).toEqual(styles.chips.faces.review);
  });
});
