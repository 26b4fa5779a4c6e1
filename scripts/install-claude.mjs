#!/usr/bin/env node
/**
 * Installs the versions of Claude Code that the tests run, into `.cache/claude-code/<version>/`: outside of the
 * dependency tree, because no user of tsmux needs them. What is there already is left alone.
 *
 *     node scripts/install-claude.mjs [VERSION…]
 */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The newest, and the newest that npm installs for Node.js 20. */
const VERSIONS = ['2.1.332', '2.1.197'];

const cache = join(dirname(dirname(fileURLToPath(import.meta.url))), '.cache', 'claude-code');
const platform = `${process.platform}-${process.arch}`;

function isInstalled(version) {
  try {
    const program = join('node_modules', '@anthropic-ai', `claude-code-${platform}`, 'claude');
    accessSync(join(cache, version, program), constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function install(version) {
  const target = join(cache, version);
  const draft = join(cache, `${version}.draft-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  // --force: 2.1.332 asks for Node.js 22, but what runs is the native program of the optional package.
  const npm = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      draft,
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--force',
      '--loglevel=error',
      `@anthropic-ai/claude-code@${version}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (npm.status !== 0) {
    rmSync(draft, { recursive: true, force: true });
    throw new Error(`Claude Code ${version} was not installed: npm ended with ${npm.status ?? npm.signal}`);
  }
  rmSync(target, { recursive: true, force: true });
  renameSync(draft, target);
}

const wanted = process.argv.slice(2);
for (const version of wanted.length > 0 ? wanted : VERSIONS) {
  if (isInstalled(version)) continue;
  install(version);
  if (!isInstalled(version)) throw new Error(`Claude Code ${version} has no program for ${platform}`);
  console.log(`Claude Code ${version} installed`);
}
