import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hookEvents } from '../../src/claude/hooks.ts';
import {
  apply,
  denyRules,
  diffOf,
  type HooksTarget,
  hookPaths,
  hooksStatus,
  type Outcome,
  planInstall,
  planRemove,
  problemInWords,
  type SettingsPlan,
} from '../../src/claude/settings.ts';
import { hookCommands, withHooks, withoutHooks } from '../../src/claude/settings-edit.ts';
import { SettingsChanged, writeSettings } from '../../src/claude/settings-file.ts';

const others = `{
\t"model": "opus",
\t"hooks": {
\t\t"Stop": [
\t\t\t{ "hooks": [{ "type": "command", "command": "notify-send done" }] }
\t\t],
\t\t"PermissionRequest": [ {"matcher":"Bash","hooks":[{"type":"command","command":"ask-me"}]} ]
\t},
\t"größe": 12345678901234567890
}
`;

describe('settings.json', () => {
  let home: string;
  let file: string;
  let target: HooksTarget;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'tsmux-settings-'));
    target = {
      configDir: join(home, '.claude'),
      hooks: hookPaths('/home/ada/.local/share/tsmux'),
      stateDir: join(home, 'state'),
    };
    file = join(target.configDir, 'settings.json');
    mkdirSync(target.configDir);
  });
  afterEach(() => {
    chmodSync(target.configDir, 0o700);
    rmSync(home, { recursive: true });
  });

  function done(planned: Outcome<SettingsPlan>): SettingsPlan {
    if (!planned.ok) throw new Error(problemInWords(planned.problem).why);
    const applied = apply(planned.value);
    if (!applied.ok) throw new Error(problemInWords(applied.problem).why);
    return applied.value;
  }
  const install = (deny = false) => done(planInstall(target, { deny }));
  const remove = () => done(planRemove(target));
  const content = () => readFileSync(file, 'utf8');
  const commandsOf = (event: string) =>
    hookCommands(content()).flatMap((hook) => (hook.event === event ? [hook.command] : []));

  function refusal(planned: Outcome<SettingsPlan>) {
    if (planned.ok) throw new Error('it was not refused');
    return planned.problem;
  }

  it('gets every common event, async but for the one that is answered, in exec form', () => {
    install();
    const hooks = JSON.parse(content()).hooks;
    expect(Object.keys(hooks).sort()).toEqual([...hookEvents].sort());
    expect(hooks.Stop).toEqual([
      { hooks: [{ type: 'command', command: target.hooks.event, args: [], async: true }] },
    ]);
    expect(hooks.PermissionRequest).toEqual([
      { hooks: [{ type: 'command', command: target.hooks.hold, args: [], timeout: 86400 }] },
    ]);
  });

  it('h1: keeps the hooks of others, in their order, and puts tsmux’s last', () => {
    writeFileSync(file, others);
    install();
    expect(commandsOf('Stop')).toEqual(['notify-send done', target.hooks.event]);
    expect(commandsOf('PermissionRequest')).toEqual(['ask-me', target.hooks.hold]);
  });

  it('h2: has one entry for each event after three runs, and follows tsmux when that moves', () => {
    writeFileSync(file, others);
    install();
    const once = content();
    install();
    install();
    expect(content()).toBe(once);
    target = { ...target, hooks: hookPaths('/opt/data/tsmux') };
    install();
    expect(content()).toBe(once.replaceAll('/home/ada/.local/share/tsmux/', '/opt/data/tsmux/'));
    remove();
    expect(content()).toBe(others);
  });

  it('h2: an entry that stands twice becomes one', () => {
    writeFileSync(
      file,
      JSON.stringify({ hooks: { Stop: [1, 2].map(() => ({ hooks: [{ command: '/old/tsmux/hook' }] })) } }),
    );
    install();
    expect(commandsOf('Stop')).toEqual([target.hooks.event]);
  });

  it.each([
    ['{\n  "a": 1,\n  "b" 2\n}\n', 3, 7],
    ['{\n  // mine\n  "a": 1\n}\n', 2, 3],
    ['{\n  "a": 1,\n}\n', 3, 1],
    ['[]', 1, 1],
    ['{"hooks": []}', 1, 11],
    ['{"hooks": {"Stop": {}}}', 1, 20],
    [`{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 1, 1],
  ])('h4: %j is left alone, and line and column are said', (text, line, column) => {
    writeFileSync(file, text);
    expect(refusal(planInstall(target))).toMatchObject({ kind: 'does-not-parse', line, column });
    expect(content()).toBe(text);
  });

  it('says what is wrong in words', () => {
    writeFileSync(file, '{"a":1,}');
    const problem = refusal(planInstall(target));
    expect(problem && problemInWords(problem).why).toBe('line 1, column 8: property name expected');
  });

  it('h4: a byte order mark, CRLF and a missing final newline are kept', () => {
    const text = '\uFEFF{\r\n    "a": 1\r\n}';
    writeFileSync(file, text);
    install();
    expect(
      content().startsWith('\uFEFF{\r\n    "a": 1,\r\n    "hooks": {\r\n        "SessionStart": ['),
    ).toBe(true);
    expect(content().replaceAll('\r\n', '')).not.toContain('\n');
    remove();
    expect(content()).toBe(text);
  });

  it('h5: that cannot be read is not taken for an empty one', () => {
    mkdirSync(file);
    expect(refusal(planInstall(target))).toEqual({ kind: 'cannot-read', code: 'not a regular file' });
    rmSync(file, { recursive: true });
    execFileSync('mkfifo', [file]);
    expect(refusal(planInstall(target))).toEqual({ kind: 'cannot-read', code: 'not a regular file' });
    rmSync(file);
    writeFileSync(file, '');
    truncateSync(file, 2 ** 40);
    expect(refusal(planInstall(target))).toEqual({ kind: 'cannot-read', code: 'too large' });
  });

  it('h7: in a read-only store is not replaced; there is a snippet to paste', () => {
    const store = join(home, 'store');
    mkdirSync(store);
    writeFileSync(join(store, 'settings.json'), '{}', { mode: 0o444 });
    symlinkSync(join(store, 'settings.json'), file);
    const problem = refusal(planInstall(target));
    expect(problem).toMatchObject({ kind: 'read-only' });
    expect(problem.kind === 'read-only' && JSON.parse(problem.snippet).hooks.Stop).toHaveLength(1);
    expect(problemInWords(problem).hint).toContain('home-manager');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(content()).toBe('{}');
  });

  it('h8: keeps its mode, its link, and the text of everything else', () => {
    const real = join(home, 'dotfiles.json');
    writeFileSync(real, others, { mode: 0o640 });
    symlinkSync(real, file);
    install();
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(statSync(real).mode & 0o777).toBe(0o640);
    expect(content()).toContain('"größe": 12345678901234567890\n}\n');
    expect(content()).toContain(
      '\n\t\t\t{ "hooks": [{ "type": "command", "command": "notify-send done" }] }',
    );
    remove();
    expect(readFileSync(real, 'utf8')).toBe(others);
  });

  it('h9: is made when it is missing, private, and goes when tsmux’s hooks go', () => {
    rmSync(target.configDir, { recursive: true });
    install();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(target.configDir).mode & 0o777).toBe(0o700);
    remove();
    expect(existsSync(file)).toBe(false);
  });

  it('h10: leaves a backup of what was there before the first run', () => {
    writeFileSync(file, others);
    install();
    writeFileSync(file, '{"other": true}');
    install();
    const [backup] = readdirBackups(target.stateDir);
    expect(backup).toBe(others);
  });

  it('h11: that Claude Code writes at the last moment is not written over', () => {
    writeFileSync(file, '{"model":"opus"}');
    expect(() => writeSettings(file, Buffer.from('{}'), Buffer.from('{"model":"sonnet"}'))).toThrow(
      SettingsChanged,
    );
    expect(() => writeSettings(file, Buffer.from('{}'), null)).toThrow(SettingsChanged);
    expect(content()).toBe('{"model":"opus"}');
    expect(readdirSync(dirname(file))).toEqual(['settings.json']);
  });

  it('h11: that Claude Code changes between plan and write is merged again', () => {
    writeFileSync(file, '{\n  "model": "opus"\n}\n');
    const planned = planInstall(target);
    writeFileSync(file, '{\n  "model": "sonnet",\n  "tui": "fullscreen"\n}\n');
    done(planned);
    expect(JSON.parse(content())).toMatchObject({
      model: 'sonnet',
      tui: 'fullscreen',
      hooks: { Stop: [{}] },
    });
  });

  it('h11: loses only tsmux’s hooks when it was changed since they came', () => {
    writeFileSync(file, others);
    install();
    writeFileSync(file, content().replace('"model": "opus"', '"model": "sonnet"'));
    remove();
    expect(content()).toBe(others.replace('opus', 'sonnet'));
  });

  it('h14: names the script as it is, whatever is in its path', () => {
    target = { ...target, hooks: hookPaths(`/home/a b/$HOME/"q"'s/tsmux`) };
    install();
    expect(commandsOf('Stop')).toEqual([target.hooks.event]);
    remove();
    expect(existsSync(file)).toBe(false);
  });

  it('gets rules against self-approval only when the user wants them', () => {
    writeFileSync(file, '{\n  "permissions": { "deny": ["Read(.env)"] }\n}\n');
    const before = content();
    install();
    expect(JSON.parse(content()).permissions.deny).toEqual(['Read(.env)']);
    install(true);
    expect(JSON.parse(content()).permissions.deny).toEqual(['Read(.env)', ...denyRules]);
    remove();
    expect(content()).toBe(before);
  });

  it('shows what would change, and changes nothing', () => {
    writeFileSync(file, '{\n  "model": "opus"\n}\n');
    const planned = planInstall(target);
    const diff = planned.ok ? diffOf(planned.value) : [];
    expect(diff.slice(0, 6)).toEqual([
      `--- ${file}`,
      `+++ ${file}`,
      '  {',
      '-   "model": "opus"',
      '+   "model": "opus",',
      '+   "hooks": {',
    ]);
    expect(diff.slice(-2)).toEqual(['+   }', '  }']);
    expect(content()).toBe('{\n  "model": "opus"\n}\n');
    install();
    const again = planInstall(target);
    expect(again.ok && diffOf(again.value)).toEqual([`  ${file}: nothing to do`]);
  });

  it('tells how its hooks are', () => {
    const hooks = hookPaths(join(home, 'data', 'tsmux'));
    target = { ...target, hooks };
    const state = () => hooksStatus(target.configDir, hooks).state;
    expect(state()).toBe('missing');
    install();
    expect(state()).toBe('nowhere');
    mkdirSync(join(home, 'data', 'tsmux'), { recursive: true });
    writeFileSync(hooks.event, '#!/bin/sh\n', { mode: 0o700 });
    expect(state()).toBe('nowhere');
    writeFileSync(hooks.hold, '#!/bin/sh\n', { mode: 0o700 });
    expect(state()).toBe('installed');
    writeFileSync(file, content().replace('"timeout": 86400', '"timeout": 5'));
    expect(hooksStatus(target.configDir, hooks)).toMatchObject({
      state: 'stale',
      detail: 'missing or out of date: PermissionRequest',
    });
    writeFileSync(file, '{,');
    expect(state()).toBe('unreadable');
    writeFileSync(file, '{\n  "hooks": []\n}\n');
    expect(hooksStatus(target.configDir, hooks)).toMatchObject({
      state: 'unreadable',
      detail: 'line 2, column 12: "hooks" is not an object',
    });
    // As for `tsmux setup`, which fills it.
    writeFileSync(file, '\n');
    expect(state()).toBe('missing');
    writeFileSync(file, '{"hooks":{"Stop":[{"hooks":[{"command":"/home/ada/.purplemux/hook.sh"}]}]}}');
    expect(hooksStatus(target.configDir, hooks)).toMatchObject({ state: 'missing', others: ['purplemux'] });
  });
});

function readdirBackups(stateDir: string): string[] {
  const folder = join(stateDir, 'settings');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.backup'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

describe('whatever JSON stands in settings.json', () => {
  const hooks = hookPaths('/d/tsmux');
  const handler = fc.record({ type: fc.constant('command'), command: fc.string() });
  const groups = fc.array(
    fc.record({ matcher: fc.string(), hooks: fc.array(handler, { minLength: 1, maxLength: 2 }) }),
    {
      minLength: 1,
      maxLength: 2,
    },
  );
  const settings = fc.record(
    {
      model: fc.string(),
      hooks: fc.dictionary(fc.constantFrom(...hookEvents, 'Other'), groups, { minKeys: 1 }),
      last: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  );

  it('stays what it is but for tsmux’s hooks, which can be taken out again', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom(undefined, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const added = withHooks(text, hooks, true);
        const twice = added.ok ? withHooks(added.text, hooks, true) : added;
        const removed = added.ok ? withoutHooks(added.text, hooks) : added;
        expect(twice).toEqual(added);
        expect(removed.ok && JSON.parse(removed.text)).toEqual(JSON.parse(text));
      }),
      { numRuns: 25 },
    );
  });
});
