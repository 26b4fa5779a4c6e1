// Bundles every entry point into dist/. Users install no runtime package: what is used is inside, and the
// licences of what is inside are collected into THIRD-PARTY-LICENSES.txt beside it.
// usage: node scripts/build.mjs [FOLDER]   (dist/ where none is given)
import { chmod, copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { licencesOf } from './licences.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(await readFile(`${root}/package.json`, 'utf8'));

const folder = resolve(process.argv[2] ?? join(root, 'dist'));
await rm(folder, { recursive: true, force: true });
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  define: { TSMUX_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
  metafile: true,
};

/** What the first file does not have in it: it reads these when they are needed. */
const apart = {
  program: 'src/cli/program.ts',
  'quick-daemon': 'src/cli/quick-daemon.ts',
  spawn: 'src/daemon/spawn.ts',
  width: 'src/bars/width.ts',
};

// The first file is CommonJS and one piece: Node.js starts it 10 ms sooner than modules, and finding each further
// file takes 1 ms.
const first = await build({
  ...common,
  entryPoints: { tsmux: 'src/cli/main.ts' },
  outdir: folder,
  format: 'cjs',
  banner: { js: '#!/usr/bin/env node' },
  plugins: [
    {
      name: 'apart',
      setup({ onResolve }) {
        onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
          if (kind !== 'dynamic-import') return null;
          const found = Object.entries(apart).find(([, file]) => join(root, file) === join(resolveDir, path));
          return found === undefined ? null : { path: `./parts/${found[0]}.mjs`, external: true };
        });
      },
    },
  ],
});
const parts = await build({
  ...common,
  entryPoints: apart,
  outdir: `${folder}/parts`,
  outExtension: { '.js': '.mjs' },
  format: 'esm',
  splitting: true,
  chunkNames: '[name]-[hash]',
  // CommonJS packages inside the bundle still ask for Node's own modules through require.
  banner: {
    js: "import { createRequire as tsmuxCreateRequire } from 'node:module';const require = tsmuxCreateRequire(import.meta.url);",
  },
});
await writeFile(`${folder}/THIRD-PARTY-LICENSES.txt`, licencesOf([first.metafile, parts.metafile], root));
await writeFile(`${folder}/package.json`, '{"type":"commonjs"}\n');
// Run by bars, where a Node.js for each module would be too much.
await copyFile(`${root}/src/bars/client/slot-client.sh`, `${folder}/slot-client.sh`);
for (const name of ['tsmux.js', 'slot-client.sh']) await chmod(`${folder}/${name}`, 0o755);
