import type { BarConfig } from '../config/schema.ts';
import type { State } from '../sessions/session.ts';
import glyphs from './glyphs.json' with { type: 'json' };
import chips from './styles/chips.json' with { type: 'json' };
import plain from './styles/plain.json' with { type: 'json' };
import colourBlind from './themes/colour-blind.json' with { type: 'json' };
import dark from './themes/dark.json' with { type: 'json' };
import light from './themes/light.json' with { type: 'json' };

/**
 * How blocks look, as data: a style says how blocks stand, a theme has the colours, a set of glyphs the signs. The
 * glyph alone tells the state, so that every theme is readable in grey. `unicode` has only glyphs that DejaVu Sans
 * Mono has; all are one column wide.
 */
export interface Theme {
  /** Whether the bar draws its own separator after a block. */
  readonly separator: boolean;
  /** Pixels right of a block. */
  readonly gaps: {
    readonly beforeOptions: number;
    readonly betweenOptions: number;
    readonly afterOptions: number;
    readonly others: number;
  };
  readonly faces: Readonly<Record<Look, Face>>;
  /** Marks the prompt that the user has picked. */
  readonly pin: string;
}

export type Look = State | 'option' | 'summary' | 'quiet' | 'notice' | 'away';

/** `color`, `background` and `border` are `#rrggbb` or `#rrggbbaa`; null leaves the bar's own. */
export interface Face {
  /** For an option: what stands for "go to the terminal". */
  readonly glyph: string;
  readonly color: string;
  readonly background: string | null;
  readonly border: string | null;
  /** Spaces on each side of the text. */
  readonly padding: number;
}

/** The user's words on the look. */
export type LookSettings = Pick<BarConfig, 'style' | 'theme' | 'glyphs' | 'faces'>;

/** Colours of one face on a bar whose own background is about `on`; `plain` without a background of its own. */
interface Palette {
  readonly on: string;
  readonly faces: Readonly<
    Record<Look, { readonly plain: string; readonly color: string; readonly background: string | null }>
  >;
}

const styleFiles = { chips, plain };
export const palettes: Readonly<Record<LookSettings['theme'], Palette>> = {
  dark,
  light,
  'colour-blind': colourBlind,
};
export const looks = Object.keys(dark.faces) as readonly Look[];

export function themeOf(settings: LookSettings): Theme {
  const style = styleFiles[settings.style];
  const palette = palettes[settings.theme];
  const signs: Readonly<Record<string, string>> = glyphs[settings.glyphs];
  const changes: Readonly<Partial<Record<Look, Readonly<Partial<Face>>>>> = settings.faces;
  const face = (look: Look): Face => {
    const colours = palette.faces[look];
    const color = style.background ? colours.color : colours.plain;
    return {
      glyph: signs[look] ?? '',
      color,
      background: style.background ? colours.background : null,
      border: look === 'option' && style.borderedOptions ? color : null,
      padding: look === 'option' ? style.padding.option : style.padding.others,
      ...changes[look],
    };
  };
  return {
    separator: style.separator,
    gaps: style.gaps,
    pin: glyphs[settings.glyphs].pin,
    faces: Object.fromEntries(looks.map((look) => [look, face(look)])) as Record<Look, Face>,
  };
}

/** The styles as they are where nothing is configured. */
export const styles: Readonly<Record<LookSettings['style'], Theme>> = {
  chips: themeOf({ style: 'chips', theme: 'dark', glyphs: 'unicode', faces: {} }),
  plain: themeOf({ style: 'plain', theme: 'dark', glyphs: 'unicode', faces: {} }),
};
