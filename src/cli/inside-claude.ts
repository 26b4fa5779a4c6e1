import { Failure } from '../system/failure.ts';

/**
 * Claude Code's own tools run as the user and could type any command: what answers its prompts is refused there. They
 * have CLAUDECODE in their environment.
 *
 * @throws Failure `refused`.
 */
export function refuseInsideClaude(env: Readonly<Record<string, string | undefined>>): void {
  if (env.CLAUDECODE === undefined || env.CLAUDECODE === '') return;
  throw new Failure(
    'refused',
    'this runs inside of Claude Code, which may not answer prompts',
    'answer it from the bar, or from a terminal of your own',
  );
}
