import { describe, expect, it } from 'vitest';
import { listing } from '../../src/cli/list.ts';
import { wireSession } from '../../src/daemon/wire.ts';
import type { State } from '../../src/sessions/session.ts';
import { aSession } from '../support/sessions.ts';

const states: readonly State[] = ['needs-input', 'review', 'busy', 'idle', 'unknown'];

const shown = (colours: boolean, columns: number | null = 100) =>
  listing(
    {
      version: 1,
      quiet: { until: null },
      notice: null,
      sessions: states.map((state, at) =>
        wireSession(
          aSession({ id: `s${at}`, state, name: `shop-${'x'.repeat(at)}`, lastMessage: '\x1b]0;x\x07漢字' }),
        ),
      ),
    },
    { columns, colours, now: Date.parse('2026-01-01T00:00:00Z') },
  );

/** WCAG 2.1, "relative luminance", against black. */
function contrastOnBlack(red: number, green: number, blue: number): number {
  const linear = [red, green, blue].map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const [r = 0, g = 0, b = 0] = linear;
  return (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05) / 0.05;
}

describe('the list of sessions', () => {
  it('has every state in a colour that can be read on a dark terminal', async () => {
    const lines = (await shown(true)).split('\n').slice(0, states.length);
    for (const [at, line] of lines.entries()) {
      const [, red, green, blue] = /\x1b\[38;2;(\d+);(\d+);(\d+)m/.exec(line) ?? [];
      expect(line).toContain(states[at]);
      expect(contrastOnBlack(Number(red), Number(green), Number(blue))).toBeGreaterThan(3);
    }
  });

  it('is plain and aligned where there are no colours, and lets nothing of another through', async () => {
    const text = await shown(false);
    expect(text).not.toMatch(/[\x1b\x07]/);
    const lines = text.trimEnd().split('\n');
    expect(new Set(lines.map((line) => line.indexOf('shop-'))).size).toBe(1);
  });

  it('keeps to the width of the terminal', async () => {
    for (const columns of [60, 40, 30])
      for (const line of (await shown(false, columns)).trimEnd().split('\n'))
        expect(line.length).toBeLessThanOrEqual(columns);
  });
});
