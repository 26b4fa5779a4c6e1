import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadConfig, problemLine, readConfig } from '../../src/config/load.ts';
import { defaultConfig } from '../../src/config/schema.ts';

const read = (source: string) => readConfig(source, 'config.toml');
const lines = (source: string) => read(source).problems.map(problemLine);

describe('a configuration', () => {
  it('needs no file', () => {
    expect(loadConfig('/nowhere/config.toml')).toEqual({ config: defaultConfig, problems: [] });
  });

  it('has the clicks that the documentation names when it says nothing about them', () => {
    const { clicks } = defaultConfig.bar;
    expect([clicks.session.left, clicks.session.middle, clicks.session.right]).toEqual([
      'go',
      'seen',
      'menu',
    ]);
    expect(clicks.option.left).toBe('answer');
    expect(clicks.session['wheel-up']).toBe('none');
  });

  it('changes only what it names', () => {
    const { config, problems } = read(`
      [bar]
      style = "plain"
      faces.busy = { glyph = "B", color = "#ff0000" }
      [bar.clicks.session]
      middle = "none"
    `);
    expect(problems).toEqual([]);
    expect(config.bar).toEqual({
      ...defaultConfig.bar,
      style: 'plain',
      faces: { busy: { glyph: 'B', color: '#ff0000' } },
      clicks: {
        ...defaultConfig.bar.clicks,
        session: { ...defaultConfig.bar.clicks.session, middle: 'none' },
      },
    });
  });
});

describe('a mistake in the configuration', () => {
  it('in the TOML itself is told with line and column', () => {
    expect(lines('[bar]\nbudget = = 3\n')).toEqual([
      expect.stringMatching(/^config\.toml:2:10: not valid TOML: \S/),
    ]);
  });

  it('of an unknown key is told with its place and the keys that there are', () => {
    expect(lines('# mine\n[bar]\n  buget = 100\n')).toEqual([
      'config.toml:3:3: bar.buget: no such key; there are style, theme, glyphs, faces, format, widths, show, order, group, outputs, sessions, budget, wrapped, clicks',
    ]);
  });

  it('of an unknown table is told with its place', () => {
    expect(lines('[bar]\nbudget = 100\n\n[bars]\nx = 1\n')).toEqual([
      'config.toml:4:1: bars: no such key; there are bar, prompts, notifications, quiet, menu, place',
    ]);
  });

  it('in a value says what was expected and what stands there', () => {
    expect(lines('[bar]\nstyle = "fancy"\nbudget = 5\norder = 3')).toEqual([
      'config.toml:2:1: bar.style: expected "chips" or "plain", found "fancy"',
      'config.toml:3:1: bar.budget: expected a number of at least 20, found 5',
      'config.toml:4:1: bar.order: expected "state" or "started" or "workspace" or "name", found 3',
    ]);
    expect(lines('[menu]\ncommand = ["", "-p"]\n[notifications]\ncommand = ["say", "a\\u0000b"]')).toEqual([
      'config.toml:2:1: menu.command: expected the program first, found ["","-p"]',
      'config.toml:4:1: notifications.command.1: expected a text without NUL, found "a\\u0000b"',
    ]);
    expect(lines('bar = "x"')).toEqual(['config.toml:1:1: bar: expected a table, found "x"']);
    expect(lines('[bar]\nbudget = 50.5')).toEqual([
      'config.toml:2:1: bar.budget: expected a whole number, found 50.5',
    ]);
  });

  it('in an inline table or behind a dotted key is found where it stands', () => {
    expect(lines('[bar]\nfaces = { busy = { color = "red" } }')).toEqual([
      'config.toml:2:20: bar.faces.busy.color: expected a colour like "#e0af68", found "red"',
    ]);
    expect(lines('bar.clicks.option.left = "yes"')).toEqual([
      expect.stringMatching(/^config\.toml:1:1: bar\.clicks\.option\.left: expected "answer" or "go"/),
    ]);
  });

  it('in one of several tables of a name is found in that one', () => {
    const source =
      '[[notifications.rules]]\nnotify = false\n\n[[notifications.rules]]\nstates = ["busy"]\nloud = 1';
    expect(lines(source)).toEqual([
      'config.toml:5:1: notifications.rules.1.states.0: expected "needs-input" or "review", found "busy"',
      expect.stringMatching(
        /^config\.toml:6:1: notifications\.rules\.1\.loud: no such key; there are projects, /,
      ),
    ]);
  });

  it('in a name that the user chose is told as well', () => {
    expect(lines('[quiet.presets]\n"My lunch" = 60')).toEqual([
      'config.toml:2:1: quiet.presets.My lunch: expected a name of small letters, found "My lunch"',
    ]);
    expect(lines('[quiet.presets]\noff = 60')).toEqual([
      'config.toml:2:1: quiet.presets.off: expected a name other than off, which ends the quiet time, found "off"',
    ]);
  });

  it('of the kind of a value is told in words, not in those of a library', () => {
    const source =
      '[bar]\nformat = 1\n[notifications]\nshow = "yes"\ncommand = "beep -l"\nmin-work = 1.5\n[quiet]\npresets = 5\n';
    expect(lines(source)).toEqual([
      'config.toml:2:1: bar.format: expected a table, found 1',
      'config.toml:4:1: notifications.show: expected true or false, found "yes"',
      'config.toml:5:1: notifications.command: expected a list in [ ], found "beep -l"',
      'config.toml:6:1: notifications.min-work: expected a whole number, found 1.5',
      'config.toml:8:1: quiet.presets: expected a table, found 5',
    ]);
  });

  it('leaves the last good configuration in force, all of it', () => {
    const good = read('[bar]\nbudget = 77\n').config;
    expect(readConfig('[bar]\nstyle = "plain"\nbudget = "wide"', 'config.toml', good).config).toBe(good);
    expect(readConfig('[bar', 'config.toml', good).config).toBe(good);
  });

  it('that keeps the file from being read is told too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tsmux-config-'));
    expect(loadConfig(folder).problems.map(problemLine)).toEqual([
      expect.stringContaining(`${folder}:1:1: cannot be read: not a regular file`),
    ]);
    const file = join(folder, 'config.toml');
    writeFileSync(file, '\ufeff[bar]\nbudget = 99\n');
    chmodSync(file, 0o600);
    expect(loadConfig(file).config.bar.budget).toBe(99);
  });

  it('never throws, whatever the file holds', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (source) => {
        for (const problem of read(source).problems) {
          expect(problem.line).toBeGreaterThan(0);
          expect(problem.column).toBeGreaterThan(0);
        }
      }),
    );
  });
});
