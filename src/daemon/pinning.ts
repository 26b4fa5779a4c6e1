import type { Prompt, PromptId } from '../sessions/prompt.ts';
import type { Session } from '../sessions/session.ts';

/** The one prompt that the user has picked: keys that are pressed next go to it and to no other. */
export interface Pinning {
  pinned(): PromptId | null;
  pin(prompt: PromptId | null): void;
  /** The prompt is settled: nothing takes its place. */
  settled(prompt: PromptId): void;
}

export function createPinning(touch: () => void): Pinning {
  let pinned: PromptId | null = null;
  const pin = (prompt: PromptId | null) => {
    if (pinned === prompt) return;
    pinned = prompt;
    touch();
  };
  return {
    pinned: () => pinned,
    pin,
    settled(prompt) {
      if (pinned === prompt) pin(null);
    },
  };
}

export interface OpenPrompt {
  readonly session: Session;
  readonly prompt: Prompt;
}

/** Oldest first. */
export function openPrompts(sessions: readonly Session[]): readonly OpenPrompt[] {
  return sessions
    .flatMap((session) => session.prompts.map((prompt) => ({ session, prompt })))
    .toSorted((a, b) => a.prompt.since - b.prompt.since || (a.prompt.id < b.prompt.id ? -1 : 1));
}
