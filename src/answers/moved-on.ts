import type { PromptId } from '../sessions/prompt.ts';
import type { Clock } from '../system/clock.ts';

export interface PromptWatch {
  isOpen(promptId: PromptId): boolean;
  /** Calls whenever prompts may have changed. Returns how to stop it. */
  subscribe(listener: () => void): () => void;
}

/**
 * Whether the prompt was retired within `limit` ms: true as soon as it is. An answer that Claude did not take
 * must be told, instead of being believed.
 */
export function movedOn(
  promptId: PromptId,
  prompts: PromptWatch,
  clock: Clock,
  limit: number,
): Promise<boolean> {
  if (!prompts.isOpen(promptId)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (moved: boolean) => {
      stopTimer();
      unsubscribe();
      resolve(moved);
    };
    const stopTimer = clock.after(limit, () => settle(!prompts.isOpen(promptId)));
    const unsubscribe = prompts.subscribe(() => {
      if (!prompts.isOpen(promptId)) settle(true);
    });
  });
}
