#!/usr/bin/env node
/**
 * Measures what tsmux costs, each figure beside its counterpart in the same run, and prints one table of ratios.
 *
 *     npm run bench [-- [PART…] [--write] [--seconds N]]
 *
 * PART is a part's name (hook, cli, memory, proc, latency, prompts, cpu, waybar, transcript); --write keeps the table in
 * docs/performance.md; --seconds is how long CPU time is counted (60).
 */
import { build as bundle } from 'esbuild';
import { build, installPackages, root } from './set-up.mjs';

installPackages();
build();
await bundle({
  absWorkingDir: root,
  entryPoints: ['bench/main.ts'],
  outfile: '.cache/bench.mjs',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  mainFields: ['module', 'main'],
  define: { TSMUX_VERSION: '"bench"' },
  banner: {
    js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);",
  },
});
await import('../.cache/bench.mjs');
