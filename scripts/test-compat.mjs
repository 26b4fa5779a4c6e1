#!/usr/bin/env node
/**
 * The unit tests on every Node.js that tsmux promises to run on.
 *
 *     node scripts/test-compat.mjs [MAJOR…]
 */
import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { installNode, promised } from './install-node.mjs';
import { build, installPackages, root } from './set-up.mjs';

installPackages();
build();
const asked = process.argv.slice(2);
const failed = (asked.length > 0 ? asked : promised).filter((major) => {
  const node = installNode(major);
  console.log(`unit tests on Node.js ${major}`);
  const { status } = spawnSync(node, ['scripts/test.mjs', 'unit'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // What the tests start by name is that Node.js as well.
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  });
  return status !== 0;
});
if (failed.length > 0) {
  console.error(`the unit tests fail on Node.js ${failed.join(', ')}`);
  process.exitCode = 1;
}
