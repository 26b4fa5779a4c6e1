import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Problem, readConfig } from '../../src/config/load.ts';
import { configSchema } from '../../src/config/schema.ts';
import type { WireSession, WireSnapshot } from '../../src/daemon/wire.ts';
import { type WiringParts, wire } from '../../src/daemon/wiring.ts';
import type { Observation, Observe } from '../../src/sessions/observation.ts';
import { silentLog } from '../../src/system/log.ts';
import { manualClock } from './manual-clock.ts';
import { type FakeNotifications, fakeNotifications } from './notifications.ts';
import { call } from './program.ts';
import { begins, fakeClaude, fakeDesktop, keyOf } from './rooms.ts';
import { until } from './until.ts';

/** All of the daemon but its process: rooms that the test plays, a clock that it moves, and a real socket. */
export async function aDaemon(
  start?: () => Promise<void>,
  more: {
    readonly config?: object;
    readonly saved?: string;
    readonly now?: number;
    readonly server?: ServerOptions;
    /** Until the desktop has been looked at. */
    readonly looking?: Promise<void>;
  } = {},
) {
  const clock = manualClock(more.now ?? Date.UTC(2026, 10, 30, 14));
  const desktop = Object.assign(fakeDesktop(), more.looking && { start: () => more.looking });
  const heard: { observe: Observe } = { observe: () => {} };
  const claude = fakeClaude(start, (key, observation) => heard.observe(key, observation));
  const folder = more.saved ?? mkdtempSync(join(tmpdir(), 'tsmux-test-'));
  const config = configSchema.parse(more.config ?? {});
  const configured = { config, problems: [] as Problem[], changed: () => {} };
  const live: WiringParts['live'] = {
    config: () => configured.config,
    problems: () => configured.problems,
    subscribe: (listener) => {
      configured.changed = listener;
    },
  };
  const state = { locked: false };
  const notified: FakeNotifications = { live: new Map(), told: [], buses: [], press: () => {} };
  const stops: boolean[] = [];
  const wiring = wire({
    clock,
    log: silentLog,
    live,
    program: ['/usr/bin/node', '/opt/tsmux/tsmux.js'],
    createClaude: (observe) => {
      heard.observe = observe;
      return claude;
    },
    desktop,
    login: { isLocked: async () => state.locked, subscribe: () => () => {}, stop() {} },
    createNotifications: (ears) => fakeNotifications(notified, ears),
    home: '/home/ada',
    statePath: join(folder, 'state.json'),
    historyPath: join(folder, 'history.json'),
    writeState: (path, text) => writeFileSync(path, text),
    health: () => ({ version: '0.0.0', pid: 1, supervised: false, startedAt: '' }),
    stop: (again) => stops.push(again),
  });
  const server = createServer(more.server ?? {}, wiring.api.handle);
  const socket = join(mkdtempSync(join(tmpdir(), 'tsmux-test-')), 's');
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(async () => {
    await wiring.stop();
    server.closeAllConnections();
    server.close();
  });
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(socket, method, path, body === undefined ? '' : JSON.stringify(body), headers);
  const sessions = async () => (JSON.parse((await ask('GET', '/v1/sessions')).text) as WireSnapshot).sessions;
  const session = async (pid: number): Promise<WireSession> =>
    until(async () => (await sessions()).find((one) => one.pid === pid), { why: `session ${pid}` });
  const finishes = (pid: number) => {
    const fact = { at: clock.now(), source: 'hook' as const, promptId: null };
    const over = { how: 'finished' as const, reason: null, lastMessage: 'Done.', background: null };
    heard.observe(keyOf(pid), { type: 'turn-started', ...fact, by: 'user' });
    clock.pass(1);
    heard.observe(keyOf(pid), { type: 'turn-ended', ...fact, at: clock.now(), ...over });
  };
  return {
    clock,
    desktop,
    claude,
    folder,
    socket,
    server,
    wiring,
    observe: (pid: number, observation: Observation) => heard.observe(keyOf(pid), observation),
    state,
    /** What the user is told. */
    notified,
    stops,
    /** What config.toml says from now on. */
    configure(source: string) {
      const read = readConfig(source, 'config.toml', configured.config);
      [configured.config, configured.problems] = [read.config, [...read.problems]];
      configured.changed();
    },
    ask,
    sessions,
    session,
    begins: (pid: number, cwd?: string) => begins(heard.observe, pid, clock.now(), cwd),
    ends: (pid: number) => heard.observe(keyOf(pid), { type: 'process-gone', at: clock.now() }),
    finishes,
    asks(pid: number) {
      clock.pass(1);
      heard.observe(keyOf(pid), {
        type: 'session-file',
        at: clock.now(),
        status: 'waiting',
        statusAt: clock.now(),
        waitingFor: 'permission prompt',
        sessionId: null,
        name: null,
      });
    },
  };
}
