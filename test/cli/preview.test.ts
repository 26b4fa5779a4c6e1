import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import type { I3barBlock } from '../../src/bars/i3bar.ts';
import { type PreviewDeps, runPreview } from '../../src/cli/preview.ts';
import { until } from '../support/until.ts';

function block(instance: string, text: string): I3barBlock {
  const look = { color: '#7dcfff', separator: false, separator_block_width: 4 } as const;
  return { name: 'tsmux', instance, full_text: text, short_text: text, ...look };
}

/** A terminal or a pipe, and a daemon that says these blocks; null: no daemon. */
function world(
  said: readonly I3barBlock[] | null,
  terminal: { readonly isTTY: boolean; readonly columns?: number; readonly rows?: number },
) {
  const { isTTY } = terminal;
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => stdin }) as unknown as ReadStream;
  const stdout = Object.assign(new PassThrough(), { columns: 80, rows: 24, ...terminal });
  let written = '';
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    written += chunk;
  });
  const asked: unknown[] = [];
  const deps: PreviewDeps = {
    stdin,
    stdout: stdout as unknown as WriteStream,
    startDaemon() {},
    request: async (...call) => {
      asked.push(call);
      if (asked.length > 1) throw new Error('its window\nis not known');
    },
    source: {
      post() {},
      open(_path, onLine, onEnd) {
        setImmediate(() =>
          said === null ? onEnd(false) : onLine(JSON.stringify({ line: 7, wrapped: 'right', blocks: said })),
        );
        return () => {};
      },
    },
  };
  return {
    deps,
    asked,
    type: (keys: string) => void (stdin as unknown as PassThrough).write(keys),
    written: () => written,
    /** What stands on the screen, without colours. */
    screen: () => (written.split('\x1b[H').at(-1) ?? '').replace(/\x1b\[[?0-9;]*[a-zA-Z]/g, ''),
  };
}

const two = [block('kaaa', ' ● docs 2m '), block('kbbb', ' ○ blog ')];

describe('tsmux preview in a pipe', () => {
  it('prints one frame and ends', async () => {
    const { deps, written } = world(two, { isTTY: false });
    expect(await runPreview({ demo: false }, deps)).toBe(0);
    expect(written()).toBe('● docs 2m  ○ blog\n');
  });

  it('says that no session runs, and plays the demo when asked', async () => {
    const nothing = world([], { isTTY: false });
    expect(await runPreview({ demo: false }, nothing.deps)).toBe(0);
    expect(nothing.written()).toBe('No Claude Code session runs.\n');
    const demo = world([], { isTTY: false });
    expect(await runPreview({ demo: true }, demo.deps)).toBe(0);
    expect(demo.written()).toMatch(
      /^No Claude Code session runs\. This is a demo:\n▲ web · Bash npm install/,
    );
  });

  it('says why no session can run before it plays the demo', async () => {
    const notice = block('notice', ' Claude Code is not installed: no ~/.claude ');
    const { deps, written } = world([notice], { isTTY: false });
    await runPreview({ demo: true }, deps);
    expect(written()).toMatch(/^Claude Code is not installed: no ~\/\.claude\. This is a demo:\n▲ web/);
  });

  it('waits for the daemon that it starts, as only that knows whether a session runs', async () => {
    const { deps, written } = world(two, { isTTY: false });
    const { open } = deps.source;
    let started = false;
    await runPreview(
      { demo: true },
      {
        ...deps,
        startDaemon() {
          started = true;
        },
        source: {
          ...deps.source,
          open(path, onLine, onEnd) {
            if (started) return open(path, onLine, onEnd);
            setImmediate(() => onEnd(false));
            return () => {};
          },
        },
      },
    );
    expect(written()).toBe('● docs 2m  ○ blog\n');
  });

  it('shows the sessions that run rather than the demo', async () => {
    const { deps, written } = world(two, { isTTY: false });
    await runPreview({ demo: true }, deps);
    expect(written()).toBe('● docs 2m  ○ blog\n');
  });

  it('plays the demo without a daemon too', async () => {
    const { deps, written } = world(null, { isTTY: false });
    expect(await runPreview({ demo: true }, deps)).toBe(0);
    expect(written()).toContain('▲ web');
  });
});

describe('tsmux preview on a terminal', () => {
  it('goes to the session that was selected, marks it seen, and says why it could not', async () => {
    const { deps, asked, type, screen } = world(two, { isTTY: true });
    const end = runPreview({ demo: false }, deps);
    await until(() => screen().includes('● docs 2m'), { why: 'the bar' });
    type('jj\r');
    await until(() => asked.length === 1, { why: 'the key' });
    type('ks');
    await until(() => screen().includes('its window\\nis not known'), { why: 'the error', saw: screen });
    expect(asked).toEqual([
      ['POST', '/v1/sessions/kbbb/go', undefined],
      ['POST', '/v1/sessions/kaaa/seen', undefined],
    ]);
    type('q');
    expect(await end).toBe(0);
  });

  it('posts a click of the mouse with the line that it was aimed at', async () => {
    const { deps, asked, type, screen } = world(two, { isTTY: true });
    const end = runPreview({ demo: false }, deps);
    await until(() => screen().includes('○ blog'), { why: 'the bar' });
    type('\x1b[<2;15;1M');
    await until(() => asked.length === 1, { why: 'the click' });
    expect(asked[0]).toEqual([
      'POST',
      '/v1/click',
      expect.objectContaining({ bar: 'i3bar', instance: 'kbbb', button: 3, line: 7 }),
    ]);
    type('\x03');
    expect(await end).toBe(0);
  });

  it('fits a small terminal: words stay whole, and the bar stays in sight', async () => {
    const { deps, type, screen } = world([], { isTTY: true, columns: 22, rows: 5 });
    const end = runPreview({ demo: true }, deps);
    await until(() => screen().includes('No Claude Code'), { why: 'the demo', saw: screen });
    const lines = screen().split('\r\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toMatch(/[◐○●▲] \w/);
    expect(lines.slice(lines.indexOf('') + 1)).toEqual(
      ['No Claude Code session', 'runs. This is a demo:', 'a recorded day, thirty'].slice(
        0,
        4 - lines.indexOf(''),
      ),
    );
    type('q');
    await end;
  });

  it('plays the demo while no session runs, and says that it is one', async () => {
    const { deps, asked, type, screen, written } = world([], { isTTY: true });
    const end = runPreview({ demo: true }, deps);
    await until(() => screen().includes('This is a demo') && screen().includes('web'), { why: 'the demo' });
    type('j\r');
    await until(() => screen().includes('That is only a demo.'), { why: 'the answer' });
    expect(asked).toEqual([]);
    type('q');
    await end;
    expect(written()).toMatch(/\x1b\[\?1049l$/);
  });
});
