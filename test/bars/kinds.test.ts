import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block } from '../../src/bars/block.ts';
import { withoutQuotes } from '../../src/bars/i3blocks.ts';
import type { View } from '../../src/bars/kind.ts';
import { type KindName, kinds } from '../../src/bars/kinds.ts';
import { polybarText } from '../../src/bars/polybar.ts';
import type { Session } from '../../src/sessions/session.ts';
import { anyMoment, lookedAt, minutes, moment, now, prompt, session } from './moment.ts';
import { readI3blocks, readPango, readPolybar, readTmux } from './readers.ts';
import { barOf, viewOf } from './view.ts';

const line = (kind: KindName, view: View) => kinds[kind].render(view).join('7');
const parsed = (kind: KindName, view: View) => JSON.parse(line(kind, view));
const names = Object.keys(kinds) as KindName[];

/** Names and commands that have broken bars. */
const hostile = [
  '%{A1:touch /tmp/x:}click me%{A}',
  '</span>',
  '<span size="99999">&amp;&',
  '" \\" \\\\',
  'one\ntwo\r\n\tthree\0',
  '\x1b]0;title\x07\x1b[31m',
  '\u202egnp.exe\u2028',
  '#(touch /tmp/x) #{pane_id} #[fg=red]##',
  '漢'.repeat(400),
  '%%{F#f00}\\%{F#f00}%{',
] as const;
const hostileMoment = moment(
  hostile.map((name, index) =>
    session('x', {
      name,
      startedAt: now + index,
      state: index % 2 === 0 ? 'review' : 'needs-input',
      reason: name,
      lastMessage: name,
      prompts: index % 2 === 0 ? [] : [prompt(name)],
    }),
  ),
);
const padded = ({ theme }: View, block: Block) => {
  const space = ' '.repeat(theme.faces[block.look].padding);
  return `${space}${block.text}${space}`;
};

/** What stands for characters that a bar cannot show. */
const inWords: Readonly<Partial<Record<KindName, (text: string) => string>>> = {
  polybar: polybarText,
  i3blocks: withoutQuotes,
};

/** What a bar of that kind shows, as its own program reads it. */
const shown: Readonly<Record<KindName, (text: string) => string>> = {
  i3bar: (text) =>
    (JSON.parse(text).blocks as { full_text: string }[]).map((block) => block.full_text).join(' '),
  waybar: (text) => {
    const read = JSON.parse(text);
    readPango(read.tooltip);
    return readPango(read.text).text;
  },
  polybar: (text) => readPolybar(text).text,
  i3blocks: (text) => {
    const read = readI3blocks(text);
    expect(read).toEqual(JSON.parse(text));
    const { full_text = '', markup } = read;
    return withoutQuotes(markup === 'pango' ? readPango(full_text).text : full_text);
  },
  'i3status-rs': (text) => readPango(JSON.parse(text).text).text,
  tmux: readTmux,
  json: (text) => JSON.parse(text).text,
};

describe.each(names)('%s', (kind) => {
  const check = (view: View) => {
    const written = line(kind, view);
    expect(written).not.toMatch(/[\n\r\0\x1b\u2028\u2029\u202e]/);
    const text = shown[kind](written);
    let from = 0;
    for (const block of view.blocks) {
      const words = inWords[kind]?.(block.text) ?? block.text;
      const at = text.indexOf(words, from);
      expect(at, `${words} in ${text}`).toBeGreaterThanOrEqual(from);
      from = at + words.length;
    }
  };

  it('d1, d2: shows every block in one line, and nothing in a name is markup, whatever the names are', () => {
    check(viewOf(hostileMoment));
    for (const block of viewOf(hostileMoment).blocks) check(viewOf(hostileMoment, { blocks: [block] }));
    fc.assert(
      fc.property(anyMoment, (snapshot) => check(viewOf(snapshot))),
      { numRuns: 40 },
    );
  });

  it('d16: is valid when nothing runs', () => {
    expect(shown[kind](line(kind, viewOf(moment([]))))).toBe('');
  });
});

describe('Waybar', () => {
  const web = session('web', {
    state: 'needs-input',
    reason: 'permission prompt',
    lastMessage: 'I will install it.\n\nThen <b>test</b> it.',
    contextPercent: 41.6,
    ports: [3000, 5173],
    prompts: [prompt('npm install left-pad', { pinned: true })],
    place: {
      certainty: 'exact',
      reason: null,
      desktop: 'sway',
      workspace: { name: '3: web', num: 3, output: 'DP-1' },
      window: { conId: 1, id: null, title: '', focused: false },
      pane: { kind: 'tmux', id: '%3', focused: false },
      candidates: [],
    },
  });
  const blockOf = (of: Session, index = 0) => {
    const view = viewOf(moment([of]));
    return { ...view, blocks: view.blocks.slice(index, index + 1) };
  };

  it('gets text, tooltip, class, alt and percentage', () => {
    expect(parsed('waybar', blockOf(web))).toEqual({
      text: '▲◆ web · Bash npm install left-pad',
      alt: 'needs-input',
      class: ['needs-input', 'pinned'],
      percentage: 42,
      tooltip: [
        '▲ web: needs-input (permission prompt)',
        'Bash npm install left-pad',
        'I will install it.',
        'Then &lt;b&gt;test&lt;/b&gt; it.',
        'workspace 3: web on DP-1, tmux %3',
        'ports 3000 5173',
      ].join('\n'),
    });
  });

  it('is told what an option means', () => {
    expect(parsed('waybar', blockOf(web, 1))).toMatchObject({ text: '1 Yes', class: ['option', 'allow'] });
    expect(parsed('waybar', blockOf(web, 2)).class).toEqual(['option', 'allow-always']);
  });

  it('d16: hides a module with nothing to show', () => {
    expect(parsed('waybar', viewOf(moment([])))).toEqual({
      text: '',
      tooltip: '',
      alt: 'none',
      class: ['none'],
      percentage: 0,
    });
  });

  it('d2: has line breaks in the tooltip only as \\n, and none in the text', () => {
    const { text, tooltip } = parsed('waybar', {
      ...viewOf(moment([session('a\nb', { lastMessage: 'x\r\ny\u2028z' })])),
    });
    expect(text).toBe('○ a\\nb');
    expect(tooltip.split('\n')).toEqual(['○ a\\nb: idle', 'x\\r', 'y\\u2028z', 'no window: not looked for']);
  });

  it('says where a session could be when its window is not sure', () => {
    const place = { ...web.place, certainty: 'ambiguous' as const, candidates: [] };
    expect(parsed('waybar', blockOf({ ...web, place })).tooltip).toContain('one of 0 windows');
  });
});

describe('Polybar', () => {
  it('gets an action for each button that does something, on each block', () => {
    const view = viewOf(moment([session('web')]));
    const { actions } = readPolybar(line('polybar', view));
    const [block] = view.blocks;
    expect(actions).toEqual(
      [1, 2, 3].map((button) => ({
        button,
        text: ' ○ web ',
        command: `/usr/bin/node '/opt/my tools: 1/tsmux.js' click --bar polybar --instance ${block?.instance} --button ${button} --line 7 >/dev/null 2>&1 &`,
      })),
    );
  });

  it('d18: is not made to wait for a click', () => {
    for (const { command } of readPolybar(line('polybar', viewOf(lookedAt()))).actions) {
      expect(command).toMatch(/ &$/);
    }
  });

  it('gets none for what the click map leaves out, and one for the wheel where it has something', () => {
    const bar = barOf(
      '[bar.clicks.session]\nleft = "none"\nmiddle = "none"\nright = "none"\nwheel-up = "seen"',
    );
    const { actions } = readPolybar(line('polybar', viewOf(moment([session('web')]), {}, bar)));
    expect(actions.map(({ button }) => button)).toEqual([4]);
  });

  it('runs nothing that a name says: every command is ours', () => {
    fc.assert(
      fc.property(anyMoment, (snapshot) => {
        for (const { command } of readPolybar(line('polybar', viewOf(snapshot))).actions) {
          expect(command).toMatch(
            /^\/usr\/bin\/node '\/opt\/my tools: 1\/tsmux\.js' click --bar polybar --instance [a-z0-9/]+ --button [1-5] --line 7 >\/dev\/null 2>&1 &$/,
          );
        }
      }),
    );
  });

  it('writes transparent colours in its own order', () => {
    const bar = barOf('[bar.faces.idle]\ncolor = "#11223344"');
    expect(line('polybar', viewOf(moment([session('web')]), {}, bar))).toContain('%{F#44112233}');
  });
});

describe('i3blocks', () => {
  it('gets one block without markup, in its colours', () => {
    const view = viewOf(moment([session('R&D <x> "q" \\')]));
    expect(parsed('i3blocks', view)).toEqual({
      full_text: ' ○ R&D <x> ″q″ ∖ ',
      short_text: ' ○ R&D <x> ″q″ ∖ ',
      color: '#7f8490',
      background: '#20222c',
    });
  });

  it('d16: gets an empty text, which hides the block', () => {
    expect(parsed('i3blocks', viewOf(moment([])))).toEqual({ full_text: '', short_text: '' });
  });
});

describe('i3status-rust', () => {
  it('is told by its own states what the colours are to be', () => {
    const states = (['needs-input', 'review', 'busy', 'idle', 'unknown'] as const).map(
      (state) => parsed('i3status-rs', viewOf(moment([session('web', { state })]))).state,
    );
    expect(states).toEqual(['Warning', 'Info', 'Good', 'Idle', 'Idle']);
  });
});

describe('JSON', () => {
  it('has the blocks, and all sessions with where they are', () => {
    const docs = session('docs', { state: 'review', since: now - minutes(2) });
    expect(parsed('json', viewOf(moment([docs])))).toEqual({
      version: 1,
      line: 7,
      state: 'review',
      text: '● docs 2m',
      counts: { review: 1 },
      blocks: [
        {
          instance: docs.id,
          role: 'session',
          text: '● docs 2m',
          short: '● docs',
          session: docs.id,
          state: 'review',
          means: null,
          color: '#7dcfff',
          background: '#1f2a38',
        },
      ],
      sessions: [
        {
          id: docs.id,
          pid: docs.pid,
          name: 'docs',
          state: 'review',
          glyph: '●',
          workspace: null,
          output: null,
          pane: null,
          pinned: false,
        },
      ],
    });
    expect(parsed('json', viewOf(moment([]))).state).toBe('none');
  });
});

it('the padding of a face is around its text where a bar has backgrounds', () => {
  const view = viewOf(lookedAt());
  const texts = readPolybar(line('polybar', view)).text;
  for (const block of view.blocks) expect(texts).toContain(padded(view, block));
});
