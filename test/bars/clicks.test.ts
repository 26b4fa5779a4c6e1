import { describe, expect, it } from 'vitest';
import { actionOf, targetOf } from '../../src/bars/clicks.ts';
import { afterSending, isInert, type Sent } from '../../src/bars/inert.ts';
import { readConfig } from '../../src/config/load.ts';
import { defaultConfig } from '../../src/config/schema.ts';

const map = defaultConfig.bar.clicks;
const click = (instance: string, button: number) => actionOf({ instance, button }, map);

describe('a click', () => {
  it('on a session goes there, marks it seen, or opens the menu', () => {
    expect(click('k3f7', 1)).toEqual({ do: 'go', session: 'k3f7' });
    expect(click('k3f7', 2)).toEqual({ do: 'seen', session: 'k3f7' });
    expect(click('k3f7', 3)).toEqual({ do: 'menu', session: 'k3f7' });
  });

  it('on an option answers that prompt and no other', () => {
    const answer = { do: 'answer', session: 'k3f7', prompt: 'p7c2', key: '1' };
    expect(click('k3f7/p7c2/1', 1)).toEqual({ ...answer, question: null });
    expect(click('k3f7/p7c2/1/2', 1)).toEqual({ ...answer, question: 1 });
    expect(click('k3f7/p7c2/1', 2)).toEqual({ do: 'seen', session: 'k3f7' });
  });

  it('on the quiet time ends it', () => {
    expect(click('quiet', 1)).toEqual({ do: 'end-quiet' });
  });

  it('with the wheel, or on what only tells something, does nothing', () => {
    for (const [instance, button] of [
      ['k3f7', 4],
      ['k3f7', 5],
      ['k3f7', 8],
      ['k3f7', 99],
      ['quiet', 3],
      ['away', 1],
      ['notice', 1],
    ] as const) {
      expect(click(instance, button)).toEqual({ do: 'none' });
    }
    expect(click('summary', 1)).toEqual({ do: 'menu', session: null });
    expect(click('summary', 2)).toEqual({ do: 'none' });
  });

  it('d6: on an instance that tsmux never made does nothing', () => {
    for (const instance of [
      '',
      '/',
      'k3f7/',
      'k3f7/p7c2',
      'k3f7/p7c2/11',
      'k3f7/p7c2/1/0',
      'k3f7/p7c2/1/2/3',
      '../x',
      'K3F7',
      'ab',
    ]) {
      expect(targetOf(instance)).toBeNull();
      expect(click(instance, 1)).toEqual({ do: 'none' });
    }
  });

  it('does what the configuration says', () => {
    const { config, problems } = readConfig('[bar.clicks.session]\nleft = "menu"\nwheel-up = "seen"', 'c');
    expect(problems).toEqual([]);
    const configured = (button: number) => actionOf({ instance: 'k3f7', button }, config.bar.clicks);
    expect([configured(1), configured(4)].map((action) => action.do)).toEqual(['menu', 'seen']);
  });
});

describe('a block that has just appeared or moved', () => {
  /** Lines of the bar: when sent, and `instance:columns` of each block. */
  const bar = (...lines: [at: number, blocks: string][]): Sent =>
    lines.reduce<Sent>(
      (sent, [at, blocks], index) =>
        afterSending(sent, {
          line: index + 1,
          at,
          blocks: blocks.split(' ').map((block) => {
            const [instance = '', columns] = block.split(':');
            return { instance, columns: Number(columns), option: null };
          }),
        }),
      [],
    );
  const inert = (sent: Sent, instance: string, line: number, age: number) =>
    isInert(sent, { instance, line, age });

  it('b16: does nothing for half a second', () => {
    const sent = bar([0, 'web:5 api:9'], [9000, 'web:5 web/p/1:7 api:9']);
    expect(inert(sent, 'web/p/1', 2, 0)).toBe(true);
    expect(inert(sent, 'web/p/1', 2, 499)).toBe(true);
    expect(inert(sent, 'web/p/1', 2, 500)).toBe(false);
  });

  it('b16: does nothing for half a second after it came to mean something else, where it stands', () => {
    const option = (label: string) => ({ key: '3', label, means: 'deny' as const });
    const line = (number: number, at: number, label: string) => ({
      line: number,
      at,
      blocks: [{ instance: 'web/p/3', columns: 4, option: option(label) }],
    });
    const sent = afterSending(afterSending([], line(1, 0, 'No')), line(2, 9000, 'No, never'));
    expect(inert(sent, 'web/p/3', 2, 499)).toBe(true);
    expect(inert(sent, 'web/p/3', 2, 500)).toBe(false);
    expect(inert(sent, 'web/p/3', 1, 9000)).toBe(false);
  });

  it('does nothing when a block between it and the right edge changed its width, appeared or went', () => {
    for (const before of ['web:5 api:8', 'web:5', 'web:5 api:9 blog:3', 'web:5 blog:9']) {
      const sent = bar([0, before], [9000, 'web:5 api:9']);
      expect(inert(sent, 'web', 2, 100)).toBe(true);
      expect(inert(sent, 'web', 2, 600)).toBe(false);
    }
  });

  it('works at once when only what stands left of it changed, or its own text', () => {
    const sent = bar([0, 'web:5 api:8'], [9000, 'new:4 web:5 api:9']);
    expect(inert(sent, 'api', 2, 0)).toBe(false);
  });

  it('does nothing, as an option, when what stands left of it changed: the line may have become too long', () => {
    const option = { key: '3', label: 'No', means: 'deny' as const };
    const line = (number: number, at: number, columns: number) => ({
      line: number,
      at,
      blocks: [
        { instance: 'api', columns, option: null },
        { instance: 'web/p/3', columns: 6, option },
        { instance: 'blog', columns: 6, option: null },
      ],
    });
    const sent = afterSending(afterSending([], line(1, 0, 5)), line(2, 9000, 60));
    expect(inert(sent, 'web/p/3', 2, 499)).toBe(true);
    expect(inert(sent, 'web/p/3', 2, 500)).toBe(false);
    expect(inert(sent, 'blog', 2, 0)).toBe(false);
  });

  it('counts the time over several lines', () => {
    const sent = bar([0, 'api:8'], [1000, 'web:5 api:8'], [1300, 'web:6 api:8'], [1400, 'x:1 web:6 api:8']);
    expect(inert(sent, 'web', 4, 50)).toBe(true);
    expect(inert(sent, 'web', 4, 100)).toBe(false);
  });

  it('is judged by the line that was on screen, which a stopped bar shows for long', () => {
    const sent = bar([0, 'web:5'], [9000, 'web:5 web/p/1:7']);
    expect(inert(sent, 'web', 1, 60_000)).toBe(false);
    expect(inert(sent, 'web/p/1', 1, 60_000)).toBe(true);
  });

  it('d7: does nothing once it is gone from the line, or the line is long forgotten', () => {
    const sent = bar(...Array.from({ length: 200 }, (_, at): [number, string] => [at * 1000, 'api:8']));
    expect(inert(sent, 'web', 200, 9000)).toBe(true);
    expect(inert(sent, 'api', 1, 9000)).toBe(true);
    expect(inert(sent, 'api', 200, 0)).toBe(false);
    expect(sent.length).toBeLessThan(100);
  });
});
