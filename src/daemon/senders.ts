import type { Registry } from '../sessions/registry.ts';
import type { Session } from '../sessions/session.ts';
import { Failure } from '../system/failure.ts';
import { ancestry, type ProcessStat } from '../system/proc.ts';

/**
 * Claude Code runs its tools as the user, so they can reach the daemon: a session must not answer prompts, its own
 * or another's. Commands send their pid; of a request without one (curl), and of a process that has left its
 * ancestors, nothing can be told. docs/prompts.md says so.
 *
 * @param pid of the process that asks; null where it does not say.
 * @throws Failure `refused` when it descends from a session.
 */
export function refuseSessions(
  pid: number | null,
  registry: Pick<Registry, 'all' | 'keyOf'>,
  ancestors: (pid: number) => readonly Pick<ProcessStat, 'pid' | 'startTime'>[] = ancestry,
): void {
  if (pid === null) return;
  const line = ancestors(pid);
  const isAncestor = ({ id }: Session) => {
    const key = registry.keyOf(id);
    return line.some((one) => one.pid === key?.pid && one.startTime === key.startTime);
  };
  const session = registry.all().find(isAncestor);
  if (session === undefined) return;
  throw new Failure(
    'refused',
    `this comes from inside of the session ${session.label ?? session.name}`,
    'a session may not answer prompts: answer it yourself',
  );
}
