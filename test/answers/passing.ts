import type { ManualClock } from '../support/manual-clock.ts';

/** Lets everything run that waits for nothing but a promise. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Lets the time pass in small steps, and after each everything run that it set off. */
export async function passing(clock: ManualClock, ms: number): Promise<void> {
  await settled();
  for (let passed = 0; passed < ms; passed += 50) {
    clock.pass(Math.min(50, ms - passed));
    await settled();
  }
}
