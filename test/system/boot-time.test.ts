import { expect, it } from 'vitest';
import { createBootTime } from '../../src/system/boot-time.ts';

const BOOT = 1_700_000_000_000;

/** A machine whose uptime is cut to hundredths of a second, as /proc/uptime is. */
function machine() {
  let ms = 0;
  let set = 0;
  let asleep = 0;
  let readings = 0;
  const uptime = () => {
    readings += 1;
    return Math.floor(ms / 10) / 100;
  };
  const bootTime = createBootTime(uptime, () => ms - asleep);
  return {
    at(time: number) {
      ms = time;
      return bootTime(BOOT + set + ms);
    },
    setClock(by: number) {
      set += by;
    },
    suspend(time: number) {
      asleep += time;
    },
    readings: () => readings,
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

it('reads no more when it has read enough, until the clock is set or the machine was suspended', () => {
  const { at, setClock, suspend, readings } = machine();
  const seen = (from: number) => Array.from({ length: 200 }, (_, n) => at(from + n * 1001)).at(-1);
  expect(seen(1000)).toBe(BOOT);
  const enough = readings();
  expect(enough).toBeLessThan(150);
  seen(300_000);
  expect(readings()).toBe(enough);
  setClock(-5000);
  expect(at(600_000) - BOOT).toBe(-5000);
  expect(seen(600_000)).toBe(BOOT - 5000);
  const again = readings();
  expect(again).toBeGreaterThan(enough);
  suspend(60_000);
  expect(seen(1_000_000)).toBe(BOOT - 5000);
  expect(readings()).toBeGreaterThan(again);
});
