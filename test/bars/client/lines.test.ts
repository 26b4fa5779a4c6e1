import { describe, expect, it } from 'vitest';
import { clientKinds } from '../../../src/bars/client/kinds.ts';
import { startLines, writeOneLine } from '../../../src/bars/client/lines.ts';
import { kinds } from '../../../src/bars/kinds.ts';
import { manualClock } from '../../support/manual-clock.ts';

/** A bar that reads when the test says so, and a daemon that speaks when it says so. */
function world() {
  const clock = manualClock();
  const written: string[] = [];
  const unread: (() => void)[] = [];
  const paths: string[] = [];
  let stream: { line(text: string): void; end(orderly: boolean): void } | null = null;
  const parts = {
    clock,
    startDaemon() {},
    path: '/v1/bar/waybar?slot=1',
    away: 'off',
    write(text: string, done: () => void) {
      written.push(text);
      unread.push(done);
    },
    source: {
      post() {},
      open(path: string, line: (text: string) => void, end: (orderly: boolean) => void) {
        paths.push(path);
        stream = { line, end };
        return () => {
          stream = null;
        };
      },
    },
  };
  return {
    parts,
    clock,
    written,
    paths,
    say: (text: string) => stream?.line(text),
    breakOff: () => stream?.end(false),
    read: () => unread.shift()?.(),
  };
}

describe('a bar that shows the newest line', () => {
  it('gets what the daemon says, also when it is the same again', () => {
    const { parts, written, paths, say, read } = world();
    startLines(parts);
    expect(paths).toEqual(['/v1/bar/waybar?slot=1&keep-alive=1']);
    say('one');
    read();
    say('one');
    expect(written).toEqual(['one\n', 'one\n']);
  });

  it('g14: gets the newest, and nothing in between, when it was slow', () => {
    const { parts, written, say, read } = world();
    startLines(parts);
    for (const line of ['one', 'two', 'three']) say(line);
    expect(written).toEqual(['one\n']);
    read();
    expect(written).toEqual(['one\n', 'three\n']);
  });

  it('d12: says that there is no daemon, again and again, for only a write finds out that the bar has gone', () => {
    const { parts, clock, written, say, breakOff, read } = world();
    startLines(parts);
    say('one');
    read();
    breakOff();
    read();
    for (let seconds = 0; seconds < 36; seconds += 12) {
      clock.pass(12_000);
      read();
    }
    expect(written).toEqual(['one\n', 'off\n', 'off\n', 'off\n', 'off\n']);
    say('two');
    read();
    clock.pass(60_000);
    expect(written.at(-1)).toBe('two\n');
  });

  it('leaves no timer when it ends', () => {
    const { parts, clock, breakOff } = world();
    const bar = startLines(parts);
    breakOff();
    bar.end();
    expect(clock.timers()).toEqual([]);
  });
});

describe('one line', () => {
  it('is that of the daemon', async () => {
    const { parts, written, say, read, paths } = world();
    const once = writeOneLine(parts);
    say('one');
    read();
    expect([await once, written, paths]).toEqual([true, ['one\n'], ['/v1/bar/waybar?slot=1&once=1']]);
  });

  it('says that there is no daemon when none comes up', async () => {
    const { parts, clock, written, breakOff, read } = world();
    const once = writeOneLine(parts);
    breakOff();
    clock.pass(5000);
    read();
    expect([await once, written]).toEqual([false, ['off\n']]);
  });
});

it('every kind of bar has a client, and every client a kind', () => {
  expect(['i3bar', ...Object.keys(clientKinds)].sort()).toEqual(Object.keys(kinds).sort());
});
