import { describe, expect, it } from 'vitest';
import { bestMinute, dayMinutes, demoBlocks } from '../../../src/bars/client/demo.ts';
import { plainBar } from '../../../src/bars/client/terminal.ts';
import { defaultConfig } from '../../../src/config/schema.ts';
import { now } from '../moment.ts';

const at = (minute: number) => plainBar(demoBlocks(minute, now, defaultConfig.bar));

describe('the recorded day', () => {
  it('begins and ends with everybody idle', () => {
    expect(at(0)).toBe('○ web  ○ api  ○ docs  ○ infra  ○ blog');
    expect(at(dayMinutes)).toBe(at(0));
  });

  it('shows every state that a bar can show on its way', () => {
    const seen = new Set<string>();
    for (let minute = 0; minute <= dayMinutes; minute += 0.1) {
      for (const glyph of at(minute).match(/[▲●◐○]/g) ?? []) seen.add(glyph);
    }
    expect([...seen].sort()).toEqual(['▲', '●', '◐', '○'].sort());
    expect(at(9.5)).toContain('● blog API error: overloaded');
    expect(at(11.5)).toContain('◐ web compacting');
  });

  it('shows most in the one frame that a pipe gets', () => {
    expect(at(bestMinute)).toBe(
      '▲ web · Bash npm install left-pad  ● docs 4m  ◐ api Bash npm test -- cart 5m  ◐ infra +2 7m  ◐ blog WebFetch htt…rg/feed.xml 1m',
    );
  });
});
