import { expect, it } from 'vitest';
import { followMarks } from '../../../src/bars/client/tmux-marks.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { until } from '../../support/until.ts';

/** Panes `%1` and `%2` in window `@1`, `%3` in `@2`, with the processes 10, 20 and 30; a session's pid is one more. */
function world() {
  const commands: string[] = [];
  let broken = false;
  let say: (line: string) => void = () => {};
  let leave: (orderly: boolean) => void = () => {};
  const marks = followMarks({
    clock: manualClock(),
    startDaemon() {},
    ancestors: (pid) => [pid, pid - 1, 1],
    async tmux([command, ...args]) {
      if (broken) throw new Error('no server running');
      if (command === 'list-panes') return '%1 @1 10\n%2 @1 20\n%3 @2 30\n';
      commands.push([command, ...args].join(' '));
      return '';
    },
    source: {
      post() {},
      open(_path, line, end) {
        [say, leave] = [line, end];
        return () => {};
      },
    },
  });
  const heard = async (count: number) =>
    until(() => commands.length >= count && commands, { why: `${count} commands`, saw: () => commands });
  return {
    marks,
    commands,
    heard,
    breakTmux: (now: boolean) => {
      broken = now;
    },
    say: (...sessions: [pid: number, glyph: string][]) =>
      say(JSON.stringify({ sessions: sessions.map(([pid, glyph]) => ({ pid, glyph })) })),
    leave: () => leave(false),
  };
}

it('marks each pane and window with the most urgent session there, in one command', async () => {
  const { say, heard } = world();
  say([21, '▲'], [11, '○'], [31, '◐'], [99, '●']);
  expect(await heard(1)).toEqual([
    'set-option -p -q -t %2 @tsmux ▲ ; set-option -w -q -t @1 @tsmux ▲ ; set-option -p -q -t %1 @tsmux ○ ; ' +
      'set-option -p -q -t %3 @tsmux ◐ ; set-option -w -q -t @2 @tsmux ◐',
  ]);
});

it('sets what changed alone, and takes the marks away with their sessions, the daemon, and itself', async () => {
  const { say, heard, marks, leave } = world();
  say([11, '○'], [31, '◐']);
  await heard(1);
  say([11, '○'], [31, '◐']);
  say([11, '●']);
  expect((await heard(2))[1]).toBe(
    'set-option -p -q -t %1 @tsmux ● ; set-option -w -q -t @1 @tsmux ● ; ' +
      'set-option -p -u -q -t %3 @tsmux ; set-option -w -u -q -t @2 @tsmux',
  );
  leave();
  expect((await heard(3))[2]).toBe('set-option -p -u -q -t %1 @tsmux ; set-option -w -u -q -t @1 @tsmux');
  await marks.end();
});

it('comes back when tmux could not be asked for a while', async () => {
  const { say, heard, breakTmux, marks } = world();
  breakTmux(true);
  say([11, '○']);
  await new Promise((resolve) => setImmediate(resolve));
  breakTmux(false);
  say([11, '●']);
  expect((await heard(1))[0]).toContain('●');
  await marks.end();
});
