import type { Check } from '../system/check.ts';
import { systemClock } from '../system/clock.ts';
import { silentLog } from '../system/log.ts';
import { keepBus, sessionBusSockets } from './bus.ts';
import { menuOf } from './request.ts';
import { followServer, type Server } from './server.ts';

const NAME = 'org.freedesktop.Notifications';

/** The session bus and the notification server. Starts no server. */
export async function check(
  env: Readonly<Record<string, string | undefined>>,
  uid: number,
): Promise<readonly Check[]> {
  const sockets = sessionBusSockets(env, uid);
  const found = await look(sockets);
  const name = 'notifications';
  if (typeof found === 'string') {
    const hint = `set DBUS_SESSION_BUS_ADDRESS, or let systemd open ${sockets.at(-1)}`;
    return [{ name, status: 'absent', detail: `no session bus: ${found}`, hint }];
  }
  const { server, startable } = found;
  if (server !== null) {
    const menu = menuOf(server);
    const acts = server.capabilities.has('actions');
    const way = !acts ? 'without actions' : menu === null ? 'with buttons' : `whose actions are in: ${menu}`;
    return [{ name, status: 'ok', detail: `${server.name} ${server.version}, ${way}`, hint: null }];
  }
  if (startable) {
    return [{ name, status: 'ok', detail: 'a server that the bus starts when it is needed', hint: null }];
  }
  const hint = 'install and start one: dunst, mako, xfce4-notifyd …';
  return [{ name, status: 'absent', detail: 'no notification server runs', hint }];
}

/** A sentence: why there is no bus. */
function look(
  sockets: readonly string[],
): Promise<string | { readonly server: Server | null; readonly startable: boolean }> {
  return new Promise((resolve) => {
    const bus = keepBus({
      clock: systemClock,
      log: { ...silentLog, warn: (facts) => end('why' in facts ? String(facts.why) : 'it does not answer') },
      name: 'session',
      sockets: () => sockets,
      onConnected: async (connected) => {
        const server = followServer({ clock: systemClock, log: silentLog, bus: () => bus, tell: () => {} });
        await server.connected(connected);
        const [names] = await connected.call({
          destination: 'org.freedesktop.DBus',
          path: '/org/freedesktop/DBus',
          interface: 'org.freedesktop.DBus',
          member: 'ListActivatableNames',
        });
        end({ server: server.current(), startable: Array.isArray(names) && names.includes(NAME) });
      },
      onSignal: () => {},
      onGone: () => {},
    });
    function end(found: Parameters<typeof resolve>[0]): void {
      resolve(found);
      // Not from within the call that tells it.
      setImmediate(() => bus.stop());
    }
  });
}
