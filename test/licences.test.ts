import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtProgram } from './support/program.ts';

const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies: Record<string, string>;
};

/** Packages whose code users get: what the sources import by name. */
const bundled = [
  '@clack/prompts',
  'commander',
  'dbus-native',
  'fuzzysort',
  'pino',
  'smol-toml',
  'x11',
  'zod',
];

describe('THIRD-PARTY-LICENSES.txt, beside the built program', async () => {
  const text = readFileSync(join(dirname(await builtProgram()), 'THIRD-PARTY-LICENSES.txt'), 'utf8');
  const parts = text.split(/^-{80}\n/m).slice(1);

  it.each(bundled)('has the licence of %s, which is inside', (name) => {
    const part = parts.find((each) => each.startsWith(`${name} ${devDependencies[name]}`));
    expect(part).toMatch(/copyright[\s\S]*(permission|redistribution)/i);
  });

  it('has that of what those brought with them', () => {
    expect(parts.map((part) => part.split(' ')[0])).toEqual(
      expect.arrayContaining(['sisteransi', 'sonic-boom', 'xml2js', 'get-east-asian-width']),
    );
  });

  it('says nothing of what only builds and tests', () => {
    expect(text).not.toMatch(/^(esbuild|typescript|vitest|fast-check|knip) \d/m);
  });

  it('leaves no package without a text', () => {
    for (const part of parts) expect(part.split('\n').slice(2).join('').length, part).toBeGreaterThan(200);
  });
});
