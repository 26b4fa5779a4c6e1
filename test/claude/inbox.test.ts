import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookScripts, writeHookScript } from '../../src/claude/hook-script.ts';
import type { HookSender } from '../../src/claude/hooks.ts';
import { type Inbox, openInbox } from '../../src/claude/inbox.ts';
import { findProgram } from '../../src/system/find-program.ts';
import { silentLog } from '../../src/system/log.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { fixture } from './home.ts';

const stop = fixture('hooks/Stop.json');
const nothing = { status: 0, output: ['', ''] };

describe('what a hook leaves in the inbox', () => {
  let home: string;
  let folder: string;
  let script: string;
  let clock: ManualClock;
  let taken: { readonly body: string; readonly sender: HookSender }[];
  let open: Inbox[];
  let faults: string[];

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "tsmux in'box,$-"));
    folder = join(home, 'inbox');
    script = join(home, 'tsmux', 'hook');
    clock = manualClock(Date.now());
    taken = [];
    open = [];
    faults = [];
    const { event } = hookScripts({
      client: { kind: 'node' },
      socket: join(home, 'none.sock'),
      node: '/nonexistent',
      tsmux: '/nonexistent',
      cat: findProgram('cat', process.env.PATH) ?? '',
    });
    writeHookScript(script, event);
  });
  afterEach(() => {
    for (const inbox of open) inbox.close();
    rmSync(home, { recursive: true });
  });

  function read(): Inbox {
    const inbox = openInbox({
      folder,
      clock,
      log: { ...silentLog, error: (facts) => faults.push(JSON.stringify(facts)) },
      take: (body, sender) => {
        if (body === '{"n":"fault"}') throw new Error('a fault of ours');
        taken.push({ body, sender });
      },
    });
    open.push(inbox);
    return inbox;
  }

  /** As Claude Code starts it: with a bare environment. */
  function start(body: string | null) {
    const hook = spawn(script, [], { detached: true, env: {}, stdio: 'pipe' });
    hook.stdin.on('error', () => {});
    if (body !== null) hook.stdin.end(body);
    const output = Promise.all([text(hook.stdout), text(hook.stderr)]);
    const ended = once(hook, 'exit').then(async ([status]) => ({ status, output: await output }));
    return { ended, stdin: hook.stdin };
  }

  const left = () => readdirSync(folder).filter((name) => name !== 'daemon');
  const first = () => until(() => taken[0], { why: 'the event' });
  /** A file as the script leaves it, that many seconds after the machine was started. */
  const leave = (name: string, uptime: number, body: string) =>
    writeFileSync(join(folder, `${name}.${uptime}`), `${name} ${uptime}\n${body}`);
  const uptime = () => Number(readFileSync('/proc/uptime', 'utf8').split(' ')[0]);

  it('is taken once, with the pid of Claude Code and the time at which the hook began', async () => {
    read();
    const before = Date.now();
    expect(await start(stop).ended).toEqual(nothing);
    const { body, sender } = await first();
    expect(JSON.parse(body)).toEqual(JSON.parse(stop));
    expect(sender.pid).toBe(process.pid);
    expect(Math.abs((sender.start ?? 0) - before)).toBeLessThan(5_000);
    await until(() => left().length === 0, { why: 'the inbox to be empty' });
    expect(taken).toHaveLength(1);
  });

  it('b8: is nothing where no daemon reads, and where one died without a word', async () => {
    expect(await start(stop).ended).toEqual(nothing);
    expect(existsSync(folder)).toBe(false);
    mkdirSync(folder);
    const dead = spawnSync('true').pid;
    writeFileSync(join(folder, 'daemon'), `${dead}\n`);
    expect(await start(stop).ended).toEqual(nothing);
    expect(left()).toEqual([]);
    read().close();
    expect(await start(stop).ended).toEqual(nothing);
    expect(existsSync(folder)).toBe(false);
  });

  it('does not wait for a daemon that hangs', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'daemon'), `${process.pid}\n`);
    expect(await start(stop).ended).toEqual(nothing);
    expect(left()).toHaveLength(1);
  });

  it('may have 2 MiB', async () => {
    read();
    const body = JSON.stringify({ tool_input: { text: 'ü\n\u001b€'.repeat(260_000) } });
    expect(body.length).toBeGreaterThan(2 * 1024 * 1024);
    expect(await start(`${body}\n`).ended).toEqual(nothing);
    expect((await first()).body.trimEnd()).toBe(body);
  });

  it('is taken when it is whole, and dropped when it never will be', async () => {
    read();
    const { stdin, ended } = start(null);
    const half = '{"a":{"b":1}';
    stdin.write(half);
    const file = await until(() => left()[0], { why: 'the file' });
    await until(() => readFileSync(join(folder, file), 'utf8').endsWith(half), { why: 'its first half' });
    expect(taken).toEqual([]);
    stdin.end('}');
    expect(await ended).toEqual(nothing);
    expect((await first()).body).toBe(`${half}}`);

    leave('7', uptime(), half);
    leave('8', uptime(), '{}');
    await until(() => taken.length === 2, { why: 'the one behind it' });
    clock.pass(40_000);
    expect(left()).toEqual([]);
    expect(taken).toHaveLength(2);
  });

  it('stays for the next daemon, which takes it in the order of its times', () => {
    mkdirSync(folder);
    const now = uptime();
    leave('3', now - 0.5, '{"n":3}');
    leave('2', now - 1, '{"n":2}');
    leave('1', now - 2, '{"n":1}');
    leave('10', now + 3600, '{"n":"of before the machine was started anew"}');
    const yesterday = Date.now() / 1000 - 86_400;
    utimesSync(join(folder, `10.${now + 3600}`), yesterday, yesterday);
    writeFileSync(join(folder, 'not-of-a-hook'), '{}');
    read();
    expect(taken.map(({ body }) => JSON.parse(body).n)).toEqual([1, 2, 3]);
    expect(taken.map(({ sender }) => sender.pid)).toEqual([1, 2, 3]);
    expect(left()).toEqual(['not-of-a-hook']);
  });

  it('of a container with a clock of its own began when it was written', () => {
    mkdirSync(folder);
    const before = Date.now();
    // The kernel stamps files by a clock that ticks every few ms.
    for (const shift of [-600, -300, 36_000]) leave('1', uptime() + shift, '{}');
    read();
    expect(taken).toHaveLength(3);
    for (const { sender } of taken) {
      expect(sender.start).toBeGreaterThan(before - 20);
      expect(sender.start).toBeLessThanOrEqual(Date.now());
    }
  });

  it('that brings a fault to light costs nothing behind it, and is told in the log', () => {
    mkdirSync(folder);
    leave('1', uptime() - 2, '{"n":"fault"}');
    leave('2', uptime() - 1, '{"n":2}');
    read();
    expect(taken.map(({ body }) => body)).toEqual(['{"n":2}']);
    expect(faults).toEqual([expect.stringContaining('a fault of ours')]);
    expect(left()).toEqual([]);
  });

  it('has its folder again when that was swept away', async () => {
    read();
    rmSync(folder, { recursive: true });
    const isBack = () => {
      clock.pass(5_000);
      return existsSync(join(folder, 'daemon'));
    };
    await until(isBack, { why: 'the folder' });
    expect(await start(stop).ended).toEqual(nothing);
    await first();
  });

  it('costs nothing that anything else stands there', async () => {
    mkdirSync(folder);
    spawnSync('mkfifo', [join(folder, `5.${uptime()}`)]);
    mkdirSync(join(folder, `6.${uptime()}`));
    read();
    expect(await start(stop).ended).toEqual(nothing);
    await first();
  });
});
