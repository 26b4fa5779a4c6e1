import { describe, expect, it } from 'vitest';
import { type LookSettings, looks, palettes, themeOf } from '../../src/bars/theme.ts';
import { widthOf } from '../../src/bars/width.ts';

const states = ['needs-input', 'review', 'busy', 'idle', 'unknown'] as const;
const themes = Object.keys(palettes) as LookSettings['theme'][];
const sets = ['unicode', 'ascii', 'nerd'] as const;
const styleNames = ['chips', 'plain'] as const;
const look = (more: Partial<LookSettings>) =>
  themeOf({ style: 'chips', theme: 'dark', glyphs: 'unicode', faces: {}, ...more });

type Rgb = readonly [number, number, number];
const rgb = (color: string): Rgb => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return [r, g, b];
};
const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
/** WCAG 2.2, relative luminance and contrast ratio: what is left of a colour in grey. */
const luminance = (color: string) => {
  const [r, g, b] = rgb(color).map(linear) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string) => {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
};

describe.each(sets)('the glyphs %s', (glyphs) => {
  it('tell the states apart by themselves, each one column wide', () => {
    const { faces } = look({ glyphs });
    expect(new Set(states.map((state) => faces[state].glyph)).size).toBe(5);
    for (const name of [...states, 'option', 'quiet'] as const) expect(widthOf(faces[name].glyph)).toBe(1);
  });
});

it('the plain glyphs are ASCII', () => {
  const { faces, pin } = look({ glyphs: 'ascii' });
  expect(looks.map((name) => faces[name].glyph).join('') + pin).toMatch(/^[\x21-\x7e]+$/);
});

describe.each(themes)('the theme %s', (theme) => {
  it.each(styleNames)('is readable in grey, in the style %s', (style) => {
    const { faces } = look({ theme, style });
    for (const name of looks) {
      const { color, background } = faces[name];
      // What asks for no attention may be fainter.
      const least = ['unknown', 'quiet', 'notice', 'away'].includes(name) ? 2.5 : 4;
      expect(contrast(color, background ?? palettes[theme].on), name).toBeGreaterThanOrEqual(least);
    }
  });

  it('shows who needs the user before all others', () => {
    const { faces } = look({ theme });
    const standsOut = (state: (typeof states)[number]) =>
      contrast(faces[state].background ?? '', palettes[theme].on);
    for (const state of states.slice(1)) {
      expect(standsOut('needs-input')).toBeGreaterThanOrEqual(standsOut(state) - 0.01);
    }
  });
});

/** Machado, Oliveira and Fernandes 2009, severity 1: how a colour looks to eyes without one kind of cones. */
const seenBy = {
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const;

it.each(Object.keys(seenBy) as (keyof typeof seenBy)[])(
  'the theme for colour-blind eyes keeps the states apart for %s',
  (kind) => {
    const { faces } = look({ theme: 'colour-blind' });
    const seen = (color: string) => {
      const parts = rgb(color).map(linear);
      return seenBy[kind].map((row) =>
        row.reduce((sum: number, factor, index) => sum + factor * (parts[index] ?? 0), 0),
      );
    };
    const distance = (a: string, b: string) => {
      const [left, right] = [seen(a), seen(b)];
      // As the eye does it, differences between dark colours count for more.
      return Math.hypot(...left.map((part, index) => Math.cbrt(part) - Math.cbrt(right[index] ?? 0)));
    };
    const backgrounds = (['needs-input', 'review', 'busy', 'idle'] as const).map(
      (state) => faces[state].background ?? '',
    );
    for (const [index, color] of backgrounds.entries()) {
      for (const other of backgrounds.slice(index + 1)) {
        expect(distance(color, other), `${color} and ${other}`).toBeGreaterThan(0.2);
      }
    }
  },
);
