import type { Write } from './screen.ts';

/**
 * Takes stdout for the protocol alone: one line from anything else (a library, a warning) would break the bar until
 * it is restarted. Whatever else is written to stdout from now on goes to stderr.
 */
export function claimStdout(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): Write {
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  return (text, done) => {
    write(text, (error) => {
      if (!error) done();
    });
  };
}
