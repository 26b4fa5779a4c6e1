import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf } from '../../src/bars/blocks.ts';
import { themeOf } from '../../src/bars/theme.ts';
import { parseFormat } from '../../src/config/format.ts';
import { problemLine, readConfig } from '../../src/config/load.ts';
import { placeholders } from '../../src/config/placeholders.ts';
import { displayNames } from '../../src/sessions/labels.ts';
import type { Session, Snapshot } from '../../src/sessions/session.ts';
import { anyMoment, lookedAt, minutes, moment, now, prompt, session } from './moment.ts';
import { barOf } from './view.ts';

const texts = (config: string, snapshot: Snapshot, which: 'text' | 'shortText' = 'text') => {
  const settings = barOf(config);
  const around = { names: displayNames(snapshot.sessions), now, settings, theme: themeOf(settings) };
  return blocksOf(snapshot, around).map((block) => block[which]);
};
const problems = (source: string) => readConfig(source, 'c').problems.map(problemLine);

const api = session('api', {
  state: 'busy',
  since: now - minutes(4),
  branch: 'main',
  cwd: '/home/ada/code/shop',
  model: 'opus',
  contextPercent: 41.6,
  ports: [3000, 5173],
  lastMessage: 'Done,\nalmost.',
  background: { agents: 2, shells: 1 },
  tool: { name: 'Edit', summary: '/home/ada/code/api/src/cart.ts' },
});

describe('a format string', () => {
  it('has every placeholder that there is', () => {
    const all = Object.keys(placeholders.session).filter((name) => name !== 'id');
    const format = all.map((name) => `[ ${name}={${name}}]`).join('');
    const [text] = texts(`[bar]\nbudget = 1000\n[bar.format]\nsession = '${format}'`, moment([api]));
    expect(text).toBe(
      'glyph=◐ name=api state=busy detail=Edit cart.ts agents=+2 shells=1 age=4m branch=main folder=shop ' +
        'model=opus context=42 ports=3000 5173 message=Done,\\nalmost. place=?',
    );
  });

  it('leaves out a part in brackets when its placeholder has nothing to say', () => {
    const config = "[bar.format]\nsession = '{name}[ ({branch})][ [[{age}]]]'";
    expect(texts(config, moment([api, session('blog')]))).toEqual(['api (main) [4m]', 'blog']);
  });

  it('cuts a placeholder to its columns', () => {
    expect(texts("[bar.format]\nsession = '{name:4}'", moment([session('webshop')]))).toEqual(['web…']);
  });

  it('is that of the short text, of options, of the summary and of the quiet time, too', () => {
    const config = `[bar]
      sessions = 0
      [bar.format]
      session-short = "{name}"
      option = "({key}) {label}"
      option-short = "<{key}>"
      summary = "{glyph} {total} sessions"
      quiet = "{minutes} min"`;
    expect(texts(config, lookedAt())).toEqual([
      '▲ web · Bash npm install left-pad',
      '(1) Yes',
      '(2) Always npm install *',
      '(3) No',
      '→',
      '● 4 sessions',
      '24 min',
    ]);
    expect(texts(config, lookedAt(), 'shortText').slice(0, 4)).toEqual([
      'web',
      '<1>',
      '(2) Always npm install *',
      '<3>',
    ]);
  });

  it('never hides the rule that an option allows for good: such an option is not offered', () => {
    const web = session('web', { state: 'needs-input', prompts: [prompt('npm i')] });
    for (const format of ['{key}', '{key} {label:8}', '{key}[ {label}]'])
      expect(texts(`[bar.format]\noption = '${format}'`, moment([web])).join()).not.toContain('Always');
  });

  it('never leaves a block without anything to see', () => {
    const config =
      "[bar.format]\nsession = '[{branch}]'\nsession-short = ''\nsummary = ''\nquiet = ''\noption = ''";
    fc.assert(
      fc.property(anyMoment, (snapshot) => {
        for (const text of texts(config, snapshot)) expect(text).not.toBe('');
      }),
    );
  });

  it('that is wrong is told with its place and what was expected', () => {
    expect(problems("[bar.format]\noption = '{key} {labl}'")).toEqual([
      'c:2:1: bar.format.option: expected only the placeholders {key} {label} {glyph}, found "{key} {labl}"',
    ]);
    expect(problems("[bar.format]\nquiet = '{minutes'")[0]).toContain('a brace itself is written {{');
    expect(problems("[bar.format]\nquiet = '[{minutes}'")[0]).toContain('expected a ] after each [');
    expect(problems("[bar.format]\nquiet = '{minutes}]'")[0]).toContain('expected a [ before each ]');
    expect(problems("[bar.format]\nquiet = '[[[{minutes}[x]]'")[0]).toContain('expected no [ inside of [ ]');
    expect(problems('[bar.format]\nquiet = 3')[0]).toContain('expected a string, found 3');
  });

  it('of any text is read or refused, and literal text comes out as it went in', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (source) => {
        const escaped = source.replace(/[[\]{}]/g, '$&$&');
        const read = parseFormat(escaped, []);
        if ('expected' in read) throw new Error(read.expected);
        expect(read.map((part) => (part.type === 'text' ? part.text : '?')).join('')).toBe(source);
        parseFormat(source, ['a']);
      }),
    );
  });
});

describe('which sessions have blocks', () => {
  const on = (name: string, workspace: string, num: number | null, facts: Partial<Session> = {}) => {
    const it = session(name, facts);
    return {
      ...it,
      place: {
        ...it.place,
        certainty: 'exact' as const,
        desktop: 'i3' as const,
        workspace: { name: workspace, num, output: 'HDMI-1' },
      },
    };
  };
  const crowd = moment([
    on('web', '3: web', 3, { state: 'review' }),
    on('zoo', '10', 10),
    on('api', '3: web', 3, { state: 'busy' }),
    on('mail', 'mail', null),
    session('lost'),
  ]);

  it('is said by their states', () => {
    expect(texts('[bar]\nshow = ["review", "busy"]', crowd)).toEqual(['● web', '◐ api']);
  });

  it('has a limit, from which on they are counted, but not for those that wait for the user', () => {
    expect(texts('[bar]\nsessions = 2', crowd)).toEqual(['● web', '◐ api', '○3']);
    const asking = moment([session('a', { state: 'needs-input' }), session('b', { state: 'review' })]);
    expect(texts('[bar]\nsessions = 0', asking)).toEqual(['▲ a', '●1']);
  });

  it('can be in the order of workspaces or names, open prompts first', () => {
    expect(texts('[bar]\norder = "workspace"', crowd)).toEqual([
      '● web',
      '◐ api',
      '○ zoo',
      '○ mail',
      '○ lost',
    ]);
    expect(texts('[bar]\norder = "name"', crowd)).toEqual(['◐ api', '○ lost', '○ mail', '● web', '○ zoo']);
    const asks = session('zzz', { state: 'needs-input' });
    expect(texts('[bar]\norder = "name"', moment([...crowd.sessions, asks]))[0]).toBe('▲ zzz');
  });

  it('can be one for each workspace, with the most urgent state there', () => {
    expect(texts('[bar]\ngroup = "workspace"', crowd)).toEqual(['● 3: web 2', '○ 10', '○ mail', '○ lost']);
  });

  it('keeps a prompt and its options on the block of the workspace', () => {
    const asks = on('web', '3: web', 3, { state: 'needs-input', prompts: [prompt('ls')] });
    const blocks = texts('[bar]\ngroup = "workspace"', moment([asks, on('api', '3: web', 3)]));
    expect(blocks).toEqual(['▲ 3: web 2 · Bash ls', '1 Yes', '2 Always npm install *', '3 No', '→']);
  });

  it('counts all sessions of a workspace that has no block any more', () => {
    expect(texts('[bar]\ngroup = "workspace"\nsessions = 0', crowd)).toEqual(['●1 ○3 ◐1']);
  });
});

describe('the widths', () => {
  it('cut names, details, prompts, choices and notices', () => {
    const config = '[bar.widths]\nname = 5\ndetail = 8\nwhat = 10\nnotice = 6';
    const crowd = moment(
      [
        session('webshop', { state: 'needs-input', prompts: [prompt('npm install', { answerable: 'no' })] }),
        session('dashboard', { state: 'busy', tool: { name: 'Bash', summary: 'npm run test' } }),
      ],
      { notice: 'something' },
    );
    expect(texts(config, crowd)).toEqual(['▲ we…op · Bash …tall', '◐ da…rd Bash…est', 'somet…']);
  });
});

describe('the glyphs', () => {
  it('can be ASCII, or of a Nerd Font, or single ones of the user', () => {
    expect(texts('[bar]\nglyphs = "ascii"', moment([session('a')]))).toEqual(['- a']);
    expect(texts('[bar]\nglyphs = "nerd"', moment([session('a')]))).toEqual(['\uf10c a']);
    expect(texts('[bar.faces.idle]\nglyph = "\uf0f4"', moment([session('a')]))).toEqual(['\uf0f4 a']);
  });
});
