import fc from 'fast-check';
import { expect, it } from 'vitest';
import { back, forward } from '../../src/attention/next.ts';
import { aSession, sessionId } from '../support/sessions.ts';

const ask = aSession({ id: 'ask1', state: 'needs-input', since: 5_000 });
const olderAsk = aSession({ id: 'ask0', state: 'needs-input', since: 4_000 });
const done = aSession({ id: 'done', state: 'review', since: 1_000 });
const busy = aSession({ id: 'busy', state: 'busy' });
const all = [busy, done, ask, olderAsk];

it('goes to the session that has needed an answer for longest', () => {
  expect(forward(all, null, []).to).toBe('ask0');
});

it('goes on to the next one from there, then to the reviews, then round', () => {
  expect(forward(all, olderAsk.id, []).to).toBe('ask1');
  expect(forward(all, ask.id, []).to).toBe('done');
  expect(forward(all, done.id, []).to).toBe('ask0');
});

it('goes nowhere when nobody needs the user', () => {
  expect(forward([busy], busy.id, [])).toEqual({ to: null, trail: [] });
});

it('goes back to the session where the user was, step by step', () => {
  const first = forward(all, busy.id, []);
  const second = forward(all, first.to, first.trail);
  expect(second.trail).toEqual(['busy', 'ask0']);
  const back1 = back(all, second.to, second.trail);
  expect(back1.to).toBe('ask0');
  const back2 = back(all, back1.to, back1.trail);
  expect(back2.to).toBe('busy');
  expect(back(all, back2.to, back2.trail).to).toBeNull();
});

it('passes over sessions that have ended on the way back', () => {
  expect(back(all, done.id, [busy.id, sessionId('gone')])).toEqual({ to: 'busy', trail: [] });
});

it('comes by every session that needs the user before it comes by one twice', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('needs-input', 'review', 'idle', 'busy' as const)), (states) => {
      const sessions = states.map((state, n) => aSession({ id: `s${n}`, state, since: (n * 7) % 5 }));
      const waiting = sessions.filter(({ state }) => state === 'needs-input' || state === 'review');
      const visited = new Set<string>();
      let here = null;
      for (const _ of waiting) {
        here = forward(sessions, here, []).to;
        if (here !== null) visited.add(here);
      }
      expect(visited.size).toBe(waiting.length);
    }),
  );
});
