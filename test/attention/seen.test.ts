import { describe, expect, it } from 'vitest';
import { type Looks, look } from '../../src/attention/seen.ts';
import { aSession, placedIn } from '../support/sessions.ts';

const nothing: Looks = new Map();
const finished = aSession({ id: 'web1', state: 'review', since: 10_000, place: placedIn({ focused: true }) });

describe('a finished session whose window has the focus', () => {
  it('is seen after one second, and says when to look again', () => {
    const first = look(nothing, [finished], false, 10_000);
    expect(first).toMatchObject({ seen: [], again: 1_000 });
    expect(look(first.looks, [finished], false, 10_999)).toMatchObject({ seen: [], again: 1 });
    expect(look(first.looks, [finished], false, 11_000).seen).toEqual(['web1']);
  });

  it('is looked at only since it finished, however long the window had the focus before', () => {
    const busy = { ...finished, state: 'busy' as const, since: 1_000 };
    const before = look(nothing, [busy], false, 2_000);
    expect(before).toMatchObject({ seen: [], again: null });
    expect(look(before.looks, [finished], false, 10_000)).toMatchObject({ seen: [], again: 1_000 });
  });

  it('starts over when the focus was away in between', () => {
    const first = look(nothing, [finished], false, 10_000);
    const away = look(first.looks, [{ ...finished, place: placedIn({ focused: false }) }], false, 10_500);
    expect(away).toMatchObject({ seen: [], again: null });
    expect(look(away.looks, [finished], false, 11_200)).toMatchObject({ seen: [], again: 1_000 });
  });

  it('is not seen on a locked screen', () => {
    const first = look(nothing, [finished], false, 10_000);
    expect(look(first.looks, [finished], true, 11_500)).toEqual({ looks: nothing, seen: [], again: null });
  });

  it('is seen in time although the clock was set back', () => {
    const first = look(nothing, [finished], false, 10_000);
    const setBack = look(first.looks, [finished], false, 4_000);
    expect(setBack.again).toBeLessThanOrEqual(1_000);
    expect(look(setBack.looks, [finished], false, 5_000).seen).toEqual(['web1']);
  });
});

it('is not seen while its window shows another pane', () => {
  const pane = (focused: boolean) => placedIn({ focused: true }, { kind: 'tmux', id: '%3', focused });
  const hidden = look(nothing, [{ ...finished, place: pane(false) }], false, 12_000);
  expect(hidden.again).toBeNull();
  expect(look(hidden.looks, [{ ...finished, place: pane(true) }], false, 12_000).again).toBe(1_000);
});

it('is not seen where it could be another window that has the focus', () => {
  const place = { ...placedIn({ focused: true }), certainty: 'ambiguous' as const, reason: 'two windows' };
  expect(look(nothing, [{ ...finished, place }], false, 20_000).again).toBeNull();
});
