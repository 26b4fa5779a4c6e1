import fc from 'fast-check';
import { expect, it } from 'vitest';
import { back, forward, left, type Spot } from '../../src/attention/next.ts';
import type { Session } from '../../src/sessions/session.ts';
import { aSession, sessionId } from '../support/sessions.ts';

const ask = aSession({ id: 'ask1', state: 'needs-input', since: 5_000 });
const olderAsk = aSession({ id: 'ask0', state: 'needs-input', since: 4_000 });
const done = aSession({ id: 'done', state: 'review', since: 1_000 });
const busy = aSession({ id: 'busy', state: 'busy' });
const all = [busy, done, ask, olderAsk];

it('goes to the session that has needed an answer for longest', () => {
  expect(forward(all, null)).toBe('ask0');
});

it('goes on to the next one from there, then to the reviews, then round', () => {
  expect(forward(all, olderAsk.id)).toBe('ask1');
  expect(forward(all, ask.id)).toBe('done');
  expect(forward(all, done.id)).toBe('ask0');
});

it('goes nowhere when nobody needs the user', () => {
  expect(forward([busy], busy.id)).toBeNull();
});

const window: Spot = { window: { desktop: 'i3', conId: 94, id: 20971534 } };
const at = (id: string): Spot => ({ session: sessionId(id) });

it('goes back to where the user was, step by step', () => {
  const trail = left(left(left([], window), at('busy')), at('ask0'));
  const first = back(trail, () => true);
  expect(first.to).toEqual(at('ask0'));
  const second = back(first.trail, () => true);
  expect(second.to).toEqual(at('busy'));
  const third = back(second.trail, () => true);
  expect(third.to).toEqual(window);
  expect(back(third.trail, () => true)).toEqual({ to: null, trail: [] });
});

it('passes over what is gone on the way back', () => {
  expect(back([at('busy'), window], (spot) => spot !== window)).toEqual({ to: at('busy'), trail: [] });
});

it('comes by every session that needs the user before it comes by one twice', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('needs-input', 'review', 'idle', 'busy' as const)), (states) => {
      const sessions = states.map((state, n) => aSession({ id: `s${n}`, state, since: (n * 7) % 5 }));
      const waiting = sessions.filter(({ state }) => state === 'needs-input' || state === 'review');
      const visited = new Set<string>();
      let here: Session['id'] | null = null;
      for (const _ of waiting) {
        here = forward(sessions, here);
        if (here !== null) visited.add(here);
      }
      expect(visited.size).toBe(waiting.length);
    }),
  );
});
