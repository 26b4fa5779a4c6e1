import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readDay } from '../daemon/day.ts';
import { playDay } from './played-day.ts';

const day = readDay(readFileSync('test/fixtures/a-day.txt', 'utf8'));

it('the day of the script, played by the stand-in: each moment that deserves it is told once, and nothing else', {
  timeout: 420_000,
}, async () => {
  const playing = await playDay(day);
  try {
    for (const [index, line] of day.entries()) await playing.play(line, index);
    // Nothing comes later than the cooldown.
    await new Promise((over) => setTimeout(over, 6_000));
    expect(playing.told()).toEqual(day.flatMap(({ told }) => told ?? []));
  } finally {
    await playing.lab.stop();
  }
});
