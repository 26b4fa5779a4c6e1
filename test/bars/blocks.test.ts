import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextChange } from '../../src/bars/ages.ts';
import type { BlockSettings } from '../../src/bars/block.ts';
import { blocksOf } from '../../src/bars/blocks.ts';
import { columnsOf } from '../../src/bars/piece.ts';
import { styles } from '../../src/bars/theme.ts';
import { defaultConfig } from '../../src/config/schema.ts';
import { displayNames } from '../../src/sessions/labels.ts';
import type { Snapshot } from '../../src/sessions/session.ts';
import { anyMoment, lookedAt, minutes, moment, now, prompt, session } from './moment.ts';

const theme = styles.chips;
const draw = (snapshot: Snapshot, settings: Partial<BlockSettings> = {}, at = now) =>
  blocksOf(snapshot, {
    names: displayNames(snapshot.sessions),
    now: at,
    theme,
    settings: { ...defaultConfig.bar, budget: 1000, ...settings },
  });
const texts = (snapshot: Snapshot, settings: Partial<BlockSettings> = {}, at = now) =>
  draw(snapshot, settings, at).map((block) => block.text);

describe('the blocks of a moment', () => {
  it('are those of the picture', () => {
    expect(texts(lookedAt())).toEqual([
      '▲ web · Bash npm install left-pad',
      '1 Yes',
      '2 Always npm install *',
      '3 No',
      '→',
      '● docs 2m',
      '◐ api Edit cart.ts 4m',
      '◐ infra +2 11m',
      '○ blog',
      '☾ 24m',
    ]);
  });

  it('d16: are none when no session runs', () => {
    expect(draw(moment([]))).toEqual([]);
  });

  it('bear ids that a click can carry', () => {
    const web = session('web', { state: 'needs-input', prompts: [prompt('ls')] });
    expect(draw(moment([web], { quiet: { until: now + 1 } })).map((block) => block.instance)).toEqual([
      web.id,
      `${web.id}/p7c2/1`,
      `${web.id}/p7c2/2`,
      `${web.id}/p7c2/3`,
      `${web.id}/p7c2/g`,
      'quiet',
    ]);
  });

  it('stand by urgency, and within it as the sessions started', () => {
    const sessions = [
      session('a', { state: 'unknown' }),
      session('b', { state: 'idle' }),
      session('c', { state: 'busy' }),
      session('d', { state: 'review' }),
      session('e', { state: 'needs-input' }),
      session('f', { state: 'idle' }),
      session('g', { state: 'needs-input' }),
    ];
    expect(texts(moment(sessions))).toEqual(['▲ e', '▲ g', '● d', '◐ c', '○ b', '○ f', '◌ a']);
    expect(texts(moment(sessions), { order: 'started' })).toEqual([
      '▲ e',
      '▲ g',
      '◌ a',
      '○ b',
      '◐ c',
      '● d',
      '○ f',
    ]);
  });

  it('show the label before the name, and tell two of one name apart', () => {
    const sessions = [
      session('webshop', { label: 'web' }),
      session('api', { branch: 'main' }),
      session('api', { branch: 'cart' }),
    ];
    expect(texts(moment(sessions))).toEqual(['○ web', '○ api main', '○ api cart']);
  });

  it('say why a session waits when its prompt is not known', () => {
    const waiting = session('web', { state: 'needs-input', reason: 'sandbox request' });
    expect(texts(moment([waiting]))).toEqual(['▲ web · sandbox request']);
  });

  it('offer nothing to click on a prompt that cannot be answered from here', () => {
    const web = session('web', { state: 'needs-input', prompts: [prompt('ls', { answerable: 'no' })] });
    expect(texts(moment([web]))).toEqual(['▲ web · Bash ls']);
  });

  it('ask one prompt of a session after the other, the pinned one first', () => {
    const first = prompt('first', { answerable: 'no' });
    const second = prompt('second', { answerable: 'no' });
    const show = (prompts: (typeof first)[]) =>
      texts(moment([session('web', { state: 'needs-input', prompts })]));
    expect(show([first, second])).toEqual(['▲ web · (+1) Bash first']);
    expect(show([first, { ...second, pinned: true }])).toEqual(['▲◆ web · (+1) Bash second']);
  });

  it('offer "always" only where its rule shows whole, and never a switch of the mode', () => {
    const options = [
      { key: '1', label: 'Yes', means: 'allow' },
      { key: '2', label: `Always: ${'x'.repeat(41)}`, means: 'allow-always' },
      { key: '3', label: 'Yes, and switch to auto mode', means: 'mode' },
      { key: 'g', label: 'Go to terminal', means: 'go' },
    ] as const;
    const web = session('web', { state: 'needs-input', prompts: [prompt('ls', { options })] });
    expect(texts(moment([web]))).toEqual(['▲ web · Bash ls', '1 Yes', '→']);
  });

  it('cut a long command in the middle', () => {
    const long = prompt(`rm -rf ${'/very/long/path '.repeat(20)}/etc`, { answerable: 'no' });
    const [text] = texts(moment([session('web', { state: 'needs-input', prompts: [long] })]));
    expect(text).toMatch(/^▲ web · Bash rm -rf \/very.*….*\/etc$/);
  });

  it('say what a busy session does, and why a turn failed', () => {
    expect(
      texts(
        moment([
          session('a', { state: 'review', reason: 'API error', since: now - minutes(1) }),
          session('b', { state: 'busy', compacting: true }),
          session('c', {
            state: 'busy',
            tool: { name: 'Bash', summary: 'npm test' },
            background: { agents: 1, shells: 3 },
          }),
        ]),
      ),
    ).toEqual(['● a API error 1m', '◐ b compacting', '◐ c Bash npm test +1']);
  });

  it('say so when Claude Code is not installed', () => {
    const [block] = draw(moment([], { notice: 'Claude Code is not installed' }));
    expect(block).toMatchObject({ instance: 'notice', text: 'Claude Code is not installed' });
  });
});

describe('time on the bar', () => {
  const age = (ms: number) => texts(moment([session('a', { state: 'review', since: now - ms })]))[0];

  it('counts minutes, then hours, then days, and nothing before the first minute', () => {
    expect(
      [minutes(1) - 1, minutes(1), minutes(59), minutes(60), minutes(1439), minutes(2880)].map(age),
    ).toEqual(['● a', '● a 1m', '● a 59m', '● a 1h', '● a 23h', '● a 2d']);
    expect(age(-5000)).toBe('● a');
  });

  it('asks for no timer when nothing shows a time', () => {
    const quietBar = moment([
      session('a'),
      session('b', { state: 'unknown' }),
      session('c', { state: 'needs-input' }),
    ]);
    expect(nextChange(quietBar, now)).toBeNull();
    expect(nextChange({ ...quietBar, quiet: { until: now - 1 } }, now)).toBeNull();
  });

  it('changes by itself exactly when it was said', () => {
    fc.assert(
      fc.property(anyMoment, (snapshot) => {
        const at = nextChange(snapshot, now);
        if (at === null) {
          expect(draw(snapshot, {}, now + minutes(9999))).toEqual(draw(snapshot));
          return;
        }
        expect(at).toBeGreaterThan(now);
        expect(draw(snapshot, {}, at - 1)).toEqual(draw(snapshot));
        expect(draw(snapshot, {}, at)).not.toEqual(draw(snapshot));
      }),
    );
  });
});

describe('a bar with too little room', () => {
  const crowd = moment([
    session('web', { state: 'needs-input', prompts: [prompt('npm install left-pad')] }),
    session('docs', { state: 'review', since: now - minutes(2) }),
    session('api', { state: 'busy', since: now - minutes(4) }),
    session('infra', { state: 'busy' }),
    session('blog'),
    session('shop'),
    session('game'),
  ]);
  const line = (budget: number) => texts(crowd, { budget }).join('|');

  it('gives up what matters least first, the prompt last, and "→" never', () => {
    const seen = new Set<string>();
    for (let budget = 160; budget >= 6; budget -= 1) seen.add(line(budget));
    expect([...seen]).toEqual([
      '▲ web · Bash npm install left-pad|1 Yes|2 Always npm install *|3 No|→|● docs 2m|◐ api 4m|◐ infra|○ blog|○ shop|○ game',
      '▲ web · Bash npm install left-pad|1 Yes|2 Always npm install *|3 No|→|● docs 2m|◐ api|◐ infra|○ blog|○ shop|○ game',
      '▲ web · Bash npm install left-pad|1 Yes|2 Always npm install *|3 No|→|● docs 2m|◐|◐|○|○|○',
      '▲ web · Bash npm install left-pad|1 Yes|2 Always npm install *|3 No|→|● docs 2m|○3 ◐2',
      '▲ web · Bash npm install left-pad|1 Yes|2 Always npm install *|3 No|→|● docs|○3 ◐2',
      '▲ web · Bash npm install left-pad|1 Yes|2 Always npm install *|3 No|→|●|○3 ◐2',
      '▲ web · Bash npm ins…ll left-pad|1 Yes|2 Always npm install *|3 No|→|●1 ○3 ◐2',
      '▲ web · Bash npm i… left-pad|1 Yes|2 Always npm install *|3 No|→|●1 ○3 ◐2',
      '▲ web · Bash npm…eft-pad|1 Yes|2 Always npm install *|3 No|→|●1 ○3 ◐2',
      '▲ web · Bash n…t-pad|1 Yes|2 Always npm install *|3 No|→|●1 ○3 ◐2',
      '▲ web · Bash npm install left-pad|1|3|→|●1 ○3 ◐2',
      '▲ web · Bash npm ins…ll left-pad|1|3|→|●1 ○3 ◐2',
      '▲ web · Bash npm i… left-pad|1|3|→|●1 ○3 ◐2',
      '▲ web · Bash npm…eft-pad|1|3|→|●1 ○3 ◐2',
      '▲ web · Bash n…t-pad|1|3|→|●1 ○3 ◐2',
      '▲ web · Bash…pad|1|3|→|●1 ○3 ◐2',
      '▲ web|1|3|→|●1 ○3 ◐2',
      '▲ web|→|●1 ○3 ◐2',
      '▲|→|●1 ○3 ◐2',
    ]);
  });

  it('keeps to the budget, above what must be shown', () => {
    fc.assert(
      fc.property(anyMoment, fc.integer({ min: 20, max: 200 }), (snapshot, budget) => {
        const least = columnsOf(draw(snapshot, { budget: 0 }), theme);
        expect(columnsOf(draw(snapshot, { budget }), theme)).toBeLessThanOrEqual(Math.max(budget, least));
        const open = snapshot.sessions.filter((each) => each.state === 'needs-input').length;
        // A prompt's glyph and arrow, four counts, a minute count, and a notice.
        expect(least).toBeLessThanOrEqual(open * 6 + 17 + 8 + 62);
      }),
    );
  });

  it('never loses a session that waits for the user, nor its way to the terminal', () => {
    fc.assert(
      fc.property(anyMoment, fc.nat(200), (snapshot, budget) => {
        const instances = draw(snapshot, { budget }).map((block) => block.instance);
        for (const each of snapshot.sessions.filter(({ state }) => state === 'needs-input')) {
          expect(instances).toContain(each.id);
          const shown = each.prompts.find((open) => open.pinned) ?? each.prompts[0];
          if (shown !== undefined && shown.answerable !== 'no')
            expect(instances).toContain(`${each.id}/${shown.id}/g`);
        }
      }),
    );
  });

  it('offers an option only beside the name of the session that asks', () => {
    const asking = (name: string) =>
      session(name, { state: 'needs-input', prompts: [prompt('npm install left-pad')] });
    const two = moment([asking('web'), asking('api')]);
    for (let budget = 160; budget >= 0; budget -= 1) {
      const shown = texts(two, { budget });
      if (shown.some((text) => /^[1-3]/.test(text))) {
        expect(shown.filter((text) => /^▲ (?:web|api)/.test(text))).toHaveLength(2);
      }
    }
  });

  it('counts every session once, as a block or in the summary', () => {
    fc.assert(
      fc.property(anyMoment, fc.nat(200), (snapshot, budget) => {
        const blocks = draw(snapshot, { budget });
        const summary = blocks.find((block) => block.role === 'summary')?.text ?? '';
        const counted = [...summary.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 0);
        expect(blocks.filter((block) => block.role === 'session').length + counted).toBe(
          snapshot.sessions.length,
        );
      }),
    );
  });
});

describe('whatever the names are', () => {
  it('every block is one visible line with an instance of its own', () => {
    fc.assert(
      fc.property(anyMoment, fc.nat(200), (snapshot, budget) => {
        const blocks = draw(snapshot, { budget });
        expect(new Set(blocks.map((block) => block.instance)).size).toBe(blocks.length);
        for (const { text, shortText } of blocks) {
          expect(text).not.toBe('');
          expect(text + shortText).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
        }
      }),
    );
  });

  it('the order does not depend on the order in which sessions are listed', () => {
    fc.assert(
      fc.property(anyMoment, fc.nat(200), (snapshot, budget) => {
        const reversed = { ...snapshot, sessions: snapshot.sessions.toReversed() };
        const instances = (of: Snapshot) => draw(of, { budget }).map((block) => block.instance);
        expect(instances(reversed)).toEqual(instances(snapshot));
      }),
    );
  });
});
