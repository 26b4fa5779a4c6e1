import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { kinds } from '../../src/bars/kinds.ts';
import { createProgram } from '../../src/cli/program.ts';
import { readConfig } from '../../src/config/load.ts';
import { placeholders } from '../../src/config/placeholders.ts';
import { defaultConfig } from '../../src/config/schema.ts';

const bars = readFileSync('docs/bars.md', 'utf8');
const configuration = readFileSync('docs/configuration.md', 'utf8');
const program = createProgram(() => {
  throw new Error('no command is run here');
});

const manualOf = (kind: string) => {
  const [, comment = ''] = /^\/\*\*\n(.*?)\n \*\//s.exec(readFileSync(`src/bars/${kind}.ts`, 'utf8')) ?? [];
  return comment
    .split('\n')
    .map((line) => line.replace(/^ \* ?/, ''))
    .join('\n');
};
const sectionOf = (kind: string) => {
  const command = new RegExp(`\\(#([a-z0-9-]+)\\) \\| \`tsmux ${kind}\``).exec(bars)?.[1];
  const sections = bars.split(/^## /m);
  return (
    sections.find((section) => {
      const title = section.split('\n')[0] ?? '';
      return (
        command ===
        title
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-')
      );
    }) ?? ''
  );
};

describe.each(Object.keys(kinds))('the manual of %s', (kind) => {
  const manual = manualOf(kind);
  const rows = manual.match(/^\| `.*$/gm) ?? [];

  it('names the options of its command, and no others', () => {
    const command = program.commands.find((each) => each.name() === kind);
    const options = command?.options.filter(({ hidden }) => !hidden).map(({ long }) => long) ?? [];
    const named = rows.flatMap((row) => /`(--[a-z-]+)/.exec(row)?.[1] ?? []);
    expect(named.sort()).toEqual([...options].sort());
  });

  it('has an example, and its table stands in docs/bars.md as well', () => {
    expect(manual).toMatch(/^Example: /m);
    const section = sectionOf(kind);
    for (const row of rows) expect(section).toContain(row);
  });
});

describe('docs/bars.md', () => {
  it('explains every placeholder as the code does, and no other', () => {
    for (const [kind, names] of Object.entries(placeholders)) {
      const table = bars.split(`| \`${kind}\`, \`${kind}-short\` | |\n|---|---|\n`)[1]?.split('\n\n')[0];
      expect(table?.trim().split('\n')).toEqual(
        Object.entries(names).map(([name, what]) => `| \`{${name}}\` | ${what} |`),
      );
    }
  });

  it('explains the slots as the code does', () => {
    const code = readFileSync('src/bars/slot-name.ts', 'utf8').match(/^ \* (\| .*)$/gm) ?? [];
    expect(code.length).toBeGreaterThan(5);
    for (const row of code) expect(bars).toContain(row.slice(3));
  });
});

describe('docs/configuration.md', () => {
  const toml = configuration.split('```toml\n')[1]?.split('```')[0] ?? '';

  it('shows a configuration that is right, and has the defaults', () => {
    expect(readConfig(toml, 'docs')).toEqual({ config: defaultConfig, problems: [] });
  });

  it('names every key of the bar', () => {
    const { bar } = parse(toml) as { bar: object };
    const keys = (value: unknown): string[] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(value).flatMap(([key, inner]) => [key, ...keys(inner)])
        : [];
    const { format, ...rest } = defaultConfig.bar;
    expect(keys(bar).sort()).toEqual([...keys(rest), 'format', ...Object.keys(format)].sort());
  });
});

describe('contrib and examples', () => {
  it('of i3status-rust is valid TOML, and names slots that there are', () => {
    for (const folder of ['contrib', 'examples']) {
      const source = readFileSync(`${folder}/i3status-rust/config.toml`, 'utf8');
      expect((parse(source) as { block: unknown[] }).block.length).toBeGreaterThan(1);
    }
  });

  it('start tsmux with commands and options that there are', () => {
    const files = ['contrib', 'examples'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.\w+$|config$/.test(name) && !/completions/.test(name))
        .map((name) => `${folder}/${name}`),
    );
    const calls = files.flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /\btsmux ((?:i3bar|waybar|polybar|i3blocks|i3status-rs|tmux|json|click|next)\b[^"'`;&|)#\n]*)/g,
        ),
      ].map(([, words = '']) => ({ file, words: words.trim().split(/\s+/) })),
    );
    expect(calls.length).toBeGreaterThan(15);
    for (const { file, words } of calls) {
      const command = program.commands.find((each) => each.name() === words[0]);
      const options = command?.options.map(({ long }) => long) ?? [];
      for (const word of words.slice(0, words.includes('--') ? words.indexOf('--') : undefined)) {
        if (word.startsWith('--')) expect(options, `${file}: ${words.join(' ')}`).toContain(word);
      }
    }
  });
});
