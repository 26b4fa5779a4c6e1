import type { ReadStream, WriteStream } from 'node:tty';
import { targetOf } from '../bars/clicks.ts';
import { bestMinute, dayMinutes, demoBlocks } from '../bars/client/demo.ts';
import { follow } from '../bars/client/following.ts';
import type { BarSource } from '../bars/client/source.ts';
import {
  type Drawing,
  drawBar,
  type Input,
  inputsIn,
  instanceAt,
  mouse,
  plainBar,
  wrapped,
} from '../bars/client/terminal.ts';
import type { I3barBlock, I3barLine } from '../bars/i3bar.ts';
import { oneLine } from '../bars/text.ts';
import { type BarConfig, defaultConfig } from '../config/schema.ts';
import { type Clock, systemClock } from '../system/clock.ts';

export interface PreviewOptions {
  /** Plays a recorded day while no session runs. */
  readonly demo: boolean;
}

export interface PreviewDeps {
  readonly source: BarSource;
  readonly startDaemon: () => void;
  /** Asks the daemon; an error's message is for the user. */
  readonly request: (method: string, path: string, body?: object) => Promise<unknown>;
  /** For the demo, which no daemon draws. */
  readonly bar?: BarConfig;
  readonly clock?: Clock;
  readonly stdin?: ReadStream;
  readonly stdout?: WriteStream;
}

/** A minute of the recorded day takes two seconds. */
const demoSpeed = 30;
const demoTick = 500;
/** How long a daemon may take to say its first line, ms. */
const patience = 5_000;

/** The daemon may know why; what it says is safe text. */
const noSession = (blocks: readonly I3barBlock[]): string => {
  const notice = blocks.find(({ instance }) => targetOf(instance)?.role === 'notice');
  return `${notice?.full_text.trim() ?? 'No Claude Code session runs'}.`;
};
const keys = 'j/k select · Enter go · s seen · q quit';

/**
 * `tsmux preview`: the bar in a terminal, live, with keys and mouse; without a terminal one frame as text.
 * @returns the exit code.
 */
export function runPreview(options: PreviewOptions, deps: PreviewDeps): Promise<number> {
  const { stdin = process.stdin, stdout = process.stdout } = deps;
  return stdin.isTTY && stdout.isTTY ? preview(options, deps) : oneFrame(options, deps);
}

async function oneFrame({ demo }: PreviewOptions, deps: PreviewDeps): Promise<number> {
  const { stdout = process.stdout, clock = systemClock } = deps;
  const line = await new Promise<I3barLine | null>((resolve) => {
    const alive = setTimeout(() => finish(null), patience);
    const finish = (found: I3barLine | null) => {
      clearTimeout(alive);
      setImmediate(() => unfollow());
      resolve(found);
    };
    const unfollow = follow(
      '/v1/bar/i3bar?once=1',
      {
        onLine: (text) => finish(JSON.parse(text)),
        // It is started: only it knows whether a session runs.
        onAway: () => {},
      },
      { ...deps, clock },
    );
  });
  if (line !== null && hasSession(line.blocks)) {
    stdout.write(`${plainBar(line.blocks)}\n`);
    return 0;
  }
  if (demo) {
    const blocks = demoBlocks(bestMinute, clock.now(), deps.bar ?? defaultConfig.bar);
    const why = line === null ? 'The daemon does not answer.' : noSession(line.blocks);
    stdout.write(`${why} This is a demo:\n${plainBar(blocks)}\n`);
    return 0;
  }
  stdout.write(line === null ? 'tsmux off\n' : `${plainBar(line.blocks) || noSession([])}\n`);
  return line === null ? 3 : 0;
}

function preview({ demo }: PreviewOptions, deps: PreviewDeps): Promise<number> {
  const {
    stdin = process.stdin,
    stdout = process.stdout,
    clock = systemClock,
    bar = defaultConfig.bar,
  } = deps;
  const color = process.env.NO_COLOR === undefined || process.env.NO_COLOR === '';
  let live: { readonly line: I3barLine; readonly since: number } | null = null;
  let demoSince: number | null = null;
  let selected: string | null = null;
  let words = '';
  let drawing: Drawing = { lines: [], spots: [] };

  const blocks = (): readonly I3barBlock[] => {
    if (demoSince === null) return live?.line.blocks ?? [];
    const minute = (((clock.now() - demoSince) * demoSpeed) / 60_000) % dayMinutes;
    return demoBlocks(minute, demoSince, bar);
  };

  const title = () => {
    if (demoSince !== null)
      return `${noSession(live?.line.blocks ?? [])} This is a demo: a recorded day, thirty times as fast.`;
    if (live === null) return 'tsmux off';
    return hasSession(live.line.blocks)
      ? ''
      : `${noSession(live.line.blocks)} To see it play: tsmux preview --demo`;
  };

  const draw = () => {
    const shown = blocks();
    if (!selectable(shown).includes(selected ?? '')) selected = null;
    drawing = drawBar(shown, stdout.columns, { selected, color });
    const said = [title(), words, keys].filter((text) => text !== '');
    const lines = [...drawing.lines, '', ...said.flatMap((text) => wrapped(text, stdout.columns))];
    // A line more than the terminal has would push the bar out of it.
    const shownLines = lines.slice(0, stdout.rows);
    stdout.write(`\x1b[H${shownLines.map((line) => `${line}\x1b[K`).join('\r\n')}\x1b[J`);
  };

  const ask = async (path: string, body?: object) => {
    if (demoSince !== null) words = 'That is only a demo.';
    else {
      words = '';
      try {
        await deps.request('POST', path, body);
      } catch (error) {
        words = oneLine(error instanceof Error ? error.message : String(error));
      }
    }
    draw();
  };

  const click = (instance: string, button: number) =>
    ask('/v1/click', {
      bar: 'i3bar',
      instance,
      button,
      modifiers: [],
      line: live?.line.line ?? null,
      age: clock.now() - (live?.since ?? 0),
      output: null,
    });

  const select = (step: number) => {
    const instances = selectable(blocks());
    const at = selected === null ? (step > 0 ? -1 : 0) : instances.indexOf(selected);
    selected = instances.at((at + step) % Math.max(instances.length, 1)) ?? null;
    draw();
  };

  const onInput = (input: Exclude<Input, { type: 'quit' }>) => {
    const target = selected === null ? null : targetOf(selected);
    if (input.type === 'click') {
      const instance = instanceAt(drawing, input.row, input.column);
      if (instance !== null) void click(instance, input.button);
    } else if (input.type === 'next') select(1);
    else if (input.type === 'previous') select(-1);
    else if (selected === null || target === null) return;
    else if (target.role === 'option' && input.type === 'go') void click(selected, 1);
    else if ('session' in target) void ask(`/v1/sessions/${target.session}/${input.type}`);
  };

  return new Promise((resolve) => {
    const unfollow = follow(
      '/v1/bar/i3bar',
      {
        onLine: (text) => {
          live = { line: JSON.parse(text), since: clock.now() };
          setDemo(demo && !hasSession(live.line.blocks));
          draw();
        },
        onAway: () => {
          live = null;
          setDemo(demo);
          draw();
        },
      },
      { ...deps, clock },
    );
    const ticker = setInterval(() => demoSince !== null && draw(), demoTick);
    const onData = (chunk: string) => {
      for (const input of inputsIn(chunk)) {
        if (input.type === 'quit') end();
        else onInput(input);
      }
    };
    const restore = () => stdout.write(`${mouse.off}\x1b[?25h\x1b[?1049l`);
    const end = () => {
      unfollow();
      clearInterval(ticker);
      stdin.off('data', onData).pause().setRawMode(false);
      stdout.off('resize', draw);
      process.off('exit', restore);
      restore();
      resolve(0);
    };
    // Also when something went wrong.
    process.once('exit', restore);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.once(signal, end);
    stdin.setRawMode(true).setEncoding('utf8').on('data', onData).on('end', end);
    stdout.on('resize', draw).write(`\x1b[?1049h\x1b[?25l${mouse.on}`);
    draw();
  });

  function setDemo(on: boolean): void {
    if (on) demoSince ??= clock.now();
    else demoSince = null;
  }
}

function selectable(blocks: readonly I3barBlock[]): string[] {
  return blocks.map((block) => block.instance).filter((instance) => 'session' in (targetOf(instance) ?? {}));
}

function hasSession(blocks: readonly I3barBlock[]): boolean {
  return blocks.some(({ instance }) => instance === 'summary' || targetOf(instance)?.role === 'session');
}
