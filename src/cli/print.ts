import { writeSync } from 'node:fs';
import { Failure } from '../system/failure.ts';
import { complain } from './complaint.ts';

/**
 * Writes all of the text to stdout. Asking for process.stdout alone costs as much as the rest of a short command; only
 * a pipe that is full and does not make its writer wait needs it.
 *
 * @returns whether nothing is left to be written.
 */
export function print(text: string): boolean {
  const bytes = Buffer.from(text);
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(1, bytes, done);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EPIPE') return true;
    if (code !== 'EAGAIN') throw unwritable(error as NodeJS.ErrnoException);
    process.stdout.on('error', endAtOnce);
    process.stdout.write(bytes.subarray(done));
    return false;
  }
  return true;
}

/** Who read along has enough (`tsmux list | head -1`), which is no fault; a full disk is said in a line. */
export function endAtOnce(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  process.exit(complain(process.argv[2] ?? 'tsmux', unwritable(error)));
}

function unwritable({ code, message }: NodeJS.ErrnoException): Failure {
  return new Failure(
    'failed',
    `the output cannot be written (${code ?? message})`,
    'look at where it goes, and at the space there',
  );
}
