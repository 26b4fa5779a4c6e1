/** What each format string of `[bar.format]` may use, and what it stands for; docs/bars.md has the same table. */
export const placeholders = {
  session: {
    glyph: 'the glyph of its state',
    name: 'its label, else its name; two of one name get the branch, the workspace or the id added',
    state: 'needs-input, review, busy, idle, unknown',
    pin: 'the mark of a prompt that `tsmux pin` has picked',
    what: 'what its open prompt asks; the first to be cut where room is short',
    detail: 'busy: the tool and what it does; review: why the turn failed',
    agents: 'how many sub-agents run, as `+2`',
    shells: 'how many shells run in the background',
    age: 'for how long it has been busy or in review: `4m`, `3h`, `2d`',
    branch: 'the git branch',
    folder: 'the name of its folder',
    workspace: 'the workspace of its window',
    output: 'the output of its window',
    model: 'the model',
    context: 'how much of the context is used, in percent',
    ports: 'the TCP ports that it listens on',
    message: 'the last thing that Claude said',
    place: '`?` where its window is not known, or one of several',
    id: 'its id',
  },
  group: {
    glyph: 'the glyph of the badge: the most urgent state there',
    state: 'the badge',
    workspace: 'the name of the workspace',
    count: 'how many sessions there are; nothing for one',
    counts: 'how many of each state, as `●1 ◐2`',
    name: 'the name of the most urgent session',
    pin: 'as for a session',
    what: 'what the open prompt of the most urgent session asks',
    age: 'as for a session, of the most urgent one',
  },
  option: {
    key: 'the key that answers',
    label: 'the words of the option; a rule to allow for good is offered only where they stand whole',
    glyph: 'the glyph of options',
  },
  summary: {
    counts: 'how many of each state, as `●1 ○3 ◐2`',
    total: 'how many in all',
    glyph: 'the glyph of the most urgent state among them',
    state: 'the most urgent state among them',
  },
  quiet: {
    glyph: 'the glyph of the quiet time',
    minutes: 'how many minutes are left',
  },
} as const;

export type FormatKind = keyof typeof placeholders;
/** The placeholders of one kind of block. */
export type Placeholder<Kind extends FormatKind> = keyof (typeof placeholders)[Kind] & string;
