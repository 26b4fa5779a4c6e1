/**
 * Brings a clone to where its programs run: installed packages and a build. Plain Node.js, because nothing else
 * is there yet. `node scripts/set-up.mjs` does both; npm runs it as `prepare`, so that `npm install -g .`, and an
 * installation from a git address, give a working tsmux.
 */
import { spawnSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a program of which the user sees everything; throws when it fails. */
export function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ended with ${status ?? signal}`);
}

const changed = (path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** npm writes node_modules/.package-lock.json at the end of an installation. */
export function installPackages() {
  if (changed('node_modules/.package-lock.json') >= changed('package-lock.json')) return;
  console.log('installing packages');
  // `npm install -g .` hands its own options on to the npm that runs below it.
  const env = {
    ...process.env,
    npm_config_global: 'false',
    npm_config_prefix: undefined,
    npm_config_location: undefined,
  };
  run('npm', ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

export function build() {
  run(process.execPath, ['scripts/build.mjs']);
}

/** Whether a script was called by itself, and not imported by another. */
export function isProgram(moduleUrl) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);
}

if (isProgram(import.meta.url)) {
  installPackages();
  build();
}
