import { expect, it } from 'vitest';
import { createBootTime } from '../../src/system/boot-time.ts';

const BOOT = 1_700_000_000_000;

/** A machine whose uptime is cut to hundredths of a second, as /proc/uptime is. */
function machine() {
  let ms = 0;
  let set = 0;
  const bootTime = createBootTime(() => Math.floor(ms / 10) / 100);
  return {
    at(time: number) {
      ms = time;
      return bootTime(BOOT + set + ms);
    },
    setClock(by: number) {
      set += by;
    },
  };
}

it('comes to stay at the millisecond, whatever the hundredths leave away', () => {
  const { at } = machine();
  expect([1009, 2005, 3000, 4009, 5003].map((time) => at(time) - BOOT)).toEqual([9, 5, 0, 0, 0]);
});

it('keeps the order of two that were told in hundredths, however late each is taken', () => {
  const { at } = machine();
  at(1000);
  const reckoned = Array.from({ length: 200 }, (_, n) => {
    const began = 2000 + n * 3;
    return at(began + (n % 7)) + Math.floor(began / 10) * 10;
  });
  expect(reckoned).toEqual(reckoned.toSorted((a, b) => a - b));
});

it('moves with a clock that was set', () => {
  const { at, setClock } = machine();
  at(1000);
  setClock(3_600_000);
  expect(at(2000) - BOOT).toBe(3_600_000);
  setClock(-7_200_000);
  expect(at(3000) - BOOT).toBe(-3_600_000);
});
