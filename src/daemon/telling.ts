import type { Config } from '../config/schema.ts';
import type { Desktop, Whereabouts } from '../desktop/desktop.ts';
import type { Login } from '../notifications/login.ts';
import type { Notifications, NotificationsParts } from '../notifications/notifications.ts';
import type { Session, SessionId } from '../sessions/session.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import { createNotifying } from './notifying.ts';
import type { Prompts } from './prompts.ts';
import type { QuietKeeper } from './quiet.ts';
import type { Snapshots } from './snapshots.ts';
import { markUrgent } from './urgency.ts';

/** All by which the user is told without looking at a bar: notifications, and marks on windows. */
export interface Telling {
  /** The sources were read: from now on, what happens is new. */
  begin(): void;
  /** A client has called, whose desktop may have a message bus that was not there before, at this address. */
  learn(busAddress: string | null): void;
  /** JSON that the next daemon takes back as `saved`. */
  save(): unknown;
  stop(): Promise<void>;
}

/** What notifications tell the daemon. */
export type NotificationsEars = Pick<NotificationsParts, 'onDeed' | 'onChange'>;

export function createTelling(parts: {
  readonly clock: Clock;
  readonly log: Log;
  readonly config: () => Config;
  readonly home: string;
  readonly snapshots: Snapshots;
  readonly quiet: Pick<QuietKeeper, 'check'>;
  readonly createNotifications: (ears: NotificationsEars) => Notifications;
  readonly saved: unknown;
  /** What `save` gives has changed. */
  readonly touch: () => void;
  readonly login: Login;
  readonly prompts: Pick<Prompts, 'answer' | 'missed'>;
  readonly desktop: Pick<Desktop, 'setUrgent'>;
  readonly whereabouts: (session: Session) => Whereabouts | null;
  readonly mayBeHidden: (id: SessionId) => boolean;
  readonly go: (session: Session) => Promise<void>;
  readonly next: () => Promise<unknown>;
  readonly say: (words: string) => void;
}): Telling {
  const { snapshots, login } = parts;
  const notifications = parts.createNotifications({
    onDeed: (key, deed) => notifying.deed(key, deed),
    onChange: parts.touch,
  });
  const notifying = createNotifying({ ...parts, notifications, isLocked: login.isLocked });
  const unmark = markUrgent({
    ...parts,
    isWanted: () => parts.config().notifications['urgent-window'],
  });
  const unsubscribe = login.subscribe(() => {
    parts.quiet.check();
    snapshots.touch();
  });
  return {
    begin: notifying.begin,
    learn: notifications.learn,
    save: notifications.save,
    async stop() {
      unsubscribe();
      notifying.stop();
      await Promise.all([notifications.stop(), unmark()]);
    },
  };
}
