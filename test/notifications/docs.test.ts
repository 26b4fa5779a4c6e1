import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/load.ts';
import { defaultConfig } from '../../src/config/schema.ts';

const notifications = readFileSync('docs/notifications.md', 'utf8');
const configuration = readFileSync('docs/configuration.md', 'utf8');
const block = (text: string) => text.split('```toml\n')[1]?.split('```')[0] ?? '';

describe('docs/notifications.md', () => {
  it('shows rules that are right', () => {
    expect(readConfig(block(notifications), 'docs').problems).toEqual([]);
  });

  it('names every key of a rule', () => {
    const [problem] = readConfig('[[notifications.rules]]\nx = 1', 'docs').problems;
    const known = problem?.message.replace(/.*there are /, '').split(', ');
    const table = notifications.split('A rule may have:')[1]?.split('\n\n')[1] ?? '';
    expect([...table.matchAll(/^\| `([a-z-]+)`/gm)].map(([, key]) => key)).toEqual(known);
  });

  it('tells of the servers what the code knows of them', () => {
    const code = readFileSync('src/notifications/request.ts', 'utf8').matchAll(
      /^ \* \| (.+?) \| (.+?) \|$/gm,
    );
    const rows = [...code].slice(1);
    expect(rows.length).toBe(5);
    for (const [, server = ''] of rows) expect(notifications).toContain(`| ${server} |`);
  });
});

describe('docs/configuration.md', () => {
  it('names every key of notifications and of quiet time', () => {
    const documented = parse(block(configuration)) as Record<string, object>;
    for (const table of ['notifications', 'quiet'] as const) {
      expect(Object.keys(documented[table] ?? {}).sort()).toEqual(Object.keys(defaultConfig[table]).sort());
    }
  });
});
