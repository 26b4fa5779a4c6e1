import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWrappedOutput } from '../../../src/bars/client/wrapped-output.ts';

function read(...chunks: string[]) {
  const output = createWrappedOutput();
  for (const chunk of chunks) output.push(chunk);
  return output;
}
const texts = (...chunks: string[]) =>
  read(...chunks)
    .blocks()
    .map((block) => block.full_text);

describe('what a wrapped status program writes', () => {
  it('is read as i3status and py3status write it', () => {
    const written =
      '{"version":1}\n[\n[{"name":"load","full_text":"0.10","color":"#ff0000"}]\n,[{"full_text":"0.20"}]\n';
    expect(texts(written)).toEqual(['0.20']);
    expect(texts(...written)).toEqual(['0.20']);
  });

  it('is read as i3blocks and goblocks write it', () => {
    expect(texts('{"version":1,"click_events":true}\n[[]\n,[{"full_text":"a"},{"full_text":"b"}]\n')).toEqual(
      ['a', 'b'],
    );
    expect(texts('{"version": 1}[[],\n[{"full_text":"a"}],\n[{"full_text":"c"}],\n')).toEqual(['c']);
  });

  it('is read over several lines, as conky writes it', () => {
    expect(
      texts('{"version":1}\n[\n[],\n', ' [\n  {"full_text":"cpu"},\n', '  {"full_text":"mem]"}\n ],\n'),
    ).toEqual(['cpu', 'mem]']);
  });

  it('asks for clicks only when its header does', () => {
    expect(read('{"version":1,"click_events":true}\n').wantsClicks()).toBe(true);
    expect(read('{"version":1}\n[\n').wantsClicks()).toBe(false);
    expect(read('{"version":1,"click_events":"yes"}\n').wantsClicks()).toBe(false);
  });

  it('is one block a line when it is plain text', () => {
    expect(texts('Load 0.10 | 12:00\nLoad 0.20 | 12:01\n')).toEqual(['Load 0.20 | 12:01']);
    expect(texts('\x1b[31mred\t&<b>\n')).toEqual(['\\e[31mred\\t&<b>']);
    expect(texts('text\n\n')).toEqual([]);
    expect(texts('{"full_text":"no header"}\n')).toEqual(['{"full_text":"no header"}']);
  });

  it('keeps its last good line while it writes malformed JSON, and says so until it is well again', () => {
    const output = read(
      '{"version":1}\n[\n[{"full_text":"good"}]\n',
      ',[{"full_text":"half"\n,[{"full_text"]\n',
    );
    expect(output.problem()).toBe('writes no valid JSON');
    expect(output.blocks()).toEqual([{ full_text: 'good' }]);
    output.push('Traceback: oops\n');
    expect(output.problem()).toBe('writes no valid JSON');
    output.push(',[{"full_text":"well"}]\n');
    expect(output.problem()).toBeNull();
    expect(output.blocks()).toEqual([{ full_text: 'well' }]);
  });

  it('never breaks the bar with a block that has no text, or an object in it', () => {
    expect(
      read(
        '{"version":1}\n[\n',
        '[{"full_text":"a","_x":{"y":1},"n":null,"min_width":3,"separator":false},{"name":"x"},7,{"full_text":5}]\n',
      ).blocks(),
    ).toEqual([{ full_text: 'a', min_width: 3, separator: false }]);
    expect(texts('{"version":1}\n[\n[{"full_text":"a"}]\n]\n')).toEqual(['a']);
  });

  it('may have no end of line', () => {
    const output = read('{"version":1}\n[\n', 'x'.repeat(300_000));
    expect(output.problem()).toBe('writes a line without end');
  });

  it('never throws, and always gives blocks with a text', () => {
    const pieces = fc.constantFrom(
      '{"version":1}\n',
      '[\n',
      ',[',
      '{"full_text":"a"}',
      ']',
      ',',
      '\n',
      '"',
      '}',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string())), (chunks) => {
        for (const block of read(...chunks).blocks()) expect(typeof block.full_text).toBe('string');
      }),
    );
  });
});
