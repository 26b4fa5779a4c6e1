import { fstatSync } from 'node:fs';

/**
 * Resolves when there is no bar any more to read from, or somebody asks us to end.
 *
 * @param reads whether the bar holds the other end of our stdin as long as it runs.
 */
export function barGone(reads: boolean): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  // /dev/null is at its end from the start, and says nothing.
  if (reads && isPipe(0)) process.stdin.once('end', resolve);
  if (reads) process.stdin.on('error', resolve);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, resolve);
  return { promise, resolve };
}

function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket();
  } catch {
    return false;
  }
}
