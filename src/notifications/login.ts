import * as z from 'zod/mini';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import { type Bus, type Connected, keepBus } from './bus.ts';

/** What logind knows of the user's graphical session (org.freedesktop.login1(5)). */
export interface Login {
  /**
   * Whether the screen is known to be locked. False proves nothing: swaylock and i3lock tell logind nothing, and there
   * may be no logind. The first answer may take until logind has given it; later ones are known already.
   */
  isLocked(): Promise<boolean>;
  /** It was locked or unlocked, or the machine has slept. */
  subscribe(listener: () => void): () => void;
  stop(): void;
}

export interface LoginParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly uid: number;
  /** Where the system bus listens. */
  readonly sockets: () => readonly string[];
}

const LOGIN = 'org.freedesktop.login1';
const MANAGER = `${LOGIN}.Manager`;
const MANAGER_PATH = '/org/freedesktop/login1';
const PROPERTIES = 'org.freedesktop.DBus.Properties';
/** How long the first answer is waited for, ms. */
const PATIENCE = 2_000;

const aPath = z.tuple([z.string()], z.unknown());
const display = z.tuple([z.tuple([z.string(), z.string()])], z.unknown());
const yes = z.tuple([z.boolean()], z.unknown());

/** Connects to the system bus when first asked, and stays connected: nobody else tells when a screen is unlocked. */
export function followLogin(parts: LoginParts): Login {
  const { clock, log } = parts;
  const listeners = new Set<() => void>();
  let bus: Bus | null = null;
  let locked = false;
  let answered: Promise<void> | null = null;
  let answer: () => void = () => {};
  let watched = '';

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  function follow(): Promise<void> {
    answered ??= new Promise((resolve) => {
      answer = resolve;
      clock.after(PATIENCE, resolve);
      bus = keepBus({
        clock,
        log,
        name: 'system',
        sockets: parts.sockets,
        onConnected: async (connected) => {
          watched = '';
          for (const member of ['PrepareForSleep', 'SessionNew', 'SessionRemoved']) {
            await connected.match(
              `type='signal',sender='${LOGIN}',interface='${MANAGER}',member='${member}'`,
            );
          }
          await read(connected);
        },
        onSignal: ({ interface: of, member }) => {
          const connected = bus?.current() ?? null;
          if (connected === null || (of !== MANAGER && of !== PROPERTIES)) return;
          void read(connected).then(() => member === 'PrepareForSleep' && tell());
        },
        onGone: () => know(false),
        onFailed: () => know(false),
      });
    });
    return answered;
  }

  async function read(connected: Connected): Promise<void> {
    try {
      know(await lockedHint(connected));
    } catch (error) {
      // A container, a machine without systemd, or nobody logged in on a seat.
      log.debug({ error: String(error) }, 'logind does not tell whether the screen is locked');
      know(false);
    }
  }

  async function lockedHint(connected: Connected): Promise<boolean> {
    const ask = { destination: LOGIN, path: MANAGER_PATH, interface: MANAGER };
    const [user] = aPath.parse(
      await connected.call({ ...ask, member: 'GetUser', signature: 'u', body: [parts.uid] }),
    );
    const [[, session]] = display.parse(await property(connected, user, `${LOGIN}.User`, 'Display'));
    if (session === '/' || session === '') return false;
    if (watched !== session) {
      for (const path of [user, session]) {
        await connected.match(
          `type='signal',sender='${LOGIN}',interface='${PROPERTIES}',member='PropertiesChanged',path='${path}'`,
        );
      }
      watched = session;
    }
    return yes.parse(await property(connected, session, `${LOGIN}.Session`, 'LockedHint'))[0];
  }

  function property(connected: Connected, path: string, of: string, name: string) {
    const call = { destination: LOGIN, path, interface: PROPERTIES, member: 'Get' };
    return connected.call({ ...call, signature: 'ss', body: [of, name] });
  }

  function know(now: boolean): void {
    const changed = locked !== now;
    locked = now;
    answer();
    if (changed) tell();
  }

  return {
    async isLocked() {
      await follow();
      return locked;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => bus?.stop(),
  };
}
