import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quoteForSh } from '../../src/system/quote.ts';

it('is one word to a shell, whatever is in it', () => {
  const word = fc
    .string({ unit: fc.oneof(fc.constantFrom(...'\'"$`\\\n ~=*;&|#!{}'), fc.string({ minLength: 1 })) })
    .filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 20 }), (words) => {
      const line = `printf '%s\\0' ${words.map(quoteForSh).join(' ')}`;
      const printed = execFileSync('sh', ['-c', line], { encoding: 'utf8' });
      expect(printed.split('\0').slice(0, -1)).toEqual(words);
    }),
    { numRuns: 60 },
  );
});

it('leaves a plain word plain', () => {
  const words = ['/run/user/1000/tsmux.sock', 'slot=1', '=web', '', "a'b $(rm)"];
  expect(words.map(quoteForSh)).toEqual([
    '/run/user/1000/tsmux.sock',
    'slot=1',
    "'=web'",
    "''",
    "'a'\\''b $(rm)'",
  ]);
});
