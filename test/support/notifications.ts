import type { NotificationsEars } from '../../src/daemon/telling.ts';
import type { Card } from '../../src/notifications/card.ts';
import type { Notifications } from '../../src/notifications/notifications.ts';

/** Notifications that nobody sees but the test. */
export interface FakeNotifications {
  /** What is on screen now, by key. */
  readonly live: Map<string, Card>;
  /** All that was shown anew, in order; changes of what is on screen are not in it. */
  readonly told: { readonly key: string; readonly card: Card }[];
  /** Addresses of buses that clients named. */
  readonly buses: (string | null)[];
  /** The user presses the button with this label on the key's notification, or (null) clicks on the notification. */
  press: (key: string, label: string | null) => void;
}

export function fakeNotifications(
  seen: FakeNotifications,
  { onDeed, onChange }: NotificationsEars,
): Notifications {
  /** Those that an earlier daemon had. */
  const left = new Set<string>();
  seen.press = (key, label) => {
    const card = seen.live.get(key);
    const button = label === null ? card?.whole : card?.buttons.find((one) => one.label === label);
    if (button === undefined) throw new Error(`no button "${label}" for ${key}`);
    onDeed(key, button.deed);
  };
  return {
    show(key, card) {
      seen.told.push({ key, card });
      seen.live.set(key, card);
      onChange();
    },
    update(key, card) {
      if (seen.live.has(key) || left.delete(key)) seen.live.set(key, card);
    },
    withdraw(key) {
      left.delete(key);
      seen.live.delete(key);
      onChange();
    },
    resume(saved) {
      const keys = saved === undefined ? [] : (saved as string[]);
      for (const key of keys) left.add(key);
      return keys;
    },
    save: () => [...seen.live].flatMap(([key, { stays }]) => (stays ? [key] : [])),
    learn: (address) => void seen.buses.push(address),
    async stop() {},
  };
}
