import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { observationsOf, parseHook } from '../../src/claude/hooks.ts';
import { createTranscriptReader } from '../../src/claude/transcript.ts';
import type { Observation } from '../../src/sessions/observation.ts';
import type { Line } from '../stand-in/driven.ts';
import { type Recorded, watchStatus } from '../stand-in/recorder.ts';
import { until } from '../support/until.ts';
import { type Part, stories } from './compare-parts.ts';
import { bothSides, type Side, type Sides } from './compare-sides.ts';
import { type ClaudeWorld, startClaudeWorld, type Version } from './real-claude.ts';

/** Speaker and kinds of content of a line, where it is of the conversation and not of the program's own commands. */
function kindOf(line: Line): readonly string[] {
  if (line.type === 'system') return line.subtype === 'local_command' ? [] : [`system ${line.subtype}`];
  if (line.type !== 'user' && line.type !== 'assistant') return [];
  const { content, model } = line.message as {
    content: string | readonly { type: string }[];
    model?: string;
  };
  if (model === '<synthetic>' && line.isApiErrorMessage !== true) return [];
  if (typeof content !== 'string') return [`${line.type} ${content.map(({ type }) => type).join('+')}`];
  const isCommand = line.isMeta === true || /^<(command-name|local-command-)/.test(content);
  return isCommand ? [] : [`${line.type} prompt`];
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

/** Of an answer that was interrupted Claude Code writes down what there was, or not. */
function withoutCut(lines: readonly Line[]): readonly Line[] {
  const cuts = (line: Line | undefined) =>
    JSON.stringify(line ?? '').includes('"[Request interrupted by user]"');
  return lines.filter((line, at) => line.type !== 'assistant' || !cuts(lines[at + 1]));
}

const withoutPlaces = <T>(what: T, { claude, outside }: Side): T =>
  JSON.parse(
    JSON.stringify(what).replaceAll(outside, '/the/outside').replaceAll(claude.cwd, '/the/project'),
  ) as T;

/** Without that of before, and those that are there for 0.1 s and can be missed: none at a start, idle between turns. */
function statusesIn(seen: readonly string[]): readonly string[] {
  const words = seen.filter((word) => word !== 'undefined');
  const isOld = (word: string, at: number) => at === 0 && (word === 'idle' || word === 'shell');
  return words
    .filter((word, at) => !isOld(word, at) && (word !== 'idle' || at === words.length - 1))
    .filter((word, at, all) => word !== all[at - 1]);
}

async function observe(side: Side, [, act, ignored]: Part): Promise<() => Seen> {
  const status = watchStatus({ sessionFile: () => side.claude.sessionFile() });
  const options: (readonly string[])[] = [];
  await act(side, async () => void options.push(await side.claude.options()));
  await settled(() => side.lines().length + side.calls().length);
  status.stop();
  return () => {
    const all = side.calls();
    const [main, agents] = [false, true].map((ofAgent) =>
      all.filter(({ body }) => 'agent_id' in body === ofAgent),
    ) as [Recorded[], Recorded[]];
    const transcript = ignored === 'transcript' ? [] : withoutCut(side.lines());
    const reader = createTranscriptReader();
    return {
      status: ignored === 'status' ? [] : statusesIn(status.seen),
      main: main.map(named),
      agents: agents.map(named),
      fields: Object.fromEntries(all.map((call) => [named(call), Object.keys(call.body).sort()])),
      // 2.1.197 does not always write them in the same order.
      lines: transcript.flatMap(kindOf).toSorted(),
      options: withoutPlaces(options, side),
      suggestions: withoutPlaces(
        all.flatMap(({ body }) => body.permission_suggestions ?? []),
        side,
      ),
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

export function describeBoth(version: Version): void {
  describe.each(stories.map((story) => [story.name, story] as const))(
    `the stand-in and Claude Code ${version}: %s`,
    (_, { options, parts }) => {
      let world: ClaudeWorld;
      let sides: Sides;

      beforeAll(async () => {
        world = await startClaudeWorld();
        sides = bothSides(world, version);
        await Promise.all([sides.real.start(options), sides.standIn.start(options)]);
      });
      afterAll(async () => {
        await sides?.stop();
        await world?.stop();
      });

      it.each(parts.map((part) => [part[0], part] as const))('do the same: %s', async (_name, part) => {
        const { real, standIn } = sides;
        onTestFinished(() => {
          for (const side of [real, standIn]) side.next();
        });
        const [seen, shown] = await Promise.all([observe(real, part), observe(standIn, part)]);
        // The transcript lags behind, by a second on a busy machine.
        const same = until(() => isDeepStrictEqual(shown(), seen()), { why: 'the same from both' });
        await same.catch(() => {});
        expect(shown()).toEqual(seen());
      });
    },
  );
}
