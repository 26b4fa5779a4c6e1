import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Claude, createClaude } from '../../src/claude/claude.ts';
import { hookTime, writeHookScript } from '../../src/claude/hook-script.ts';
import type { HookSender } from '../../src/claude/hooks.ts';
import { type Inbox, openInbox } from '../../src/claude/inbox.ts';
import { apply, hookPaths, hookScriptsFor, planInstall } from '../../src/claude/settings.ts';
import type { Observation } from '../../src/sessions/observation.ts';
import { systemClock } from '../../src/system/clock.ts';
import { silentLog } from '../../src/system/log.ts';
import type { DrivenClaude } from '../stand-in/driven.ts';
import { until } from '../support/until.ts';
import { type ClaudeWorld, startClaudeWorld, VERSIONS } from './real-claude.ts';

/** What tsmux reads of the real Claude Code: its files, its process, and the hooks that setup installs. */
describe.each(VERSIONS)('the sources of Claude Code %s', (version) => {
  let world: ClaudeWorld;
  let session: DrivenClaude;
  let claude: Claude;
  let server: Server;
  let inbox: Inbox;
  const seen: Observation[] = [];
  const events: string[] = [];
  const pids = new Set<number>();

  beforeAll(async () => {
    world = await startClaudeWorld();
    const { configDir } = world.folders;
    const data = join(world.home, 'tsmux');
    const socket = join(data, 'tsmux.sock');
    const hooks = hookPaths(data);
    mkdirSync(data);
    const { scripts } = hookScriptsFor({
      socket,
      node: process.execPath,
      tsmux: '/nonexistent',
      path: process.env.PATH,
    });
    writeHookScript(hooks.event, scripts.event);
    writeHookScript(hooks.hold, scripts.hold);
    const planned = planInstall({ configDir, hooks, stateDir: join(data, 'state') });
    if (!planned.ok || !apply(planned.value).ok) throw new Error('the hooks were not installed');

    const take = (body: string, sender: HookSender) => {
      const heard = claude.hook(body, sender);
      events.push('event' in heard ? heard.event : heard.error);
    };
    inbox = openInbox({ folder: join(data, 'inbox'), clock: systemClock, log: silentLog, take });
    server = createServer(async (request, response) => {
      const pid = Number(request.headers['claude-pid']);
      take(await text(request), { pid, start: hookTime(request.headers, Date.now()) });
      response.writeHead(200, { 'content-length': 0, connection: 'close' }).end();
    });
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    chmodSync(socket, 0o777);
    execFileSync('chown', ['-R', `${world.account.uid}:${world.account.gid}`, data, configDir]);

    claude = createClaude({
      clock: systemClock,
      log: silentLog,
      home: world.home,
      configDirs: [configDir],
      observe: (key, observation) => {
        pids.add(key.pid);
        if (session === undefined || key.pid === session.pid) seen.push(observation);
      },
    });
    await claude.start();
    session = await world.start({ version, in: 'tmux' });
  });
  afterAll(async () => {
    await claude?.stop();
    server?.close();
    inbox?.close();
    await world?.stop();
  });

  const sees = (what: Readonly<Record<string, unknown>>) =>
    until(
      () =>
        seen.some((found) =>
          Object.entries({ ...found, ...what }).every(([key, value]) => Reflect.get(found, key) === value),
        ),
      { why: JSON.stringify(what), saw: () => seen.map(({ type }) => type) },
    );

  it('show a session as soon as it is there, by its file and by its hook', async () => {
    await sees({ type: 'process-seen', kind: 'interactive', cwd: world.folders.project });
    await sees({ type: 'session-file', status: 'idle' });
    await sees({ type: 'session-renewed', how: 'startup' });
  });

  it('tell a turn twice, by hooks and by the transcript', async () => {
    await session.type('SCN:hello there');
    await session.is('idle');
    for (const source of ['hook', 'transcript'] as const) {
      await sees({ type: 'turn-started', source, by: 'user' });
      await sees({ type: 'turn-ended', source, how: 'finished' });
    }
  });

  it('tell what is asked, whole, and that it is over', async () => {
    await session.type('SCN:bash please');
    await session.is('waiting', 'permission prompt');
    await sees({ type: 'prompt-asked' });
    const asked = seen.find((observation) => observation.type === 'prompt-asked');
    expect(asked).toMatchObject({
      prompt: { kind: 'permission', title: 'Bash', text: expect.stringMatching(/touch/) },
    });
    await session.answer('1');
    await session.is('idle');
    await sees({ type: 'tool-ended', source: 'hook', tool: 'Bash' });
    await sees({ type: 'tool-ended', source: 'transcript', tool: 'Bash' });
  });

  it('tell an interrupt by the transcript alone', async () => {
    await session.type('SCN:slow please');
    await session.is('busy');
    await session.shows('word word');
    await session.press('Escape');
    await session.is('idle');
    await sees({ type: 'turn-ended', source: 'transcript', how: 'interrupted' });
  });

  it('understood every hook, and tell that it is gone', async () => {
    expect(events.filter((event) => event.includes(' '))).toEqual([]);
    await session.exit();
    await sees({ type: 'process-gone' });
  });

  // 2.1.197 leaves nothing in the folder until then: the next look at the processes finds it.
  it.runIf(version === '2.1.332')('tell of a session that waits at its trust dialog', async () => {
    const cwd = world.project('strange');
    const strange = await world.start({ version, in: 'tmux', cwd, early: true });
    await until(() => pids.has(strange.pid), { why: 'the session' });
    await strange.shows('Yes, I trust this folder');
    expect(strange.sessionFile()).toBeNull();
    await strange.kill();
  });
});
