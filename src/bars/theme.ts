import type { State } from '../sessions/session.ts';
import chips from './themes/chips.json' with { type: 'json' };
import plain from './themes/plain.json' with { type: 'json' };

/**
 * How blocks look, as data: a style is a file in themes/. The glyph alone tells the state, so that a theme stays
 * readable in grey and for colour-blind eyes; glyphs are ones that DejaVu Sans Mono has, one column wide.
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

/** The user's own colours and glyphs, on top of a style. */
export type FaceChanges = Readonly<Partial<Record<Look, Readonly<Partial<Face>>>>>;

export type Style = 'chips' | 'plain';

export const styles: Readonly<Record<Style, Theme>> = { chips, plain };

export function themeOf(style: Style, changes: FaceChanges = {}): Theme {
  const theme = styles[style];
  const faces = Object.entries(changes).map(([look, change]) => [
    look,
    { ...theme.faces[look as Look], ...change },
  ]);
  return { ...theme, faces: { ...theme.faces, ...Object.fromEntries(faces) } };
}
