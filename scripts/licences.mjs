/** The licences of the packages that esbuild put into a bundle. Plain Node.js, as the rest of the build. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * One text with the name, version and licence of each package of which something is in the bundles.
 *
 * `metafiles`: what esbuild tells of each build (https://esbuild.github.io/api/#metafile). A package without a licence
 * that can be named ends the build: it could not be passed on.
 */
export function licencesOf(metafiles, root) {
  const folders = new Set(metafiles.flatMap(inBundle).flatMap((input) => packageFolder(input) ?? []));
  const packages = [...folders].map((folder) => licenceOf(join(root, folder)));
  packages.sort((a, b) => (a.title < b.title ? -1 : 1));
  const parts = packages.map(({ title, text }) => `${'-'.repeat(80)}\n${title}\n\n${text}\n`);
  return `tsmux has parts of these packages in it.\n\n${parts.join('\n')}`;
}

/** What was left out because nothing uses it has no bytes there. */
function inBundle({ outputs }) {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([input, { bytesInOutput }]) => (bytesInOutput > 0 ? [input] : [])),
  );
}

/** `node_modules/a/node_modules/@b/c/index.js` → `node_modules/a/node_modules/@b/c` */
function packageFolder(input) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? null;
}

function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  if (files.length === 0 && typeof license !== 'string') throw new Error(`${folder} names no licence`);
  const by = typeof author === 'string' ? author : author?.name;
  const said = by === undefined ? [] : [`Author: ${by}`];
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8'));
  return {
    title: `${name} ${version}${typeof license === 'string' ? ` (${license})` : ''}`,
    text: (texts.length > 0 ? texts : said).map((text) => text.replaceAll('\r\n', '\n').trim()).join('\n\n'),
  };
}
