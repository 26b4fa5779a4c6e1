import type { Outside } from './outside.ts';

/**
 * Asks a question once for all who have it at the same moment: ten sessions in one tmux server are one question
 * to it, not ten. An answer serves for `ms` after it came; a failed one serves nobody who asks later.
 */
export function sharedAnswers<T>(
  ms: number,
): (outside: Outside, key: string, ask: () => Promise<T>) => Promise<T> {
  const of = new WeakMap<Outside, Map<string, Promise<T>>>();
  return (outside, key, ask) => {
    const answers = of.get(outside) ?? new Map<string, Promise<T>>();
    of.set(outside, answers);
    const shared = answers.get(key);
    if (shared !== undefined) return shared;
    const answer = ask();
    answers.set(key, answer);
    answer.then(
      () => outside.clock.after(ms, () => answers.delete(key)),
      () => answers.delete(key),
    );
    return answer;
  };
}
