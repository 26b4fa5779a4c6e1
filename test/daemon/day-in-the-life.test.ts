import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { play, readDay } from './day.ts';

const day = readDay(readFileSync('test/fixtures/a-day.txt', 'utf8'));
const time = (at: number) => new Date(at).toISOString().slice(11, 19);

it('a day of eight sessions: each moment that deserves it is told once, and nothing else', {
  timeout: 60_000,
}, async () => {
  const deserved = day.flatMap(({ at, told }) => (told === null ? [] : [`${time(at)} ${told}`]));
  expect(deserved.length).toBeGreaterThan(20);
  expect((await play(day)).told).toEqual(deserved);
});
