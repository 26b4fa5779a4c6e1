import { expect, it } from 'vitest';
import { byUrgency } from '../../src/attention/order.ts';
import { aSession } from '../support/sessions.ts';

const ids = (sessions: readonly { id: string }[]) => sessions.map(({ id }) => id);

it('puts who needs an answer before what is to be reviewed, then what works, rests and cannot be told', () => {
  const sessions = (['unknown', 'idle', 'busy', 'review', 'needs-input'] as const).map((state) =>
    aSession({ id: `s${state.replace('-', '')}`, state }),
  );
  expect(ids(byUrgency(sessions))).toEqual(['sneedsinput', 'sreview', 'sbusy', 'sidle', 'sunknown']);
});

it('lets the one who has waited longest come first', () => {
  const late = aSession({ id: 'late', state: 'needs-input', since: 3_000, startedAt: 1 });
  const early = aSession({ id: 'early', state: 'needs-input', since: 2_000, startedAt: 9 });
  expect(ids(byUrgency([late, early]))).toEqual(['early', 'late']);
});

it('keeps sessions at work in the order in which they started, whatever they did last', () => {
  const first = aSession({ id: 'first', state: 'busy', since: 9_000, startedAt: 1 });
  const second = aSession({ id: 'second', state: 'busy', since: 2_000, startedAt: 2 });
  expect(ids(byUrgency([second, first]))).toEqual(['first', 'second']);
});
