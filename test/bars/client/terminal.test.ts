import { describe, expect, it } from 'vitest';
import { blocksOf } from '../../../src/bars/blocks.ts';
import { drawBar, inputsIn, instanceAt, plainBar } from '../../../src/bars/client/terminal.ts';
import { i3barBlocks } from '../../../src/bars/i3bar.ts';
import { styles } from '../../../src/bars/theme.ts';
import { defaultConfig } from '../../../src/config/schema.ts';
import { displayNames } from '../../../src/sessions/labels.ts';
import { lookedAt, now } from '../moment.ts';

const { chips } = styles;
const around = {
  names: displayNames(lookedAt().sessions),
  now,
  theme: chips,
  settings: defaultConfig.bar,
};
const bar = i3barBlocks(blocksOf(lookedAt(), around), chips);

describe('the bar in a terminal', () => {
  it('has the colours of the theme', () => {
    const [line] = drawBar(bar, 200, { selected: null, color: true }).lines;
    expect(line).toContain('\x1b[38;2;26;27;38;48;2;224;175;104m ▲ web · Bash npm install left-pad \x1b[0m');
    expect(line).toContain('\x1b[38;2;125;207;255;48;2;31;42;56m ● docs 2m \x1b[0m');
  });

  it('is text alone where colours are not wanted, and in a pipe', () => {
    expect(drawBar(bar.slice(5), 200, { selected: null, color: false }).lines).toEqual([
      ' ● docs 2m   ◐ api Edit cart.ts 4m   ◐ infra +2 11m   ○ blog   ☾ 24m',
    ]);
    expect(plainBar(bar.slice(5))).toBe('● docs 2m  ◐ api Edit cart.ts 4m  ◐ infra +2 11m  ○ blog  ☾ 24m');
  });

  it('goes on in the next line where the terminal is narrow, and finds the block under the pointer', () => {
    const drawing = drawBar(bar, 40, { selected: null, color: false });
    expect(drawing.lines.length).toBeGreaterThan(2);
    for (const line of drawing.lines) expect(line.length).toBeLessThanOrEqual(40);
    expect(instanceAt(drawing, 0, 3)).toBe(bar[0]?.instance);
    const row = drawing.lines.findIndex((line) => line.includes('docs'));
    expect(instanceAt(drawing, row, (drawing.lines[row] ?? '').indexOf('docs'))).toBe(bar[5]?.instance);
    expect(instanceAt(drawing, 9, 0)).toBeNull();
  });
});

describe('keys and mouse', () => {
  it('are understood in any mixture', () => {
    expect(inputsIn('j\x1b[Ak\x1b[B\rsq').map((input) => input.type)).toEqual([
      'next',
      'previous',
      'previous',
      'next',
      'go',
      'seen',
      'quit',
    ]);
  });

  it('say which button was pressed and where, and nothing on release', () => {
    expect(inputsIn('\x1b[<0;5;1M\x1b[<0;5;1m\x1b[<6;2;3M\x1b[<65;1;1M\x1b[<35;1;1M')).toEqual([
      { type: 'click', button: 1, row: 0, column: 4 },
      { type: 'click', button: 3, row: 2, column: 1 },
      { type: 'click', button: 5, row: 0, column: 0 },
    ]);
  });

  it('that are not known do nothing', () => {
    expect(inputsIn('xyz\x1b[5~\x1b[1;5H\x1b')).toEqual([]);
  });
});
