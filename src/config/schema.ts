import * as z from 'zod/mini';

/** The shape of config.toml. Every key has a default; a key that is not here is refused. */

const color = z
  .string()
  .check(z.regex(/^#[0-9a-f]{6}([0-9a-f]{2})?$/i, { error: 'a colour like "#e0af68"' }));
const glyph = z
  .string()
  .check(z.regex(/^[^\p{C}\p{Zl}\p{Zp}]{1,4}$/u, { error: '1 to 4 visible characters' }));

const face = z.exactOptional(
  z.strictObject({
    glyph: z.exactOptional(glyph),
    color: z.exactOptional(color),
    background: z.exactOptional(color),
    border: z.exactOptional(color),
  }),
);

/** Changes to single colours and glyphs of the style. */
const theme = z.strictObject({
  'needs-input': face,
  option: face,
  review: face,
  busy: face,
  idle: face,
  unknown: face,
  summary: face,
  quiet: face,
  notice: face,
});

const onBlock = z.enum(['go', 'seen', 'menu', 'none']);
const onOption = z.enum(['answer', 'go', 'seen', 'menu', 'none']);
const onSummary = z.enum(['menu', 'none']);
const otherButtons = {
  'wheel-up': z._default(onBlock, 'none'),
  'wheel-down': z._default(onBlock, 'none'),
  back: z._default(onBlock, 'none'),
  forward: z._default(onBlock, 'none'),
};

/** What each mouse button does, for each kind of block. */
const clicks = z.strictObject({
  session: z.prefault(
    z.strictObject({
      left: z._default(onBlock, 'go'),
      middle: z._default(onBlock, 'seen'),
      right: z._default(onBlock, 'menu'),
      ...otherButtons,
    }),
    {},
  ),
  option: z.prefault(
    z.strictObject({
      left: z._default(onOption, 'answer'),
      middle: z._default(onBlock, 'seen'),
      right: z._default(onBlock, 'menu'),
      ...otherButtons,
    }),
    {},
  ),
  summary: z.prefault(
    z.strictObject({
      left: z._default(onSummary, 'menu'),
      middle: z._default(onSummary, 'none'),
      right: z._default(onSummary, 'menu'),
    }),
    {},
  ),
});

const bar = z.strictObject({
  style: z._default(z.enum(['chips', 'plain']), 'chips'),
  theme: z.prefault(theme, {}),
  /** Columns that all of tsmux's blocks may take together. */
  budget: z._default(z.int().check(z.gte(20), z.lte(1000)), 160),
  /** `state`: the most urgent first; `started`: as the sessions started, only open prompts before the others. */
  order: z._default(z.enum(['state', 'started']), 'state'),
  /** On which side of tsmux's blocks those of the wrapped status program stand. */
  wrapped: z._default(z.enum(['left', 'right']), 'right'),
  clicks: z.prefault(clicks, {}),
});

const place = z.strictObject({
  /** Whether a window's title may be set for some ms to tell several windows of one process apart. */
  'title-nonce': z._default(z.boolean(), true),
});

export const configSchema = z.strictObject({ bar: z.prefault(bar, {}), place: z.prefault(place, {}) });

export type Config = z.infer<typeof configSchema>;
export type BarConfig = Config['bar'];
export type ClickMap = BarConfig['clicks'];

export const defaultConfig: Config = configSchema.parse({});
