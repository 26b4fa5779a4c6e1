import { expect, it } from 'vitest';
import { toolOf } from '../../src/claude/tool-summary.ts';

it('a command that is too long is cut in its middle, and no character of it in two', () => {
  const { summary } = toolOf('Bash', { command: `rm -rf ${'🦀'.repeat(600)} /etc` });
  expect(summary.length).toBeLessThanOrEqual(500);
  expect(summary).toMatch(/^rm -rf .*….* \/etc$/u);
  // A half of a pair of surrogates would be another character on the way through UTF-8.
  expect(Buffer.from(summary).toString()).toBe(summary);
});
