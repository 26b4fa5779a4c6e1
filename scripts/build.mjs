// Bundles every entry point into dist/. Users install no runtime package: what is used is inside, and the
// licences of what is inside are collected into THIRD-PARTY-LICENSES.txt beside it.
// usage: node scripts/build.mjs [FOLDER]   (dist/ where none is given)
import { execFileSync } from 'node:child_process';
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
};

/**
 * What bars, scripts and hooks start all the time: each a file by itself beside the first one, which is next to nothing.
 * They are CommonJS: Node.js starts it 10 ms sooner than modules.
 */
const quick = {
  list: 'src/cli/quick-list.ts',
  bar: 'src/cli/bar-process.ts',
  hook: 'src/cli/hook.ts',
  // Seldom needed by these.
  spawn: 'src/daemon/spawn.ts',
  width: 'src/bars/width.ts',
};
const codeCache = JSON.stringify(join(root, 'scripts/code-cache.cjs'));
/** The code by which one of them is had. A list is asked for again and again, and has a code cache. */
const having = (name, file) =>
  name === 'list'
    ? `require(${codeCache}).load(require('node:path').join(__dirname, ${JSON.stringify(file)}))`
    : `require(${JSON.stringify(file)})`;

/** @param up from the folder of the output to dist/ */
const startedOften = (entryPoints, outdir, up, banner = {}) =>
  build({
    ...common,
    minify: true,
    banner,
    entryPoints,
    outdir,
    format: 'cjs',
    plugins: [
      {
        name: 'apart',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^\./, namespace: 'file' }, ({ kind, path, resolveDir }) => {
            if (kind !== 'dynamic-import') return null;
            const nameIn = (files) =>
              Object.keys(files).find((name) => join(root, files[name]) === join(resolveDir, path));
            const part = nameIn(apart);
            if (part !== undefined) return { path: `${up}parts/${part}.mjs`, external: true };
            const file = nameIn(quick);
            return file === undefined ? null : { path: file, namespace: 'quick' };
          });
          // An import() of CommonJS would start the loader of modules.
          onLoad({ filter: /./, namespace: 'quick' }, ({ path }) => ({
            contents: `module.exports = ${having(path, `${up}quick/${path}.js`)}`,
            resolveDir: root,
          }));
          onResolve({ filter: /^\.+\/quick/, namespace: 'quick' }, ({ path }) => ({ path, external: true }));
        },
      },
    ],
  });
const first = await startedOften({ tsmux: 'src/cli/main.ts' }, folder, './', { js: '#!/usr/bin/env node' });
const often = await startedOften(quick, `${folder}/quick`, '../');
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
await writeFile(
  `${folder}/THIRD-PARTY-LICENSES.txt`,
  licencesOf([first.metafile, often.metafile, parts.metafile], root),
);
await writeFile(`${folder}/package.json`, '{"type":"commonjs"}\n');
// Run by bars, where a Node.js for each module would be too much.
await copyFile(`${root}/src/bars/client/slot-client.sh`, `${folder}/slot-client.sh`);
execFileSync(process.execPath, [`${root}/scripts/warm-list.mjs`, folder], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
for (const name of ['tsmux.js', 'slot-client.sh']) await chmod(`${folder}/${name}`, 0o755);
