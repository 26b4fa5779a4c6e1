import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { createKeys, type KeyAnswer, type ReadableDialog, readForPrompt } from '../../src/answers/keys.ts';
import type { Option } from '../../src/sessions/prompt.ts';
import { manualClock } from '../support/manual-clock.ts';
import { passing, settled } from '../support/passing.ts';

const yes: Option = { key: '1', label: 'Yes', means: 'allow' };
const always: Option = {
  key: '2',
  label: 'Yes, and don’t ask again for: npm install *',
  means: 'allow-always',
};
const no: Option = { key: '4', label: 'No', means: 'deny' };

const dialogWith = (...options: readonly Option[]): ReadableDialog => ({
  options: options.map((option) => ({ ...option, takesText: false })),
  typing: false,
});
const dialog = dialogWith(yes, always, no);

/** Somebody chooses `always` of a prompt that has been open for a minute. */
function setUp(more: Partial<KeyAnswer<ReadableDialog>> = {}) {
  const clock = manualClock();
  const keys = createKeys(clock);
  const send = vi.fn<KeyAnswer<ReadableDialog>['send']>(async () => 'sent');
  const read = vi.fn<KeyAnswer<ReadableDialog>['read']>(async () => dialog);
  const answer: KeyAnswer<ReadableDialog> = {
    mark: 'pone',
    option: always,
    promptSince: clock.now() - 60_000,
    read,
    belongs: () => true,
    send,
    ...more,
  };
  const start = clock.now();
  const drawnAfter = (ms: number) => async () => (clock.now() - start >= ms ? dialog : null);
  return { clock, keys, answer, send, read, drawnAfter, elapsed: () => clock.now() - start };
}

describe('an option that is chosen by its key', () => {
  it('is sent at once when its dialog has been on screen for a while', async () => {
    const { keys, answer, send } = setUp();
    expect(await keys.answer(answer)).toEqual({ type: 'sent' });
    expect(send.mock.calls).toEqual([[dialog, '2', 'pone']]);
  });

  it.each([400, 550, 750])('is found in a dialog that is drawn %i ms later', async (drawn) => {
    const { clock, keys, answer, send, drawnAfter, elapsed } = setUp();
    const sentAt: number[] = [];
    send.mockImplementation(async () => {
      sentAt.push(elapsed());
      return 'sent';
    });
    const outcome = keys.answer({ ...answer, read: drawnAfter(drawn) });
    await passing(clock, 3000);
    expect(await outcome).toEqual({ type: 'sent' });
    // A dialog ignores keys for a moment after it was drawn.
    expect(sentAt.every((at) => at >= drawn + 200)).toBe(true);
  });

  it('waits while a dialog that came just now ignores keys', async () => {
    const { clock, keys, answer, send } = setUp();
    const outcome = keys.answer({ ...answer, promptSince: clock.now() - 100 });
    await passing(clock, 600);
    expect(send).not.toHaveBeenCalled();
    await passing(clock, 100);
    expect(await outcome).toEqual({ type: 'sent' });
  });

  it('is not kept waiting by a wall clock that was set back', async () => {
    const { clock, keys, answer } = setUp();
    const outcome = keys.answer({ ...answer, promptSince: clock.now() + 3600_000 });
    await passing(clock, 800);
    expect(await outcome).toEqual({ type: 'sent' });
  });

  it('is not sent when no dialog can be read, after four retries', async () => {
    const { clock, keys, answer, send, read, elapsed } = setUp();
    const readAt: number[] = [];
    read.mockImplementation(async () => {
      readAt.push(elapsed());
      return null;
    });
    const outcome = keys.answer(answer);
    await passing(clock, 5000);
    expect(await outcome).toEqual({ type: 'unreadable' });
    expect(readAt).toEqual([0, 150, 400, 800, 1400]);
    expect(send).not.toHaveBeenCalled();
  });

  it('is not sent to the dialog of another prompt, but to its own when that comes', async () => {
    const other = dialogWith(yes, no);
    const { clock, keys, answer, send, read } = setUp({ belongs: (shown) => shown === dialog });
    read.mockResolvedValue(other);
    const refused = keys.answer(answer);
    await passing(clock, 5000);
    expect(await refused).toEqual({ type: 'other-dialog' });
    expect(send).not.toHaveBeenCalled();
    read.mockResolvedValueOnce(other).mockResolvedValue(dialog);
    const sent = keys.answer(answer);
    await passing(clock, 5000);
    expect(await sent).toEqual({ type: 'sent' });
    expect(send.mock.calls).toEqual([[dialog, '2', 'pone']]);
  });

  it.each([
    ['is not there', dialogWith(yes, no)],
    ['is worded otherwise', dialogWith(yes, { ...always, label: 'Yes, and don’t ask again for: npm *' }, no)],
    ['means something else', dialogWith(yes, { ...always, means: 'mode' }, no)],
    ['has another key', dialogWith(yes, { ...always, key: '3' }, { ...no, key: '2' })],
  ])('is not sent when it %s any more', async (_what, shown) => {
    const { keys, answer, send } = setUp({ read: async () => shown });
    expect(await keys.answer(answer)).toEqual({ type: 'no-such-option' });
    expect(send).not.toHaveBeenCalled();
  });

  it('is not typed into a text field', async () => {
    const typing = setUp({ read: async () => ({ ...dialog, typing: true }) });
    expect(await typing.keys.answer(typing.answer)).toEqual({ type: 'takes-text' });
    const leading = setUp({
      read: async () => ({ typing: false, options: [{ ...always, takesText: true }] }),
    });
    expect(await leading.keys.answer(leading.answer)).toEqual({ type: 'takes-text' });
    expect(typing.send).not.toHaveBeenCalled();
    expect(leading.send).not.toHaveBeenCalled();
  });

  it('b5: is sent once, however often and fast it is chosen', async () => {
    const { clock, keys, answer, send } = setUp();
    const outcomes = Promise.all([keys.answer(answer), keys.answer(answer), keys.answer(answer)]);
    await passing(clock, 1000);
    expect(await outcomes).toEqual([{ type: 'sent' }, { type: 'already-sent' }, { type: 'already-sent' }]);
    expect(await keys.answer({ ...answer, option: yes })).toEqual({ type: 'already-sent' });
    expect(send).toHaveBeenCalledTimes(1);
  });

  it('may be chosen again when it was surely not sent', async () => {
    const { keys, answer, send } = setUp();
    send.mockResolvedValueOnce('refused');
    expect(await keys.answer(answer)).toEqual({ type: 'changed' });
    expect(
      await keys.answer({ ...answer, read: () => Promise.reject(new Error('no pane')) }).catch(String),
    ).toBe('Error: no pane');
    expect(await keys.answer(answer)).toEqual({ type: 'sent' });
  });

  it('is not sent again when nobody can tell whether it arrived', async () => {
    const { keys, answer, send } = setUp();
    send.mockResolvedValueOnce('failed');
    expect(await keys.answer(answer)).toEqual({ type: 'failed' });
    expect(await keys.answer(answer)).toEqual({ type: 'already-sent' });
    const other = setUp({ send: () => Promise.reject(new Error('tmux')) });
    await expect(other.keys.answer(other.answer)).rejects.toThrow('tmux');
    expect(await other.keys.answer(other.answer)).toEqual({ type: 'already-sent' });
  });

  it('is forgotten with its prompt', async () => {
    const { keys, answer } = setUp();
    await keys.answer(answer);
    keys.forget('pone');
    expect(await keys.answer(answer)).toEqual({ type: 'sent' });
  });

  it('never goes out twice for one mark, nor for another, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            mark: fc.constantFrom('pone', 'ptwo'),
            shown: fc.constantFrom(null, dialog, dialogWith(yes, no)),
            own: fc.boolean(),
            result: fc.constantFrom('sent' as const, 'refused' as const, 'failed' as const),
            pause: fc.nat(900),
          }),
          { maxLength: 12 },
        ),
        async (clicks) => {
          const clock = manualClock();
          const keys = createKeys(clock);
          const arrived: string[] = [];
          const outcomes: Promise<unknown>[] = [];
          for (const { mark, shown, own, result, pause } of clicks) {
            outcomes.push(
              keys.answer({
                mark,
                option: always,
                promptSince: 0,
                read: async () => shown,
                belongs: () => own,
                async send(_dialog, key, sentFor) {
                  expect([key, sentFor, own, shown]).toEqual(['2', mark, true, dialog]);
                  if (result !== 'refused') arrived.push(sentFor);
                  return result;
                },
              }),
            );
            await passing(clock, pause);
          }
          await passing(clock, 3000);
          await Promise.all(outcomes);
          expect(arrived.length).toBe(new Set(arrived).size);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a dialog that is read to be shown', () => {
  it('is given as soon as it is there', async () => {
    const { clock, drawnAfter } = setUp();
    let found: unknown = null;
    void readForPrompt({ read: drawnAfter(500), belongs: () => true }, clock).then((read) => {
      found = read;
    });
    await passing(clock, 799);
    await settled();
    expect(found).toBeNull();
    await passing(clock, 1);
    expect(found).toEqual({ type: 'read', dialog, retried: true });
  });
});
