import { onTestFinished } from 'vitest';
import { type Card, type Deed, sessionCard } from '../../src/notifications/card.ts';
import { createNotifications } from '../../src/notifications/notifications.ts';
import type { Prompt } from '../../src/sessions/prompt.ts';
import { type Log, silentLog } from '../../src/system/log.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';
import { aPrompt, asking, plain } from './cards.ts';
import { aBus, aServer, type TestServer, type TestServerOptions } from './desktop-bus.ts';

export const cardOf = (prompt: Prompt = aPrompt(), facts: Partial<Card> = {}): Card => {
  const session = asking(prompt);
  return {
    ...sessionCard(session, session.name, { session: session.id, state: 'needs-input', manner: plain }),
    ...facts,
  };
};

/** Notifications over a bus at `socket`, which may not be there yet, by a clock that the test moves. */
export function notificationsAt(socket: string) {
  const clock = manualClock();
  const deeds: (Deed & { readonly key: string })[] = [];
  const warnings: string[] = [];
  const debugged: unknown[] = [];
  const changes: unknown[] = [];
  const log: Log = {
    ...silentLog,
    warn: (facts) => warnings.push('why' in facts ? String(facts.why) : JSON.stringify(facts)),
    debug: (facts) => debugged.push(facts),
  };
  const notifications = createNotifications({
    clock,
    log,
    sockets: () => [socket],
    onDeed: (key, deed) => deeds.push({ key, ...deed }),
    onChange: () => changes.push(notifications.save()),
  });
  onTestFinished(async () => {
    const stopped = notifications.stop();
    clock.pass(1_000);
    await stopped;
  });
  return { ...notifications, clock, deeds, warnings, debugged, changes };
}

export async function aDesktop(options: TestServerOptions = {}) {
  const bus = await aBus();
  const server = await aServer(bus.socket, options);
  return { bus, server, ...notificationsAt(bus.socket) };
}

export const showing = (server: TestServer, count: number) =>
  until(() => server.shown().length === count && (server.shown()[0] ?? true), {
    why: `${count} notifications on screen`,
    saw: () => server.asked,
  });

/** ms until the next attempt to connect, when the last one is over. */
export const pauseOf = (clock: ManualClock) =>
  until(() => clock.timers().every((ms) => ms !== CONNECT_LIMIT) && clock.timers()[0], {
    why: 'the next attempt',
  });
const CONNECT_LIMIT = 3_000;

/** Lets what is on its way over the bus arrive: the server answers in order. */
export async function settled(server: TestServer, notifications: { show(key: string, card: Card): void }) {
  const before = server.asked.length;
  notifications.show('settle', cardOf());
  await until(() => server.asked.length > before, { why: 'what was on its way' });
}
