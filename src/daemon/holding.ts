import { createHolds, type HoldEnd } from '../answers/holds.ts';
import { isLookedAt } from '../attention/seen.ts';
import { type AnswerTo, type Offer, offersOf, type PermissionRequest } from '../claude/decisions.ts';
import type { Asks } from '../claude/hooks.ts';
import type { Config } from '../config/schema.ts';
import { sessionIdOf } from '../sessions/ids.ts';
import type { Observe } from '../sessions/observation.ts';
import type { Option, Prompt, PromptId } from '../sessions/prompt.ts';
import type { Registry } from '../sessions/registry.ts';
import type { Session, SessionId, SessionKey } from '../sessions/session.ts';
import type { Clock } from '../system/clock.ts';

/** The program of a PermissionRequest hook, which waits for what to print. */
export interface Waiting {
  /** Ends it. Nothing printed leaves the decision to Claude Code. */
  reply(output: string): void;
  /** Its connection was closed by the other side. */
  onClosed(closed: () => void): void;
}

/** A PermissionRequest hook whose observations are out. */
export interface HeardRequest {
  readonly key: SessionKey;
  readonly agent: string | null;
  readonly asks: Asks;
}

export type AnyAnswer = AnswerTo<PermissionRequest>;

export interface Held {
  readonly prompt: PromptId;
  readonly session: SessionId;
  readonly request: PermissionRequest;
  /** What was asked allows, where the screen does not tell. */
  readonly offers: readonly Offer<AnyAnswer>[];
}

export interface Holding {
  hold(heard: HeardRequest, waiting: Waiting): void;
  of(prompt: PromptId): Held | null;
  /** What can be answered through the hold from now on. */
  offer(prompt: PromptId, options: readonly Option[]): void;
  /** Gives somebody's answer to Claude Code. @returns whether there was a hold to give it through. */
  answer(prompt: PromptId, output: string): boolean;
  /** The session has changed: its prompts may be settled, its window may be looked at. */
  follow(session: Session): void;
  /** The session has ended. */
  end(session: SessionId): void;
  stop(): void;
}

/** Characters of a rule that is offered for good: it must be shown whole. */
export const LONGEST_RULE = 400;

/** Holds the hooks of open prompts, as long as each may be held (docs/prompts.md). */
export function createHolding(parts: {
  readonly clock: Clock;
  readonly config: () => Config;
  readonly registry: Registry;
  readonly observe: Observe;
  readonly factTime: () => number;
  /** A hold begins; says what is offered first. */
  readonly began: (prompt: PromptId) => void;
}): Holding {
  const { registry, observe, factTime } = parts;
  const held = new Map<PromptId, Held>();
  const holds = createHolds(parts.clock, {
    agent: () => parts.config().prompts['agent-hold'] * 1000,
    isDrawn: registry.isDrawn,
  });

  holds.subscribe((change) => {
    if (change.type !== 'ended' || change.why === 'replaced') return;
    held.delete(change.promptId);
    const key = registry.keyOf(change.session);
    if (key === undefined) return;
    const fact = { at: factTime(), prompt: change.promptId };
    observe(
      key,
      change.why === 'answered'
        ? { type: 'prompt-answered', ...fact }
        : { type: 'prompt-held', ...fact, options: null },
    );
  });

  /** The prompt that this hook asks, if it is not settled already. */
  function promptOf(session: Session | undefined, { agent, asks }: HeardRequest): Prompt | undefined {
    return session?.prompts.findLast(
      (prompt) => prompt.agent === agent && registry.asked(prompt.id)?.inputKey === asks.inputKey,
    );
  }

  function isHeld(session: Session, agent: string | null): boolean {
    const unattended = session.kind === 'print' || session.kind === 'sdk';
    if (unattended && !parts.config().prompts['hold-print']) return false;
    return agent === null || !mustShow(session);
  }

  return {
    hold(heard, waiting) {
      const session = registry.find(sessionIdOf(heard.key));
      const prompt = promptOf(session, heard);
      if (session === undefined || prompt === undefined || !isHeld(session, heard.agent)) {
        waiting.reply('');
        return;
      }
      const { id, truncated } = prompt;
      const { request } = heard.asks;
      const offers = offersOf(request, {
        fits: (label) => !truncated && label.length <= LONGEST_RULE,
        goOnAfterNo: parts.config().prompts['go-on-after-no'],
      });
      const hold = holds.open({
        promptId: id,
        session: session.id,
        agent: heard.agent,
        reply: (output) => waiting.reply(output),
      });
      held.set(id, { prompt: id, session: session.id, request, offers });
      waiting.onClosed(() => hold.closed());
      parts.began(id);
    },
    of: (prompt) => held.get(prompt) ?? null,
    offer(prompt, options) {
      const key = registry.keyOf(held.get(prompt)?.session ?? ('' as SessionId));
      if (key !== undefined) observe(key, { type: 'prompt-held', at: factTime(), prompt, options });
    },
    answer: (prompt, output) => holds.answer(prompt, output),
    follow(session) {
      for (const [id, { session: its }] of [...held]) {
        if (its !== session.id) continue;
        const prompt = session.prompts.find((one) => one.id === id);
        if (prompt === undefined) holds.release(id, 'retired');
        else if (prompt.agent !== null && !registry.isDrawn(id) && mustShow(session)) {
          holds.release(id, 'looked-at');
        }
      }
    },
    end(session) {
      for (const [id, { session: its }] of [...held]) if (its === session) holds.release(id, 'retired');
    },
    stop: () => holds.releaseAll('daemon-ends' satisfies HoldEnd),
  };
}

/** The dialog of a sub-agent in the background is not drawn while it is held: whoever looks there, or cannot be sent there, must see it. */
function mustShow(session: Session): boolean {
  return session.place.certainty !== 'exact' || isLookedAt(session);
}
