import type { Write } from './screen.ts';

/**
 * Takes stdout for the protocol alone: one line from anything else (a library, a warning) would break the bar until
 * it is restarted. Whatever else is written to stdout from now on goes to stderr. `onGone` is called when nobody reads
 * stdout any more, in place of what else waited for that: there may be a wrapped program to end first.
 */
export function claimStdout(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  onGone: () => void,
): Write {
  stdout.removeAllListeners('error').on('error', onGone);
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return (text, done) => {
    write(text, (error) => {
      if (!error) done();
    });
  };
}
