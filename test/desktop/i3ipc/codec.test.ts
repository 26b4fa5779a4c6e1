import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDecoder, encode, ProtocolError, parsePayload } from '../../../src/desktop/i3ipc/codec.ts';

const messages = fc.array(
  fc.record({ type: fc.integer({ min: 0, max: 0x7fff_ffff }), text: fc.string(), isEvent: fc.boolean() }),
  { maxLength: 6 },
);

/** Cuts bytes at these places, wherever they are. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((start, index) => bytes.subarray(start, at[index] ?? bytes.length));
}

describe('the wire format of i3 and sway', () => {
  it('c11: gives the same messages however the stream is cut', () => {
    fc.assert(
      fc.property(messages, fc.array(fc.nat()), (sent, places) => {
        const stream = Buffer.concat(sent.map(({ type, text, isEvent }) => encode(type, text, isEvent)));
        const decode = createDecoder();
        const got = cut(stream, places).flatMap((piece) => decode(piece));
        expect(
          got.map(({ type, isEvent, payload }) => ({ type, isEvent, text: payload.toString() })),
        ).toEqual(
          sent.map(({ type, isEvent, text }) => ({
            type,
            isEvent,
            text: Buffer.from(text).toString(),
          })),
        );
      }),
    );
  });

  it('c11: takes a stream that comes byte by byte', () => {
    const decode = createDecoder();
    const stream = Buffer.concat([encode(7, '{"a":1}'), encode(4, '[]')]);
    const got = [...stream].flatMap((byte) => decode(Buffer.from([byte])));
    expect(got.map(({ payload }) => payload.toString())).toEqual(['{"a":1}', '[]']);
  });

  it('writes what the documentation of i3 shows for COMMAND exit', () => {
    expect(encode(0, 'exit').toString('hex')).toBe('69332d697063040000000000000065786974');
  });

  it('counts bytes, not characters', () => {
    expect(encode(0, '… é').readUInt32LE(6)).toBe(6);
  });

  it('c15: tells an event from the reply of the same number by the highest bit', () => {
    const decode = createDecoder();
    expect(decode(encode(3, '{}', true))).toMatchObject([{ type: 3, isEvent: true }]);
    expect(decode(encode(3, '{}'))).toMatchObject([{ type: 3, isEvent: false }]);
  });

  it('refuses a stream that does not start with i3-ipc', () => {
    expect(() => createDecoder()(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))).toThrow(ProtocolError);
  });

  it('refuses a message that claims to be larger than any tree', () => {
    const message = encode(4);
    message.writeUInt32LE(0xffff_fff0, 6);
    expect(() => createDecoder()(message)).toThrow(/4294967280 bytes/);
  });

  it('c12: refuses bytes that are not UTF-8, or takes them as they are where it is told to', () => {
    const payload = Buffer.concat([Buffer.from('{"name":"a'), Buffer.from([0xff]), Buffer.from('b"}')]);
    expect(() => parsePayload(payload)).toThrow();
    expect(parsePayload(payload, 'forgiving')).toEqual({ name: 'a\ufffdb' });
  });
});
