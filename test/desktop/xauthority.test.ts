import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCookie } from '../../src/desktop/xauthority.ts';

function entry(family: number, ...fields: string[]): Buffer {
  const parts = fields.flatMap((field) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(field.length);
    return [length, Buffer.from(field, 'latin1')];
  });
  const head = Buffer.alloc(2);
  head.writeUInt16BE(family);
  return Buffer.concat([head, ...parts]);
}

const name = 'MIT-MAGIC-COOKIE-1';

describe('the cookie of a display', () => {
  it('is the one for this machine and this display', () => {
    const file = Buffer.concat([
      entry(256, 'elsewhere', '0', name, 'wrong host'),
      entry(0, '\x7f\0\0\x01', '0', name, 'wrong family'),
      entry(256, 'here', '1', name, 'other display'),
      entry(256, 'here', '0', name, '\0\xff\x80right'),
    ]);
    expect(findCookie(file, 0, 'here')).toEqual({ name, data: '\0\xff\x80right' });
    expect(findCookie(file, 1, 'here')?.data).toBe('other display');
    expect(findCookie(file, 2, 'here')).toBeNull();
  });

  it('may be for any machine and any display', () => {
    expect(findCookie(entry(65535, '', '', name, 'wild'), 7, 'here')?.data).toBe('wild');
  });

  it('is none in a file that is cut, empty, or something else', () => {
    const whole = entry(256, 'here', '0', name, 'cookie');
    for (let length = 0; length < whole.length; length++) {
      expect(findCookie(whole.subarray(0, length), 0, 'here')).toBeNull();
    }
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        findCookie(Buffer.from(bytes), 0, 'here');
      }),
    );
  });
});
