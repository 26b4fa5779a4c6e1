import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonText } from '../../src/system/json-text.ts';

it('is the same value, and nothing in it that a terminal obeys or that turns text', () => {
  const hostile = {
    '\x9b2J': ['\x1b[31m', '\x7f', '\u202eRTL\u2066', '\u2028', '\u{e0001}', '\ud800', 'ü 界 👍'],
  };
  expect(JSON.parse(jsonText(hostile))).toEqual(hostile);
  expect(jsonText(hostile)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
  expect(jsonText(hostile)).toContain('"ü 界 👍"');
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' })), (value) => {
      expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(jsonText(value)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    }),
  );
});
