import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observationsOf, parseHook } from '../../src/claude/hooks.ts';
import { createTranscriptReader } from '../../src/claude/transcript.ts';
import type { Observation } from '../../src/sessions/observation.ts';
import type { DrivenClaude, Line } from '../stand-in/driven.ts';
import { type StandIn, startStandIn } from '../stand-in/index.ts';
import { type Recorded, type Recorder, recorder, watchStatus } from '../stand-in/recorder.ts';
import { until } from '../support/until.ts';
import { type ClaudeWorld, startClaudeWorld, type Version } from './real-claude.ts';

/** What a user does after he has typed a prompt, until the session is quiet again. */
type Part = readonly [scenario: string, then: (claude: DrivenClaude, note: Note) => Promise<unknown>];
/** Notes the options of the dialog on the screen. */
type Note = () => Promise<void>;

const idle = (claude: DrivenClaude) => claude.is('idle');
const answered =
  (...keys: readonly string[]) =>
  async (claude: DrivenClaude, note: Note) => {
    for (const key of keys) {
      await claude.is('waiting');
      await note();
      await claude.answer(key);
    }
    await idle(claude);
  };

/** Keys of a dialog with several pages, each with what is to be seen after it. */
const answeredBy =
  (...keys: readonly (readonly [string, string])[]) =>
  async (claude: DrivenClaude, note: Note) => {
    await claude.is('waiting');
    await claude.ready();
    await note();
    for (const [key, then] of keys) {
      await claude.press(key);
      await claude.shows(then);
    }
    await idle(claude);
  };

const PARTS: readonly Part[] = [
  ['hello', idle],
  ['bash', answered('1')],
  ['npm', answered('Escape')],
  ['ls', idle],
  ['missing', idle],
  ['write', answered('1')],
  ['edit', answered('1')],
  ['read', answered('1')],
  ['webfetch', answered('Escape')],
  ['ask', answered('2')],
  ['two', answered('1', '1')],
  ['sequence', answered('1', '1', '1')],
  [
    'askmulti',
    answeredBy(['1', '[✔] Search'], ['3', '[✔] Reviews'], ['Tab', 'Submit answers'], ['1', 'Thank you.']),
  ],
  [
    'asktwo',
    answeredBy(['2', 'Which features'], ['2', '[✔] Cart'], ['Tab', 'Submit answers'], ['1', 'Thank you.']),
  ],
  ['big', idle],
  [
    'slow',
    async (claude) => {
      await claude.shows('word word');
      await claude.press('Escape');
      await idle(claude);
    },
  ],
  [
    'agent',
    async (claude, note) => {
      await answered('1')(claude, note);
      // What the sub-agent said begins a turn of its own.
      await claude.shows('finished');
      await until(() => claude.transcript().filter(isTurnEnd).length >= 2, {
        why: 'the turn after the sub-agent',
      });
      await idle(claude);
    },
  ],
  ['error400', idle],
  ['error401', idle],
  ['error429', idle],
  ['error500', idle],
  ['error529', idle],
];

const isTurnEnd = (line: Line) => line.type === 'system' && line.subtype === 'turn_duration';

/** What of a transcript line concerns anybody else: speaker and kinds of content. */
function kindOf(line: Line): readonly string[] {
  if (line.type === 'system') return [`system ${line.subtype}`];
  if (line.type !== 'user' && line.type !== 'assistant') return [];
  const { content } = line.message as { content: string | readonly { type: string }[] };
  return [
    `${line.type} ${typeof content === 'string' ? 'prompt' : content.map(({ type }) => type).join('+')}`,
  ];
}

interface Seen {
  readonly status: readonly string[];
  /** Events of the main conversation, and those of sub-agents: the two run beside each other. */
  readonly main: readonly string[];
  readonly agents: readonly string[];
  /** The names of all fields, for each event. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  readonly lines: readonly string[];
  /** Of each dialog, as it came onto the screen. */
  readonly options: readonly (readonly string[])[];
  readonly suggestions: readonly unknown[];
  /** What tsmux makes of the hooks of the main conversation, of those of sub-agents, and of the transcript. */
  readonly observed: Readonly<Record<'main' | 'agents' | 'transcript', readonly string[]>>;
}

/** Waits until a number has stayed the same for a while. */
async function settled(count: () => number): Promise<void> {
  let last = count();
  let since = performance.now();
  await until(
    () => {
      if (count() === last) return performance.now() - since > 250;
      last = count();
      since = performance.now();
      return false;
    },
    { why: 'everything to settle', limit: 10_000, every: 50 },
  );
}

/** An event with what makes one of its kind different from another. */
function named({ body }: Recorded): string {
  const what = body.tool_name ?? body.error ?? body.notification_type ?? body.reason ?? body.source ?? '';
  const running = Array.isArray(body.background_tasks)
    ? body.background_tasks.map(({ type }) => type).join()
    : '';
  return [body.hook_event_name, 'agent_id' in body ? 'of an agent' : '', what, running]
    .filter(Boolean)
    .join(' ');
}

/** An observation without what no two sessions have in common: times, ids, paths, words. */
function inWords(observation: Observation): readonly string[] {
  const { type } = observation;
  switch (type) {
    case 'transcript':
      return [];
    case 'turn-started':
      return [`${type} by ${observation.by}`];
    case 'turn-ended': {
      const { how, reason, lastMessage, background } = observation;
      return [`${type} ${how} ${reason} ${lastMessage !== null} ${JSON.stringify(background)}`];
    }
    case 'tool-started':
      return [`${type} ${observation.tool.name}`];
    case 'tool-ended':
      return [`${type} ${observation.tool} ${observation.inputKey !== null}`];
    case 'prompt-asked': {
      const { kind, title, tool, suggestions, questions } = observation.prompt;
      return [`${type} ${kind} ${title} ${tool} ${suggestions.length} ${JSON.stringify(questions)}`];
    }
    case 'background':
      return [`${type} ${observation.agents} ${observation.shells}`];
    case 'nudged':
      return [`${type} ${observation.notification} ${observation.message}`];
    case 'mode-seen':
      return [`${type} ${observation.permissionMode}`];
    case 'session-renewed':
      return [`${type} ${observation.how}`];
    default:
      return [type];
  }
}

function madeOf({ body }: Recorded): readonly string[] {
  const parsed = parseHook(JSON.stringify(body));
  if ('error' in parsed) return [parsed.error];
  const sessionId = parsed.body.session_id ?? null;
  return observationsOf(parsed.body, { at: 0, sessionId }).flatMap(inWords);
}

async function observe(claude: DrivenClaude, record: Recorder, [scenario, then]: Part): Promise<() => Seen> {
  const calls = record.calls().length;
  const lines = claude.transcript().length;
  const asked = claude.sessionFile()?.statusUpdatedAt;
  const status = watchStatus(claude);
  await claude.type(`SCN:${scenario} please`);
  await until(() => claude.sessionFile()?.statusUpdatedAt !== asked, { why: 'a turn' });
  const options: (readonly string[])[] = [];
  await then(claude, async () => void options.push(await claude.options()));
  await settled(() => claude.transcript().length + record.calls().length);
  status.stop();
  return () => {
    const all = record.calls().slice(calls);
    const [main, agents] = [false, true].map((ofAgent) =>
      all.filter(({ body }) => 'agent_id' in body === ofAgent),
    ) as [Recorded[], Recorded[]];
    const transcript = claude.transcript().slice(lines);
    const reader = createTranscriptReader();
    return {
      status: status.seen,
      main: main.map(named),
      agents: agents.map(named),
      fields: Object.fromEntries(all.map((call) => [named(call), Object.keys(call.body).sort()])),
      lines: transcript.flatMap(kindOf),
      options,
      suggestions: all.flatMap(({ body }) => body.permission_suggestions ?? []),
      observed: {
        main: main.flatMap(madeOf),
        agents: agents.flatMap(madeOf),
        transcript: reader
          .read(
            transcript.map((line) => JSON.stringify(line)),
            Date.now(),
          )
          .flatMap(inWords),
      },
    };
  };
}

/** Two of them live in folders of their own, as what one writes would surprise the other. */
export function describeBoth(version: Version): void {
  describe(`the stand-in and Claude Code ${version}`, () => {
    let world: ClaudeWorld;
    const both: { claude: DrivenClaude; record: Recorder }[] = [];
    let standIn: StandIn | undefined;

    beforeAll(async () => {
      world = await startClaudeWorld();
      const record = recorder(join(world.home, 'real'));
      world.settings({ hooks: record.hooks });
      const claude = await world.start({ version, in: 'tmux' });
      const ours = recorder(join(world.home, 'stand-in'));
      const CLAUDE_CONFIG_DIR = world.configDir('stand-in', { hooks: ours.hooks });
      standIn = await startStandIn({
        version,
        home: world.home,
        cwd: world.project('stand-in'),
        outside: world.folders.outside,
        tmux: { socket: world.tmuxSocket, session: 'stand-in' },
        env: { ...world.env, CLAUDE_CONFIG_DIR },
        wrap: world.wrap,
      });
      both.push({ claude, record }, { claude: standIn, record: ours });
    });
    afterAll(async () => {
      await standIn?.stop();
      await world?.stop();
    });

    it.each(PARTS.map((part) => [part[0], part] as const))('do the same: %s', async (_, part) => {
      const [real, ours] = both;
      if (real === undefined || ours === undefined) throw new Error('not both have started');
      const [seen, shown] = await Promise.all([
        observe(real.claude, real.record, part),
        observe(ours.claude, ours.record, part),
      ]);
      // The transcript lags behind, by a second on a busy machine.
      const equal = () => {
        expect(shown()).toEqual(seen());
        return true;
      };
      await until(equal, { why: 'the same from both' });
    });
  });
}
