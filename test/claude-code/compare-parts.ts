import { writeFileSync } from 'node:fs';
import type { Line } from '../stand-in/driven.ts';
import { until } from '../support/until.ts';
import type { SessionOptions, Side } from './compare-sides.ts';
import { goFile } from './scenarios.ts';

/** Notes the options of the dialog on the screen. */
type Note = () => Promise<void>;
type Act = (side: Side, note: Note) => Promise<unknown>;
/**
 * What a user does until the session is quiet again, and what it is called. `ignored`: where the same Claude Code does
 * not always do the same. A status may be there for so short a time that who looks every few ms misses it, and the last
 * lines of the transcript may not be written any more.
 */
export type Part = readonly [name: string, act: Act, ignored?: 'status' | 'transcript'];

export interface Story {
  readonly name: string;
  readonly options: SessionOptions;
  readonly parts: readonly Part[];
}

const idle: Act = ({ claude }) => claude.is('idle');

/** A prompt, and what the user does after it. */
const said = (scenario: string, then: Act, words = 'please'): Part => [
  `${scenario} ${words}`,
  async (side, note) => {
    const { claude } = side;
    const asked = claude.sessionFile()?.statusUpdatedAt;
    await claude.type(`SCN:${scenario} ${words}`);
    await until(() => claude.sessionFile()?.statusUpdatedAt !== asked, { why: 'a turn' });
    await then(side, note);
  },
];

const answered =
  (...keys: readonly string[]): Act =>
  async ({ claude }, note) => {
    for (const key of keys) {
      await claude.is('waiting');
      await note();
      await claude.answer(key);
    }
    await claude.is('idle');
  };

/** Keys of a dialog with several pages, each with what is to be seen after it. */
const answeredBy =
  (...keys: readonly (readonly [string, string])[]): Act =>
  async ({ claude }, note) => {
    await claude.is('waiting');
    await claude.ready();
    await note();
    for (const [key, then] of keys) {
      await claude.press(key);
      await claude.shows(then);
    }
    await claude.is('idle');
  };

const isTurnEnd = (line: Line) => line.type === 'system' && line.subtype === 'turn_duration';
const turnsEnd = (side: Side, turns: number) =>
  until(() => side.lines().filter(isTurnEnd).length >= turns, { why: `the end of ${turns} turns` });
const wrote = (side: Side, what: (line: Line) => boolean) =>
  until(() => side.lines().some(what), { why: 'a line of the transcript', saw: side.claude.screen });

const prompts: readonly Part[] = [
  said('hello', idle),
  said('bash', answered('1')),
  said('npm', answered('Escape')),
  said('ls', idle),
  said('missing', idle),
  said('write', answered('1')),
  said('edit', answered('1')),
  said('read', answered('1')),
  said('webfetch', answered('Escape')),
  said('ask', answered('2')),
  said('two', answered('1', '1')),
  said('sequence', answered('1', '1', '1')),
  said(
    'askmulti',
    answeredBy(['1', '[✔] Search'], ['3', '[✔] Reviews'], ['Tab', 'Submit answers'], ['1', 'Thank you.']),
  ),
  said(
    'asktwo',
    // What was asked before stands on the screen still: only the second question's dialog shows this.
    answeredBy(['2', '[ ] Cart'], ['2', '[✔] Cart'], ['Tab', 'Submit answers'], ['1', 'Thank you.']),
  ),
  said('big', idle),
  said('slow', async ({ claude }) => {
    await claude.shows('word word');
    await claude.press('Escape');
    await claude.is('idle');
  }),
  said('agent', async (side, note) => {
    const { claude } = side;
    await answered('1')(side, note);
    // What the sub-agent said begins a turn of its own.
    await claude.shows('finished');
    await turnsEnd(side, 2);
    await claude.is('idle');
  }),
  said('error400', idle),
  said('error401', idle),
  said('error429', idle),
  said('error500', idle),
  said('error529', idle),
];

function modelChosen(key: string): Act {
  return async ({ claude }) => {
    await claude.type('/model');
    await claude.is('waiting', 'dialog open');
    await claude.ready();
    await claude.answer(key);
    await claude.is('idle');
  };
}

/** The conversation that was left for another. */
const left = new WeakMap<Side, string>();

const commands: readonly Part[] = [
  said('slowtool', async ({ claude }) => {
    await claude.shows('run in background');
    await claude.press('C-b');
    await claude.is('shell');
  }),
  [
    'the end of what was moved to the background',
    async (side) => {
      writeFileSync(goFile(side), '');
      await turnsEnd(side, 1);
      await side.claude.is('idle');
    },
  ],
  said(
    'slow',
    async (side) => {
      const { claude } = side;
      await claude.shows('word word');
      await claude.type('SCN:hello queued');
      await wrote(side, ({ type }) => type === 'queue-operation');
      await side.finish();
      await turnsEnd(side, 2);
      await claude.is('idle');
    },
    'and another',
  ),
  [
    '/compact',
    async (side) => {
      await side.claude.type('/compact');
      await wrote(side, ({ subtype }) => subtype === 'compact_boundary');
      await side.claude.is('idle');
    },
  ],
  [
    '/rename',
    async (side) => {
      await side.claude.type('/rename shop-fix');
      await wrote(side, ({ type }) => type === 'custom-title');
      await side.claude.is('idle');
    },
    'status',
  ],
  said('hello', idle, 'after the new name'),
  ['/model, and nothing chosen', modelChosen('Escape')],
  ['/model', modelChosen('2')],
  [
    '/clear',
    async (side) => {
      const { claude } = side;
      const before = claude.sessionFile()?.sessionId ?? '';
      left.set(side, before);
      await claude.type('/clear');
      await until(() => ![undefined, before].includes(claude.sessionFile()?.sessionId), { why: 'a new id' });
      await claude.is('idle');
    },
  ],
  said('hello', idle, 'after a fresh start'),
  [
    '/resume',
    async (side) => {
      const { claude } = side;
      await claude.type('/resume');
      await claude.is('waiting');
      await claude.shows('Resume session');
      const isBack = async () => {
        if (claude.sessionFile()?.sessionId === left.get(side)) return true;
        await claude.press('Enter');
        return false;
      };
      await until(isBack, { why: 'the conversation that was left', every: 500, saw: claude.screen });
      await claude.is('idle');
    },
  ],
  said('hello', idle, 'after the way back'),
  ['/exit', async ({ claude }) => claude.exit(), 'transcript'],
  [
    '--resume',
    async (side) => {
      await side.start({ args: ['--resume', left.get(side) ?? ''] });
      await side.claude.is('idle');
    },
  ],
  said('hello', idle, 'in another process'),
];

const start: Part = ['its start', idle];
const untilItsEnd: Part = [
  'all of it',
  ({ claude }) => until(() => !claude.isAlive(), { why: 'its end', limit: 20_000 }),
  'status',
];

export const stories: readonly Story[] = [
  { name: 'a session', options: {}, parts: [start, ...prompts, ...commands] },
  { name: 'plan mode', options: { mode: 'plan' }, parts: [start, said('plan', answered('2'))] },
  {
    name: 'an MCP server',
    options: { shop: true },
    parts: [start, said('mcp', answered('1'))],
  },
  {
    name: 'a worktree',
    options: { args: ['--worktree', 'feature'] },
    parts: [start, said('hello', idle), said('bash', answered('1'))],
  },
  ...['hello', 'bash'].map((scenario) => ({
    name: `claude -p with ${scenario}`,
    options: { args: ['-p', `SCN:${scenario} please`] },
    parts: [untilItsEnd],
  })),
];
