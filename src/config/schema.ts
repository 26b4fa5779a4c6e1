import * as z from 'zod/mini';
import { type Format, parseFormat } from './format.ts';
import { type FormatKind, placeholders } from './placeholders.ts';

/** The shape of config.toml. Every key has a default; a key that is not here is refused. */

const color = z
  .string()
  .check(z.regex(/^#[0-9a-f]{6}([0-9a-f]{2})?$/i, { error: 'a colour like "#e0af68"' }));
/** Nerd Fonts have their glyphs in the private use areas, which are category Co. */
const glyph = z
  .string()
  .check(z.regex(/^(?:[^\p{C}\p{Zl}\p{Zp}]|\p{Co}){1,4}$/u, { error: '1 to 4 visible characters' }));

const face = z.exactOptional(
  z.strictObject({
    glyph: z.exactOptional(glyph),
    color: z.exactOptional(color),
    background: z.exactOptional(color),
    border: z.exactOptional(color),
  }),
);

/** Changes to single colours and glyphs. */
const faces = z.strictObject({
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

/** A format string, read when the configuration is: a mistake in it is one of the configuration. */
function format(kind: FormatKind, byDefault: string) {
  const names = Object.keys(placeholders[kind]);
  return z.prefault(
    z.pipe(
      z.string(),
      z.transform((source, context): Format => {
        const read = parseFormat(source, names);
        if (!('expected' in read)) return read;
        context.issues.push({ code: 'custom', message: read.expected, input: source });
        return [];
      }),
    ),
    byDefault,
  );
}

const formats = z.strictObject({
  session: format('session', '{glyph}[{pin}] {name}[ · {what}][ {detail}][ {agents}][ {age}]'),
  'session-short': format('session', '{glyph}[{pin}] {name}'),
  group: format('group', '{glyph}[{pin}] {workspace}[ {count}][ · {what}]'),
  'group-short': format('group', '{glyph}[{pin}] {workspace}'),
  option: format('option', '{key} {label}'),
  'option-short': format('option', '{key}'),
  summary: format('summary', '{counts}'),
  'summary-short': format('summary', '{counts}'),
  quiet: format('quiet', '{glyph} {minutes}m'),
  'quiet-short': format('quiet', '{glyph} {minutes}m'),
});

/** Columns. */
const columns = (byDefault: number) => z._default(z.int().check(z.gte(1), z.lte(400)), byDefault);

const widths = z.strictObject({
  name: columns(24),
  what: columns(48),
  detail: columns(24),
  choice: columns(24),
  notice: columns(60),
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

const state = z.enum(['needs-input', 'review', 'busy', 'idle', 'unknown']);

const bar = z.strictObject({
  /** `chips`: blocks with backgrounds of their own; `plain`: coloured text between the bar's separators. */
  style: z._default(z.enum(['chips', 'plain']), 'chips'),
  theme: z._default(z.enum(['dark', 'light', 'colour-blind']), 'dark'),
  glyphs: z._default(z.enum(['unicode', 'ascii', 'nerd']), 'unicode'),
  faces: z.prefault(faces, {}),
  format: z.prefault(formats, {}),
  widths: z.prefault(widths, {}),
  /** Sessions in other states have no block and are counted nowhere. */
  show: z._default(z.array(state), ['needs-input', 'review', 'busy', 'idle', 'unknown']),
  /**
   * `state`: the most urgent first; `started`: as the sessions started, only open prompts before the others;
   * `workspace` and `name`: by those, also with open prompts first.
   */
  order: z._default(z.enum(['state', 'started', 'workspace', 'name']), 'state'),
  /** `workspace`: one block for each workspace, with its badge. */
  group: z._default(z.enum(['none', 'workspace']), 'none'),
  /** `own`: a bar that is started with `--output` leaves out the sessions on other outputs. */
  outputs: z._default(z.enum(['own', 'all']), 'own'),
  /** So many sessions have a block of their own, the most urgent; the others are counted in the summary. */
  sessions: z._default(z.int().check(z.gte(0), z.lte(100)), 100),
  /** Columns that all of tsmux's blocks may take together. */
  budget: z._default(z.int().check(z.gte(20), z.lte(1000)), 160),
  /** On which side of tsmux's blocks those of the wrapped status program stand. */
  wrapped: z._default(z.enum(['left', 'right']), 'right'),
  clicks: z.prefault(clicks, {}),
});

const place = z.strictObject({
  /** Whether a window's title may be set for some ms to tell several windows of one process apart. */
  'title-nonce': z._default(z.boolean(), true),
});

const prompts = z.strictObject({
  /** Seconds for which a sub-agent's prompt is held at most, while nobody looks at its window: until then Claude Code draws no dialog. */
  'agent-hold': z._default(z.int().check(z.gte(0), z.lte(3600)), 60),
  /** After a No Claude goes on, instead of stopping as it does after its own No. */
  'go-on-after-no': z._default(z.boolean(), false),
  /** Yes to what is too long for the bar needs `tsmux show` first. */
  'show-before-yes': z._default(z.boolean(), false),
  /** Prompts of `claude -p` and of SDK sessions are held too: they wait until somebody answers. */
  'hold-print': z._default(z.boolean(), false),
  /** Whether the history keeps what was asked (commands, files, questions), and not only by which tool. */
  'history-commands': z._default(z.boolean(), false),
});

/** Seconds. */
const seconds = z.int().check(z.gte(0), z.lte(86_400));
const notifiedState = z.enum(['needs-input', 'review']);
/** A program and its arguments. */
const command = z.array(z.string().check(z.regex(/^[^\0]*$/, { error: 'a text without NUL' }))).check(
  z.maxLength(64),
  z.refine(([program]) => program !== '', { error: 'the program first' }),
);

/** Of the rules the first that fits counts; what it does not say is as for all. */
const notificationRule = z.strictObject({
  /** Names, or folders with all that is in them; `*` stands for anything. None: all projects. */
  projects: z.exactOptional(z.array(z.string().check(z.minLength(1)))),
  states: z.exactOptional(z.array(notifiedState)),
  notify: z.exactOptional(z.boolean()),
  show: z.exactOptional(z.boolean()),
  urgency: z.exactOptional(z.enum(['low', 'normal', 'critical'])),
  sound: z.exactOptional(z.boolean()),
  cooldown: z.exactOptional(seconds),
  'min-work': z.exactOptional(seconds),
  'break-quiet': z.exactOptional(z.boolean()),
  command: z.exactOptional(command),
});

const notifications = z.strictObject({
  states: z._default(z.array(notifiedState), ['needs-input', 'review']),
  kinds: z._default(z.array(z.enum(['interactive', 'print', 'sdk', 'background', 'editor'])), [
    'interactive',
    'background',
    'editor',
  ]),
  /** `false`: only the command runs. */
  show: z._default(z.boolean(), true),
  sound: z._default(z.boolean(), true),
  /** No second notification of a session within so many seconds. */
  cooldown: z._default(seconds, 5),
  /** A finish after fewer seconds of work is not told. */
  'min-work': z._default(seconds, 10),
  /** Critical notifications are shown in quiet time too. */
  'break-quiet': z._default(z.boolean(), false),
  /** A program and its arguments, run for each notification; JSON on stdin. */
  command: z._default(command, []),
  /** Whether the window of a session that needs input is marked urgent, so that its workspace lights up. */
  'urgent-window': z._default(z.boolean(), true),
  rules: z._default(z.array(notificationRule), []),
});

const quiet = z.strictObject({
  /** Minutes, by the name that `tsmux focus` takes. */
  presets: z._default(
    z.record(
      z.string().check(
        z.regex(/^[a-z][a-z-]*$/, { error: 'a name of small letters' }),
        z.refine((name) => name !== 'off', { error: 'a name other than off, which ends the quiet time' }),
      ),
      z.int().check(z.gte(1), z.lte(1440)),
    ),
    { short: 25, long: 50, lunch: 60 },
  ),
});

const menu = z.strictObject({
  /** A program and its arguments that shows the lines of its stdin and prints the chosen one; none: one that is found. */
  command: z._default(command, []),
});

export const configSchema = z.strictObject({
  bar: z.prefault(bar, {}),
  prompts: z.prefault(prompts, {}),
  notifications: z.prefault(notifications, {}),
  quiet: z.prefault(quiet, {}),
  menu: z.prefault(menu, {}),
  place: z.prefault(place, {}),
});

export type Config = z.infer<typeof configSchema>;
export type BarConfig = Config['bar'];
export type ClickMap = BarConfig['clicks'];

export const defaultConfig: Config = configSchema.parse({});
