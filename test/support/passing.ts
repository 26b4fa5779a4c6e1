import type { ManualClock } from './manual-clock.ts';

/** Lets everything run that waits for nothing but its turn, and what that sets off, for so many turns. */
export async function settled(turns = 1): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** Lets the time pass in small steps, and after each everything run that it set off. */
export async function passing(clock: ManualClock, ms: number): Promise<void> {
  await settled();
  for (let passed = 0; passed < ms; passed += 50) {
    clock.pass(Math.min(50, ms - passed));
    await settled();
  }
}
