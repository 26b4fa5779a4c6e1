/**
 * Terminator (observed with 2.1.2): one process for all windows, WINDOWID not set. Its D-Bus service tells the
 * title of the window that holds a terminal; the answer counts where only one window has that title. The name
 * and the terminal's id come from the environment and may be another Terminator's: then the service, which must
 * belong to the owner of the PTY, does not know them.
 */
import type { MessageBus } from 'dbus-native';
import type { Outside } from '../outside.ts';
import { given, type Terminal, type TerminalQuestion } from './terminal.ts';

async function titleOf(question: TerminalQuestion, outside: Outside): Promise<string | null> {
  const address = given(question, 'DBUS_SESSION_BUS_ADDRESS', outside);
  const name = given(question, 'TERMINATOR_DBUS_NAME', outside);
  const path = given(question, 'TERMINATOR_DBUS_PATH', outside);
  const uuid = given(question, 'TERMINATOR_UUID', outside);
  if (address === null || name === null || path === null || uuid === null) return null;
  const { default: dbus } = await import('dbus-native');
  let bus: MessageBus;
  try {
    bus = dbus.createClient({ busAddress: address });
  } catch {
    // An address of another kind (`autolaunch:`, `disabled:`).
    return null;
  }
  const gone = new Promise<null>((resolve) => {
    bus.connection.on('error', () => resolve(null));
    outside.clock.after(2000, () => resolve(null));
  });
  const ask = async () => {
    const owner = await bus.invoke<unknown>({
      destination: 'org.freedesktop.DBus',
      path: '/org/freedesktop/DBus',
      interface: 'org.freedesktop.DBus',
      member: 'GetConnectionUnixProcessID',
      signature: 's',
      body: [name],
    });
    if (owner !== question.process.pid) return null;
    // The interface has the same name as the service.
    const title = await bus.invoke<unknown>({
      destination: name,
      path,
      interface: name,
      member: 'get_window_title',
      signature: 'v',
      body: [['s', uuid]],
    });
    return typeof title === 'string' ? title : null;
  };
  try {
    return await Promise.race([ask(), gone]);
  } catch {
    return null;
  } finally {
    bus.connection.end();
  }
}

export const terminator: Terminal = {
  name: 'terminator',

  is: (process, windows) =>
    process.comm === 'terminator' || windows.some(({ appId }) => appId?.toLowerCase() === 'terminator'),

  showsTitle: true,

  async ask(question, outside) {
    if (question.windows.length < 2) return null;
    const title = await titleOf(question, outside);
    const windows = question.windows.filter((window) => window.title === title);
    return windows.length === 1
      ? { windows, how: 'terminator says the title of its window over D-Bus', pane: null }
      : null;
  },
};
