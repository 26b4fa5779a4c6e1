import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sessionCard, summaryCard } from '../../src/notifications/card.ts';
import { requestOf } from '../../src/notifications/request.ts';
import type { Server } from '../../src/notifications/server.ts';
import type { Session } from '../../src/sessions/session.ts';
import { aSession, placedIn } from '../support/sessions.ts';
import { aPrompt, asking, plain } from './cards.ts';

const server = (name: string, ...capabilities: string[]): Server => ({
  name,
  vendor: 'GNOME',
  version: '1',
  instance: 'bus 1 :1.7',
  capabilities: new Set(capabilities),
});
const all = ['body', 'body-markup', 'actions'];
const shown = (session: Session, on = server('test', ...all)) =>
  requestOf(
    sessionCard(session, session.name, {
      session: session.id,
      state: session.state === 'review' ? 'review' : 'needs-input',
      manner: plain,
    }),
    on,
    true,
  );

describe('a notification of a prompt', () => {
  it('says who asks for what, and where', () => {
    const { summary, body, timeout, hints } = shown(asking(aPrompt(), { place: placedIn({}) }));
    expect(summary).toBe('webshop · Bash');
    expect(body).toBe('npm install\nwebshop (main) · workspace 3: web');
    expect(timeout).toBe(0);
    expect(hints).toEqual({
      urgency: ['y', 2],
      category: ['s', 'x-tsmux.needs-input'],
      'desktop-entry': ['s', 'tsmux'],
      resident: ['b', true],
      'sound-name': ['s', 'dialog-question'],
    });
  });

  it("has the prompt's own options as actions, each with the prompt's id, and the way to the terminal", () => {
    expect(shown(asking()).actions).toEqual([
      ['default', 'Go to terminal'],
      ['p7c2/0/1', 'Yes'],
      ['p7c2/0/2', "Yes, and don't ask again for: npm install *"],
      ['p7c2/0/3', 'No'],
      ['k3f7/go', 'Go to terminal'],
    ]);
  });

  it('never offers to change the mode, nor for good what does not show whole', () => {
    const options = [
      { key: '1', label: 'Yes', means: 'allow' as const },
      { key: '2', label: 'Yes, and switch to auto mode', means: 'mode' as const },
      { key: '3', label: `Yes, and don't ask again for: ${'x'.repeat(60)}`, means: 'allow-always' as const },
    ];
    expect(shown(asking(aPrompt({ options }))).actions.map(([key]) => key)).toEqual([
      'default',
      'p7c2/0/1',
      'k3f7/go',
    ]);
  });

  describe('by a server that cuts off what does not fit into one row of buttons', () => {
    const row = server('Notification Daemon', ...all);
    const labelled = (labels: readonly string[], means = 'choice' as const) =>
      asking(aPrompt({ options: labels.map((label, index) => ({ key: `${index + 1}`, label, means })) }));

    it('leaves out what allows for good, rather than the No behind it', () => {
      const { actions, body } = shown(asking(), row);
      expect(actions.map(([, label]) => label)).toEqual(['Go to terminal', 'Yes', 'No', 'Go to terminal']);
      expect(body).not.toContain('Answer with');
    });

    it('leaves out the way to the terminal, which is a click on the notification too', () => {
      const { actions } = shown(labelled(['PostgreSQL', 'SQLite', 'MongoDB']), row);
      expect(actions.map(([, label]) => label)).toEqual([
        'Go to terminal',
        'PostgreSQL',
        'SQLite',
        'MongoDB',
      ]);
    });

    it('offers none of the options, and says how to answer, where not all fit', () => {
      const { actions, body } = shown(labelled(['a'.repeat(25), 'b'.repeat(25)]), row);
      expect(actions.map(([key]) => key)).toEqual(['default', 'k3f7/go']);
      expect(body).toMatch(/1 a+ · 2 b+\nAnswer with: tsmux answer --to p7c2 KEY$/);
    });
  });

  it('offers only the terminal where the prompt can be answered nowhere else', () => {
    expect(shown(asking(aPrompt({ answerable: 'no' }))).actions.map(([key]) => key)).toEqual([
      'default',
      'k3f7/go',
    ]);
  });

  it('shows both ends of a long command, and says how many more there are', () => {
    const long = aPrompt({ text: `echo ${'a'.repeat(500)} && rm -rf /` });
    const session = { ...asking(long), prompts: [long, aPrompt({ id: 'p888' })] };
    const [command, more] = shown(session).body.split('\n');
    expect(command).toMatch(/^echo a+…a+ &amp;&amp; rm -rf \/$/);
    expect(more).toBe('and 1 more');
  });

  it('e3: says how to answer where there are no actions, and has none', () => {
    const { actions, body } = shown(asking(), server('plain', 'body'));
    expect(actions).toEqual([]);
    expect(body.split('\n').slice(-2)).toEqual([
      "1 Yes · 2 Yes, and don't ask again for: npm install * · 3 No",
      'Answer with: tsmux answer --to p7c2 KEY',
    ]);
  });

  it.each([
    ['dunst', 'dunstctl context'],
    ['mako', 'makoctl menu'],
  ])('e4: says where its actions are under %s, which draws no buttons', (name, menu) => {
    const { actions, body } = shown(asking(), server(name, ...all));
    expect(actions).toContainEqual(['default', 'Go to terminal']);
    expect(actions).toContainEqual(['p7c2/0/1', 'Yes']);
    expect(body).toContain(`Answer with: ${menu}, or tsmux answer --to p7c2 KEY`);
  });

  it('does not offer the terminal twice where the default action is drawn as a button', () => {
    const { actions } = shown(asking(), server('Xfce Notify Daemon', ...all));
    expect(actions.map(([, label]) => label).filter((label) => label === 'Go to terminal')).toHaveLength(1);
  });

  it('e8: is escaped only for a server that reads markup in the body, and never in the summary', () => {
    const hostile = asking(aPrompt({ title: '<b>x</b> & y', text: '<a href="x">&amp;</a>' }));
    const marked = shown(hostile);
    expect(marked.summary).toBe('webshop · <b>x</b> & y');
    expect(marked.body).toContain('&lt;a href=&quot;x&quot;&gt;&amp;amp;&lt;/a&gt;');
    expect(shown(hostile, server('plain', 'body')).body).toContain('<a href="x">&amp;</a>');
  });

  it('e6: is changed by its id alone, with no hint that would replace it as well', () => {
    expect(Object.keys(shown(asking()).hints).filter((hint) => /synchronous|stack/.test(hint))).toEqual([]);
  });

  it('has no control characters in any part, whatever the session says', () => {
    const control = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const options = [{ key: '1', label: one, means: 'choice' as const }];
        const session = asking(aPrompt({ title: other, text: one, options }), { lastMessage: one });
        const { summary, body, actions } = shown({ ...session, name: other, branch: one });
        for (const text of [summary, body, ...actions.flat()]) expect(text).not.toMatch(control);
        expect(body.split('\n')).toHaveLength(one === '' ? 1 : 2);
      }),
    );
  });
});

describe('a notification of a finish', () => {
  const done = (facts: Partial<Session>) =>
    shown({ ...aSession({ id: 'k3f7', name: 'webshop' }), state: 'review', ...facts });

  it('says what was said last, and goes by itself', () => {
    const { summary, body, timeout, hints } = done({ lastMessage: 'All tests pass.' });
    expect([summary, body]).toEqual(['webshop · finished', 'All tests pass.\nwebshop']);
    expect(timeout).toBe(-1);
    expect(hints).toMatchObject({ category: ['s', 'x-tsmux.review'], 'sound-name': ['s', 'complete'] });
    expect(hints.resident).toBeUndefined();
  });

  it('says why it failed', () => {
    expect(done({ reason: 'API error: overloaded' }).summary).toBe('webshop · API error: overloaded');
  });
});

describe('the sum at the end of quiet time', () => {
  it('names all who need the user, and leads to the first', () => {
    const { body, actions } = requestOf(summaryCard(['web', 'api', 'docs']), server('test', ...all), true);
    expect(body).toBe('3 sessions need you: web, api, docs');
    expect(actions).toEqual([
      ['default', 'Go to the first'],
      ['summary/next', 'Go to the first'],
    ]);
    expect(requestOf(summaryCard(['web']), server('test', ...all), true).body).toBe(
      '1 session needs you: web',
    );
  });
});
