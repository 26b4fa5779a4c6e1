import { version } from '../system/version.ts';

/**
 * What the user types. A command's code is read only when it runs: `--version`, `hook` and the process of a bar
 * need next to nothing of it, and the others only their own.
 */
async function main(args: readonly string[]): Promise<void> {
  process.stdout.on('error', endQuietly);
  process.stderr.on('error', endQuietly);
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`);
  } else if (args[0] === 'hook' && args.length === 1) {
    const { hook } = await import('./hook.ts');
    await hook();
  } else {
    if (args[0] === 'i3bar') {
      const { barProcess } = await import('./bar-process.ts');
      const code = await barProcess(args.slice(1));
      // The bar holds pipes that nobody ends.
      if (code !== null) process.exit(code);
    }
    const { run } = await import('./program.ts');
    process.exitCode = await run(args);
  }
}

/** Who read along has enough: `tsmux list | head -1`. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
  throw error;
}

await main(process.argv.slice(2));
