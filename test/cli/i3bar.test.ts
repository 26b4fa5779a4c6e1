import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { I3barBlock } from '../../src/bars/i3bar.ts';
import { startDaemon } from '../support/speaking-daemon.ts';
import { until } from '../support/until.ts';

/** A block of tsmux or of the wrapped program. */
type Block = Partial<I3barBlock> & { readonly full_text: string };

const folder = mkdtempSync(join(tmpdir(), 'tsmux-i3bar-'));
const program = join(folder, 'bar.mjs');

beforeAll(async () => {
  await build({
    entryPoints: ['test/cli/i3bar-process.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
});

interface Bar {
  readonly process: ChildProcess;
  /** All that came on stdout. */
  output(): string;
  /** The texts of the newest line. */
  shows(): string[];
  blocks(): Block[];
  click(click: object): void;
  /** Waits for its end; it may have said nothing on stderr but this. */
  ended(words?: string): Promise<number | null>;
}

let daemon: ReturnType<typeof startDaemon>;
let socket: string;
let started: ChildProcess[] = [];

function startBar(command: readonly string[] = [], env: Record<string, string> = {}, viaShell = false): Bar {
  const args = [program, socket, 'stream', ...command];
  const child = viaShell
    ? spawn('sh', ['-c', `${[process.execPath, ...args].map((arg) => `'${arg}'`).join(' ')}; true`])
    : spawn(process.execPath, args, { env: { ...process.env, ...env } });
  started.push(child);
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  child.stdin.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  let clicks = 0;
  const blocks = (): Block[] =>
    JSON.parse((output.trimEnd().split('\n').slice(2).at(-1) ?? '[]').replace(/^,/, ''));
  return {
    process: child,
    output: () => output,
    blocks,
    shows: () => blocks().map((block) => block.full_text),
    click(click) {
      child.stdin.write(`${clicks === 0 ? '[\n' : ','}${JSON.stringify(click)}\n`);
      clicks += 1;
    },
    async ended(words = '') {
      const code = await ended;
      expect(errors).toBe(words);
      return code;
    },
  };
}

/** Writes a small program of the user's, and gives the command that runs it. */
function userProgram(name: string, script: string): string[] {
  const path = join(folder, `${name}-${started.length}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return [path];
}

const shows = (bar: Bar, ...texts: string[]) =>
  until(
    () => {
      expect(bar.shows()).toEqual(texts);
      return true;
    },
    { why: `the bar to show ${texts.join(' | ')}`, saw: () => bar.output().slice(-400) },
  );

async function within(ms: number, what: Promise<unknown>) {
  const start = performance.now();
  await what;
  expect(performance.now() - start).toBeLessThan(ms);
}

beforeEach(async () => {
  socket = join(folder, `daemon-${Date.now()}.sock`);
  daemon = startDaemon(socket);
  await daemon.listen();
});

afterEach(async () => {
  for (const child of started) child.kill('SIGKILL');
  started = [];
  await daemon.close();
});

const connected = () => until(() => daemon.bars.size > 0, { why: 'a bar to connect' });

describe('tsmux i3bar', () => {
  it('writes what the daemon says, in the protocol of i3bar', async () => {
    const bar = startBar();
    await connected();
    daemon.say('web', 'api');
    await shows(bar, 'web', 'api');
    expect(bar.output()).toMatch(/^\{"version":1,"click_events":true\}\n\[\n\[/);
  });

  it('d16: shows an empty list when no session runs', async () => {
    const bar = startBar();
    await connected();
    daemon.say();
    await until(() => bar.output().endsWith('\n[\n[]\n'), { why: 'an empty line' });
  });

  it('posts a click with the line that it was aimed at, and how long that had been out', async () => {
    const bar = startBar();
    await connected();
    const line = daemon.say('web');
    await shows(bar, 'web');
    bar.click({ name: 'tsmux', instance: 'web', button: 1, modifiers: ['Shift'], x: 5 });
    await until(() => daemon.posts.length === 1, { why: 'the click' });
    expect(daemon.posts).toEqual([
      {
        path: '/v1/click',
        body: {
          bar: 'i3bar',
          instance: 'web',
          button: 1,
          modifiers: ['Shift'],
          line,
          age: expect.any(Number),
          output: null,
        },
      },
    ]);
  });

  it('d6: survives clicks of every shape', async () => {
    const bar = startBar();
    await connected();
    bar.process.stdin?.write(
      '[\n"text"\n,{"button":1}\n,{"name":"tsmux"}\n,{"name":"tsmux","instance":3,"button":1}\n',
    );
    bar.process.stdin?.write(',garbage{\n,{"name":"tsmux","instance":"web","button":2}\n');
    await until(() => daemon.posts.length > 0, { why: 'the good click' });
    expect(daemon.posts.map(({ body }) => [body.instance, body.modifiers])).toEqual([['web', []]]);
  });

  it('d12: says that tsmux is off while no daemon is there, and goes on when it is back', async () => {
    await daemon.close();
    const bar = startBar();
    await shows(bar, 'tsmux off');
    expect(bar.blocks()[0]).toMatchObject({ name: 'tsmux', instance: 'away', color: '#565f89' });
    await daemon.listen();
    await connected();
    daemon.say('web');
    await shows(bar, 'web');
    await daemon.close();
    await shows(bar, 'tsmux off');
    await daemon.listen();
    await connected();
    daemon.say('api');
    await shows(bar, 'api');
    const lines = bar.output().trimEnd().split('\n').slice(1).join('');
    expect(JSON.parse(`${lines}]`).length).toBeGreaterThanOrEqual(4);
  });

  it('d13: keeps stdout for the protocol, whatever else is printed', async () => {
    const bar = startBar([], { CHATTY: 'yes' });
    bar.process.stderr?.removeAllListeners('data');
    let errors = '';
    bar.process.stderr?.on('data', (chunk: string) => {
      errors += chunk;
    });
    await connected();
    daemon.say('web');
    await until(() => errors.includes('a library says something') && errors.includes('something else'), {
      why: 'the chatter on stderr',
    });
    daemon.say('api');
    await shows(bar, 'api');
    expect(bar.output()).not.toContain('something');
  });

  it('d14: writes few of a thousand updates, and the last', async () => {
    const bar = startBar();
    await connected();
    for (let update = 0; update < 1000; update += 1) daemon.say(`update ${update}`);
    await shows(bar, 'update 999');
    expect(bar.output().split('\n').length).toBeLessThan(20);
  });

  it('shows the newest state after it was stopped', async () => {
    const bar = startBar();
    await connected();
    daemon.say('before');
    await shows(bar, 'before');
    bar.process.kill('SIGSTOP');
    for (let update = 0; update < 300; update += 1) daemon.say(`while stopped ${update}`);
    const before = bar.output().length;
    bar.process.kill('SIGCONT');
    await shows(bar, 'while stopped 299');
    expect(bar.output().slice(before).split('\n').length).toBeLessThan(10);
  });

  it('writes one line and ends with --once', async () => {
    const child = spawn(process.execPath, [program, socket, 'once'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    started.push(child);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    await connected();
    daemon.say('web');
    await new Promise((resolve) => child.once('close', resolve));
    expect(JSON.parse(output)).toEqual([{ name: 'tsmux', instance: 'web', full_text: 'web' }]);
    expect(child.exitCode).toBe(0);
  });
});

describe('tsmux i3bar whose bar has gone', () => {
  it('d9: ends at the end of stdin, silently, within a second', async () => {
    const bar = startBar();
    await connected();
    bar.process.stdin?.end();
    await within(1000, bar.ended());
    expect(bar.process.exitCode).toBe(0);
  });

  it('d9: ends when it cannot write any more', async () => {
    const bar = startBar();
    await connected();
    bar.process.stdout?.destroy();
    daemon.say('web');
    await within(1000, bar.ended());
    expect(bar.process.exitCode).toBe(0);
  });

  it('d10: ends with a shell between the bar and itself', async () => {
    const bar = startBar([], {}, true);
    await connected();
    bar.process.stdin?.end();
    await within(1000, bar.ended());
  });

  it('ends on SIGTERM, and takes the wrapped program with it, also a stubborn one', async () => {
    const pidFile = join(folder, 'stubborn.pid');
    const bar = startBar(
      userProgram('stubborn', `trap '' TERM; echo $$ >'${pidFile}'; echo on; while :; do sleep 5; done`),
    );
    await until(() => bar.output().includes('"on"'), { why: 'the wrapped program' });
    bar.process.kill('SIGTERM');
    await within(1000, bar.ended());
    const pid = readFileSync(pidFile, 'utf8').trim();
    await until(
      () => !existsSync(`/proc/${pid}`) || /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')),
      {
        why: 'the wrapped program to be gone',
      },
    );
  });
});

describe('tsmux i3bar with a wrapped program', () => {
  it('stands right of it where the daemon says so', async () => {
    const bar = startBar(userProgram('text', 'echo load 0.10; exec sleep 60'));
    await connected();
    for (const socketOfBar of daemon.bars) {
      socketOfBar.write(
        '{"line":1,"wrapped":"left","blocks":[{"name":"tsmux","instance":"a","full_text":"web"}]}\n',
      );
    }
    await shows(bar, 'load 0.10', 'web');
  });

  it('passes its clicks on in its own protocol, and tsmux’s to the daemon only', async () => {
    const got = join(folder, 'clicks');
    const bar = startBar(
      userProgram(
        'clicky',
        `echo '{"version":1,"click_events":true}'; echo '[[{"full_text":"x"}]'; exec cat >'${got}'`,
      ),
    );
    await until(() => bar.output().includes('"x"'), { why: 'the wrapped program' });
    bar.click({ name: 'tsmux', instance: 'web', button: 1 });
    bar.click({ name: 'vol', instance: 'main', button: 4, modifiers: ['Mod4'], x: 7 });
    bar.click({ button: 1 });
    await until(() => readFileSync(got, 'utf8').split('\n').length === 4, { why: 'two clicks' });
    expect(readFileSync(got, 'utf8')).toBe(
      '[\n{"name":"vol","instance":"main","button":4,"modifiers":["Mod4"],"x":7}\n,{"button":1}\n',
    );
  });

  it('sends no clicks to one that did not ask for them', async () => {
    const got = join(folder, 'unasked');
    const bar = startBar(
      userProgram('shy', `echo '{"version":1}'; echo '[[{"full_text":"x"}]'; exec cat >'${got}'`),
    );
    await until(() => bar.output().includes('"x"') && existsSync(got), { why: 'the wrapped program' });
    await connected();
    bar.click({ name: 'vol', button: 1 });
    bar.click({ name: 'tsmux', instance: 'web', button: 1 });
    await until(() => daemon.posts.length === 1, { why: 'the other click' });
    expect(readFileSync(got, 'utf8')).toBe('');
  });

  it('shows one red block when it dies, and starts it again', async () => {
    const flag = join(folder, 'second-time');
    const bar = startBar(
      userProgram('mortal', `[ -e '${flag}' ] && { echo alive; exec sleep 60; }; touch '${flag}'; exit 7`),
    );
    await connected();
    daemon.say('web');
    await shows(bar, 'web', expect.stringMatching(/^mortal-\d+ ended \(exit 7\), next try in 1 s$/));
    expect(bar.blocks()[1]).toMatchObject({ name: 'tsmux', color: '#ff5c5c' });
    await shows(bar, 'web', 'alive');
  });

  it('says so when it is not there', async () => {
    const bar = startBar(['/nowhere/status']);
    await shows(bar, expect.stringMatching(/^status cannot be started: not found, next try in/));
  });

  it('says so when it has no name, as of a variable that is not set', async () => {
    const bar = startBar(['']);
    await connected();
    daemon.say('web');
    await shows(bar, 'web', expect.stringMatching(/^ *cannot be started: \S+, next try in/));
  });

  it('ends one that writes a line without end', async () => {
    const bar = startBar(userProgram('babbler', 'exec cat /dev/zero'));
    await connected();
    daemon.say('web');
    await shows(bar, 'web', expect.stringMatching(/^babbler-\d+ writes a line without end, next try in/));
  });

  it('is not slowed down by one that writes all the time', async () => {
    const bar = startBar(userProgram('rapid', 'exec yes "on and on"'));
    await connected();
    daemon.say('web');
    await shows(bar, 'web', 'on and on');
    daemon.say('api');
    await shows(bar, 'api', 'on and on');
    expect(bar.output().split('\n').length).toBeLessThan(12);
  });
});
