import type { PromptId } from '../sessions/prompt.ts';
import type { SessionId } from '../sessions/session.ts';
import type { Cancel, Clock } from '../system/clock.ts';

/**
 * The open connections of PermissionRequest hooks, through which prompts can be answered.
 *
 * No end of a hold decides anything but an answer that somebody gave: everything else ends it with no output, and
 * Claude Code shows, or keeps, its own dialog.
 */

export interface HoldRequest {
  readonly promptId: PromptId;
  readonly session: SessionId;
  /**
   * Id of the sub-agent that asks; null for the main thread. The dialog of one in the background is not drawn while its
   * hook is held (seen with Claude Code 2.1.197 and 2.1.332), so it must not be held for long.
   */
  readonly agent: string | null;
  /** Ends the hook, which prints this: nothing leaves the decision to Claude Code. Called once at most; must not throw. */
  reply(output: string): void;
}

/** The end of the hook's program that is with us. */
export interface Hold {
  /** Its connection was closed by the other side: nothing can be said to it any more. */
  closed(): void;
}

export type HoldEnd =
  | 'answered'
  /** The prompt was settled elsewhere. */
  | 'retired'
  /** Somebody looks, or could not be sent there: the terminal has to show its dialog. */
  | 'looked-at'
  /** Held as long as a sub-agent's may be. */
  | 'limit'
  /** Another hook tells of the same prompt. */
  | 'replaced'
  /** A session that is not held: `claude -p`, an SDK. */
  | 'not-held'
  | 'daemon-ends'
  /** The hook's program is gone. */
  | 'closed';

export type HoldChange =
  | { readonly type: 'opened'; readonly promptId: PromptId; readonly session: SessionId }
  | {
      readonly type: 'ended';
      readonly promptId: PromptId;
      readonly session: SessionId;
      readonly why: HoldEnd;
    };

export interface Holds {
  open(request: HoldRequest): Hold;
  /** Whether there was a hold to answer through. */
  answer(promptId: PromptId, output: string): boolean;
  release(promptId: PromptId, why: HoldEnd): void;
  releaseAll(why: HoldEnd): void;
  holds(promptId: PromptId): boolean;
  subscribe(listener: (change: HoldChange) => void): () => void;
}

export interface HoldLimits {
  /** How long a sub-agent's prompt is held at most, ms. Asked for each one anew. */
  agent(): number;
  /** The dialog is on the screen beside its hook: then it is held as one of the main thread. */
  isDrawn(promptId: PromptId): boolean;
}

export function createHolds(clock: Clock, limits: HoldLimits): Holds {
  const open = new Map<PromptId, { readonly request: HoldRequest; readonly stopTimer: Cancel }>();
  const listeners = new Set<(change: HoldChange) => void>();
  const tell = (change: HoldChange) => {
    for (const listener of [...listeners]) listener(change);
  };

  /** Forgets before it replies, so that nothing that the reply sets off can reply again. */
  const end = (promptId: PromptId, why: HoldEnd, output: string | null): boolean => {
    const hold = open.get(promptId);
    if (hold === undefined) return false;
    open.delete(promptId);
    hold.stopTimer();
    if (output !== null) hold.request.reply(output);
    tell({ type: 'ended', promptId, session: hold.request.session, why });
    return true;
  };

  return {
    open(request) {
      const { promptId, session, agent } = request;
      end(promptId, 'replaced', '');
      const over = () => {
        if (!limits.isDrawn(promptId)) end(promptId, 'limit', '');
      };
      const hold = { request, stopTimer: agent === null ? () => {} : clock.after(limits.agent(), over) };
      open.set(promptId, hold);
      tell({ type: 'opened', promptId, session });
      return {
        closed() {
          if (open.get(promptId) === hold) end(promptId, 'closed', null);
        },
      };
    },
    answer: (promptId, output) => end(promptId, 'answered', output),
    release: (promptId, why) => void end(promptId, why, ''),
    releaseAll(why) {
      for (const promptId of [...open.keys()]) end(promptId, why, '');
    },
    holds: (promptId) => open.has(promptId),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
