import { clientKinds } from '../bars/client/kinds.ts';
import { version } from '../system/version.ts';
import { endAtOnce, print } from './print.ts';

/**
 * What the user types. A command's code is read only when it runs. What bars, scripts and hooks start all the time
 * does without the library of the command line, as long as its words are plain; the build puts these few into one
 * file with this one, for they take longer to find than to read.
 */
async function main(args: readonly string[]): Promise<void> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    print(`${version}\n`);
    return;
  }
  if (isPlainList(args)) {
    const { quickList } = await import('./quick-list.ts');
    process.exitCode = await quickList(args.includes('--json'));
    return;
  }
  process.stdout.on('error', endAtOnce);
  if (args[0] === 'hook' && args.length === 1) {
    const { hook } = await import('./hook.ts');
    await hook();
  } else if (isPlainDaemon(args)) {
    const { quickDaemon } = await import('./quick-daemon.ts');
    process.exitCode = await quickDaemon(args.includes('--detached'));
  } else {
    const [command, ...words] = args;
    if (isBar(command)) {
      const { barProcess } = await import('./bar-process.ts');
      const code = await barProcess(command, words);
      // The bar holds pipes that nobody ends.
      if (code !== null) process.exit(code);
    }
    const { run } = await import('./program.ts');
    process.exitCode = await run(args);
  }
}

function isBar(command: string | undefined): command is string {
  return command !== undefined && (command === 'i3bar' || Object.hasOwn(clientKinds, command));
}

function isPlainDaemon([command, ...options]: readonly string[]): boolean {
  return command === 'daemon' && options.every((option) => option === '--detached');
}

function isPlainList([command, ...options]: readonly string[]): boolean {
  return command === 'list' && options.every((option) => option === '--json');
}

void main(process.argv.slice(2));
