import { createServer } from 'node:net';
import type { MessageBus } from 'dbus-native';
import { describe, expect, it, onTestFinished } from 'vitest';
import { followLogin } from '../../src/notifications/login.ts';
import { silentLog } from '../../src/system/log.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { aBus, aClient, aSocket } from './desktop-bus.ts';

const LOGIN = 'org.freedesktop.login1';
const SESSION = '/org/freedesktop/login1/session/_32';
const USER = '/org/freedesktop/login1/user/_1000';

/** logind, as far as org.freedesktop.login1(5) is needed. */
async function aLogind(socket: string) {
  const bus: MessageBus = await aClient(socket);
  const state = { locked: false, session: SESSION };
  bus.exportInterface({ GetUser: () => USER }, '/org/freedesktop/login1', {
    name: `${LOGIN}.Manager`,
    methods: { GetUser: ['u', 'o', [], []] },
    signals: {},
    properties: {},
  });
  const user = {
    get Display() {
      return ['2', state.session];
    },
  };
  const session = {
    get LockedHint() {
      return state.locked;
    },
  };
  const described = { methods: {}, signals: {} };
  bus.exportInterface(user, USER, { ...described, name: `${LOGIN}.User`, properties: { Display: '(so)' } });
  bus.exportInterface(session, SESSION, {
    ...described,
    name: `${LOGIN}.Session`,
    properties: { LockedHint: 'b' },
  });
  await bus.requestName(LOGIN, 0);
  return {
    lock(locked: boolean) {
      state.locked = locked;
      const changed = [['LockedHint', ['b', locked]]];
      bus.sendSignal(SESSION, 'org.freedesktop.DBus.Properties', 'PropertiesChanged', 'sa{sv}as', [
        `${LOGIN}.Session`,
        changed,
        [],
      ]);
    },
    wakes() {
      bus.sendSignal('/org/freedesktop/login1', `${LOGIN}.Manager`, 'PrepareForSleep', 'b', [false]);
    },
    state,
  };
}

function loginAt(socket: string) {
  const clock = manualClock();
  const login = followLogin({ clock, log: silentLog, uid: 1000, sockets: () => [socket] });
  onTestFinished(() => login.stop());
  let told = 0;
  login.subscribe(() => {
    told += 1;
  });
  return { ...login, clock, told: () => told };
}

describe('the screen', () => {
  it('is locked when logind says so, and that is told when it changes', async () => {
    const { socket } = await aBus();
    const logind = await aLogind(socket);
    const login = loginAt(socket);
    expect(await login.isLocked()).toBe(false);
    logind.lock(true);
    await until(() => login.isLocked(), { why: 'the lock' });
    logind.lock(false);
    await until(async () => !(await login.isLocked()), { why: 'the screen' });
    expect(login.told()).toBe(2);
  });

  it('is known to be locked with the first answer', async () => {
    const { socket } = await aBus();
    const logind = await aLogind(socket);
    logind.state.locked = true;
    expect(await loginAt(socket).isLocked()).toBe(true);
  });

  it('is not known to be locked where no session is graphical', async () => {
    const { socket } = await aBus();
    const logind = await aLogind(socket);
    logind.state.locked = true;
    logind.state.session = '/';
    expect(await loginAt(socket).isLocked()).toBe(false);
  });

  it('is not known to be locked without logind', async () => {
    const { socket } = await aBus();
    expect(await loginAt(socket).isLocked()).toBe(false);
  });

  it('is not known to be locked without a system bus', async () => {
    expect(await loginAt(aSocket()).isLocked()).toBe(false);
  });

  it('is not known to be locked while the system bus does not answer', async () => {
    const socket = aSocket();
    const mute = createServer(() => {});
    await new Promise<void>((resolve) => mute.listen(socket, resolve));
    onTestFinished(() => void mute.close());
    const login = loginAt(socket);
    const answer = login.isLocked();
    login.clock.pass(2_000);
    expect(await answer).toBe(false);
  });

  it('comes back from sleep with a word', async () => {
    const { socket } = await aBus();
    const logind = await aLogind(socket);
    const login = loginAt(socket);
    await login.isLocked();
    logind.wakes();
    await until(() => login.told() === 1, { why: 'the word' });
  });
});
