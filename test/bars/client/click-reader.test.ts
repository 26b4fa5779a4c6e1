import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BarClick, createClickReader } from '../../../src/bars/client/click-reader.ts';

function read(...chunks: string[]): BarClick[] {
  const clicks: BarClick[] = [];
  const push = createClickReader((click) => clicks.push(click));
  for (const chunk of chunks) push(chunk);
  return clicks;
}

const fromI3bar =
  '[\n{"name":"tsmux","instance":"s2","button":1,"modifiers":["Shift"],"x":1200,"y":710}\n,{"button":2,"modifiers":[],"x":1258,"y":710}\n';
const fromSwaybar =
  '[\n{ "name": "tsmux", "instance": "s2", "button": 1, "event": 272, "x": 1180 }\n,{ "name": "tsmux", "instance": "s1", "button": 3 }\n';

describe('the clicks of a bar', () => {
  it('d4: are read with the comma before or after them, the first one too', () => {
    expect(read(fromI3bar).map((click) => click.button)).toEqual([1, 2]);
    expect(read(fromSwaybar).map((click) => click.instance)).toEqual(['s2', 's1']);
    expect(read('[\n{"button":1},\n{"button":2},\n').map((click) => click.button)).toEqual([1, 2]);
    expect(read('[{"button":1},{"button":2}\n').map((click) => click.button)).toEqual([1, 2]);
  });

  it('d4: come without waiting for the next one, even with no newline behind them', () => {
    expect(read('[\n', '{"button":1}', ',{"button":2}')).toEqual([{ button: 1 }, { button: 2 }]);
  });

  it('d5: may be cut anywhere', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(fromI3bar.length), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), fromI3bar.length];
        const chunks = at.slice(1).map((end, index) => fromI3bar.slice(at[index], end));
        expect(read(...chunks).map((click) => click.button)).toEqual([1, 2]);
      }),
    );
  });

  it('d5: are read again after a line of garbage', () => {
    expect(read('[\n', 'garbage {"\n', ',{"button":1}\n', '\u0000\n]}{\n', ',{"button":2}\n')).toEqual([
      { button: 1 },
      { button: 2 },
    ]);
  });

  it('d6: that are no objects are left out, and any object is kept', () => {
    expect(read('["x",\n,"y"\n,3\n,null\n,[{"button":9}]\n,{"name":7,"instance":{}}\n')).toEqual([
      { button: 9 },
      { name: 7, instance: {} },
    ]);
  });

  it('never make the reader throw, nor keep more than a click', () => {
    fc.assert(fc.property(fc.array(fc.string()), (chunks) => void read(...chunks)));
    expect(read('x'.repeat(100_000), '\n{"button":1}\n')).toEqual([{ button: 1 }]);
  });
});
