import { Failure } from '../system/failure.ts';

/**
 * Says on stderr, in one line, what did not work, why, and what to do: `tsmux: what: why: what to do`.
 *
 * @returns the exit code.
 */
export function complain(what: string, error: unknown): number {
  const failure =
    error instanceof Failure
      ? error
      : new Failure('failed', String(error), 'this is a fault of tsmux; please report it');
  // Where stderr is closed, the exit code tells.
  process.stderr.on('error', () => {});
  process.stderr.write(`tsmux: ${what}: ${oneLine(failure.message)}: ${oneLine(failure.hint)}\n`);
  return failure.exit;
}

/** What the daemon says may hold names that others chose. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}
