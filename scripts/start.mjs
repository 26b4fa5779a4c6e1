#!/usr/bin/env node
/**
 * From a clone to the bar in this terminal: packages, build, then `tsmux preview`, which starts the daemon when
 * none runs, and plays a recorded day while no session does.
 *
 *     npm start [-- PREVIEW OPTIONS…]
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, installPackages, root } from './set-up.mjs';

installPackages();
build();
const program = join(root, 'dist/tsmux.js');
const { status } = spawnSync(process.execPath, [program, 'preview', '--demo', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
if (status === 0 && process.stdout.isTTY) {
  console.log(
    'To have it on your bar: npm install -g . && tsmux setup, then the lines of README.md for your bar.',
  );
}
process.exitCode = status ?? 1;
