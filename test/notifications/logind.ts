import type { MessageBus } from 'dbus-native';
import { aClient } from './desktop-bus.ts';

const LOGIN = 'org.freedesktop.login1';
const SESSION = '/org/freedesktop/login1/session/_32';
const USER = '/org/freedesktop/login1/user/_1000';

/** logind, as far as org.freedesktop.login1(5) is needed. */
export async function aLogind(socket: string) {
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
