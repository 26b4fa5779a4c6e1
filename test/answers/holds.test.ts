import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createHolds, type HoldChange } from '../../src/answers/holds.ts';
import type { PromptId } from '../../src/sessions/prompt.ts';
import { manualClock } from '../support/manual-clock.ts';
import { sessionId } from '../support/sessions.ts';

const web = sessionId('web1');
const prompt = (id: string) => id as PromptId;
const p1 = prompt('pone');
const p2 = prompt('ptwo');

function setUp(limit = 60_000) {
  const clock = manualClock();
  const drawn = new Set<PromptId>();
  const holds = createHolds(clock, { agent: () => limit, isDrawn: (id) => drawn.has(id) });
  const changes: string[] = [];
  holds.subscribe((change) =>
    changes.push(`${change.promptId} ${change.type === 'opened' ? 'opened' : change.why}`),
  );
  const open = (promptId: PromptId, agent: string | null = null) => {
    const reply = vi.fn();
    return { reply, hold: holds.open({ promptId, session: web, agent, reply }) };
  };
  return { clock, holds, changes, open, drawn };
}

describe('the holds', () => {
  it('give an answer to the prompt that it is for, and to no other', () => {
    const { holds, open } = setUp();
    const first = open(p1);
    const second = open(p2);
    expect(holds.answer(p2, 'yes')).toBe(true);
    expect(second.reply.mock.calls).toEqual([['yes']]);
    expect(first.reply).not.toHaveBeenCalled();
    expect(holds.holds(p1)).toBe(true);
    expect(holds.holds(p2)).toBe(false);
  });

  it('b5: do not answer twice, nor what was settled already', () => {
    const { holds, open } = setUp();
    const { reply } = open(p1);
    expect(holds.answer(p1, 'yes')).toBe(true);
    expect(holds.answer(p1, 'no')).toBe(false);
    expect(reply.mock.calls).toEqual([['yes']]);
    const later = open(p2);
    holds.release(p2, 'retired');
    expect(holds.answer(p2, 'yes')).toBe(false);
    expect(later.reply.mock.calls).toEqual([['']]);
  });

  it('b3: end without output when the prompt was settled in the terminal', () => {
    const { holds, open, changes } = setUp();
    const { reply } = open(p1);
    holds.release(p1, 'retired');
    expect(reply.mock.calls).toEqual([['']]);
    expect(changes).toEqual(['pone opened', 'pone retired']);
  });

  it('b13: end without output when a sub-agent’s prompt was held for its time', () => {
    const { clock, open, changes } = setUp(60_000);
    const { reply } = open(p1, 'a1');
    clock.pass(59_999);
    expect(reply).not.toHaveBeenCalled();
    clock.pass(1);
    expect(reply.mock.calls).toEqual([['']]);
    expect(changes).toEqual(['pone opened', 'pone limit']);
  });

  it('of a sub-agent in the foreground, whose dialog is on the screen beside them, last as those of the main thread', () => {
    const { clock, holds, open, drawn } = setUp(60_000);
    const { reply } = open(p1, 'a1');
    drawn.add(p1);
    clock.pass(24 * 3600_000);
    expect(reply).not.toHaveBeenCalled();
    expect(holds.answer(p1, 'yes')).toBe(true);
  });

  it('b9: of the main thread last as long as the prompt is open, and then decide nothing', () => {
    const { clock, holds, open } = setUp();
    const { reply } = open(p1);
    clock.pass(24 * 3600_000);
    expect(reply).not.toHaveBeenCalled();
    expect(holds.answer(p1, 'yes')).toBe(true);
  });

  it('are forgotten when their connection is closed', () => {
    const { holds, open, changes } = setUp();
    const { reply, hold } = open(p1);
    hold.closed();
    expect(holds.holds(p1)).toBe(false);
    expect(holds.answer(p1, 'yes')).toBe(false);
    expect(reply).not.toHaveBeenCalled();
    hold.closed();
    expect(changes).toEqual(['pone opened', 'pone closed']);
  });

  it('of a second hook for the same prompt replace the first, whose end then changes nothing', () => {
    const { holds, open } = setUp();
    const first = open(p1);
    const second = open(p1);
    expect(first.reply.mock.calls).toEqual([['']]);
    first.hold.closed();
    expect(holds.answer(p1, 'yes')).toBe(true);
    expect(second.reply.mock.calls).toEqual([['yes']]);
  });

  it('b7: all end without output when the daemon does', () => {
    const { clock, holds, open } = setUp();
    const replies = [open(p1), open(p2, 'a1')].map(({ reply }) => reply);
    holds.releaseAll('daemon-ends');
    expect(replies.map((reply) => reply.mock.calls)).toEqual([[['']], [['']]]);
    expect(clock.timers()).toEqual([]);
  });

  it('leave no timer behind', () => {
    const { clock, holds, open } = setUp();
    open(p1, 'a1');
    holds.answer(p1, 'yes');
    expect(clock.timers()).toEqual([]);
  });

  it('tell nobody who does not want to hear any more', () => {
    const { holds, open } = setUp();
    const heard: HoldChange[] = [];
    const stop = holds.subscribe((change) => heard.push(change));
    stop();
    open(p1);
    expect(heard).toEqual([]);
  });

  it('cannot be answered again from what an answer sets off', () => {
    const { holds, open } = setUp();
    const { reply } = open(p1);
    const again: boolean[] = [];
    reply.mockImplementation(() => again.push(holds.answer(p1, 'no')));
    holds.subscribe(() => again.push(holds.answer(p1, 'no')));
    holds.answer(p1, 'yes');
    expect(again).toEqual([false, false]);
    expect(reply.mock.calls).toEqual([['yes']]);
  });
});

describe('whatever the order of things', () => {
  const promptId = fc.constantFrom(p1, p2, prompt('pthree'));
  const event = fc.oneof(
    fc.record({
      type: fc.constant('open' as const),
      promptId,
      agent: fc.option(fc.constant('a1')),
    }),
    fc.record({ type: fc.constant('answer' as const), promptId, output: fc.stringMatching(/^[a-z]{8}$/) }),
    fc.record({ type: fc.constant('release' as const), promptId }),
    fc.record({ type: fc.constant('release-all' as const) }),
    fc.record({ type: fc.constant('close' as const), which: fc.nat(20) }),
    fc.record({ type: fc.constant('pass' as const), ms: fc.nat(90_000) }),
  );

  it('a hold is replied to once at most, and gets only an answer that was given for its prompt', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const { clock, holds } = setUp();
        const opened: {
          readonly promptId: PromptId;
          readonly replies: string[];
          readonly hold: { closed(): void };
          closed: boolean;
        }[] = [];
        for (const told of events) {
          const before = opened.map(({ replies }) => replies.length);
          const repliedNow = () => opened.filter(({ replies }, at) => replies.length > (before[at] ?? 0));
          switch (told.type) {
            case 'open': {
              const replies: string[] = [];
              const hold = holds.open({
                ...told,
                session: web,
                reply: (output) => replies.push(output),
              });
              opened.push({ promptId: told.promptId, replies, hold, closed: false });
              break;
            }
            case 'answer': {
              const answered = holds.answer(told.promptId, told.output);
              const now = repliedNow();
              expect(now.length).toBe(answered ? 1 : 0);
              for (const { promptId: of, replies, closed } of now) {
                expect([of, replies, closed]).toEqual([told.promptId, [told.output], false]);
              }
              break;
            }
            case 'release':
              holds.release(told.promptId, 'retired');
              break;
            case 'release-all':
              holds.releaseAll('daemon-ends');
              break;
            case 'close': {
              const closing = opened[told.which];
              if (closing === undefined) break;
              closing.hold.closed();
              closing.closed = true;
              expect(repliedNow()).toEqual([]);
              break;
            }
            case 'pass':
              clock.pass(told.ms);
          }
          if (told.type !== 'answer') {
            expect(repliedNow().every(({ replies }) => replies[0] === '')).toBe(true);
          }
          expect(opened.every(({ replies }) => replies.length <= 1)).toBe(true);
        }
        holds.releaseAll('daemon-ends');
        expect(opened.every(({ replies, closed }) => replies.length === 1 || closed)).toBe(true);
        expect(clock.timers()).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
