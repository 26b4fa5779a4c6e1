import { describe, expect, it } from 'vitest';
import { createNext } from '../../src/daemon/next.ts';
import type { Went } from '../../src/desktop/desktop.ts';
import type { WindowRef } from '../../src/sessions/place.ts';
import { aSession } from '../support/sessions.ts';

const window = (conId: number): WindowRef => ({ desktop: 'i3', conId, id: conId });

/** Two windows of which the user came, one after the other; `went` is what becomes of going back to one. */
async function cameFromTwo(went: Went, isOpen: boolean) {
  const session = aSession({ id: 'web1', state: 'needs-input' });
  const from = [window(1), window(2)];
  const focused: number[] = [];
  const next = createNext({
    registry: { all: () => [session], find: () => session },
    desktop: {
      focused: async () => from.shift() ?? null,
      isOpen: ({ conId }) => conId === 1 || isOpen || focused.length === 0,
      focus: async ({ conId }) => {
        focused.push(conId);
        return conId === 2 ? went : { done: true };
      },
    },
    go: async () => {},
  });
  await next.on();
  await next.on();
  return { next, focused };
}

describe('the way back', () => {
  it('passes over a window that was closed a moment ago', async () => {
    const { next, focused } = await cameFromTwo({ done: false, why: 'closed', hint: '' }, false);
    expect(await next.back()).toBeNull();
    expect(focused).toEqual([2, 1]);
    await expect(next.back()).rejects.toThrow('nothing to go back to');
  });

  it('is refused where its window is there, and cannot have the focus', async () => {
    const { next, focused } = await cameFromTwo({ done: false, why: 'locked', hint: '' }, true);
    await expect(next.back()).rejects.toThrow('locked');
    expect(focused).toEqual([2]);
  });
});
