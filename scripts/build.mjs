// Bundles every entry point into dist/. Users install no runtime package: what is used is inside, and the
// licences of what is inside are collected into THIRD-PARTY-LICENSES.txt.
// usage: node scripts/build.mjs [FOLDER]   (dist/ where none is given)
import { chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(`${root}/package.json`, 'utf8'));

const folder = process.argv[2] ?? `${root}/dist`;
await rm(folder, { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { tsmux: 'src/cli/main.ts' },
  outdir: folder,
  bundle: true,
  splitting: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  mainFields: ['module', 'main'],
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  define: { TSMUX_VERSION: JSON.stringify(version) },
  // CommonJS packages inside the bundle still ask for Node's own modules through require.
  banner: {
    js: "import { createRequire as tsmuxCreateRequire } from 'node:module';const require = tsmuxCreateRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
const entry = `${folder}/tsmux.js`;
await writeFile(entry, `#!/usr/bin/env node\n${await readFile(entry, 'utf8')}`);
await chmod(entry, 0o755);
