import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { permissionRequestOf } from '../../src/claude/decisions.ts';
import { observationsOf, parseHook } from '../../src/claude/hooks.ts';
import { inputKeyOf } from '../../src/claude/tool-summary.ts';
import { configSchema } from '../../src/config/schema.ts';
import { createPrompts } from '../../src/daemon/prompts.ts';
import type { Observation } from '../../src/sessions/observation.ts';
import type { Option, PromptId } from '../../src/sessions/prompt.ts';
import { createRegistry } from '../../src/sessions/registry.ts';
import { Failure } from '../../src/system/failure.ts';
import { silentLog } from '../../src/system/log.ts';
import { manualClock } from '../support/manual-clock.ts';
import { begins, fakeDesktop, keyOf } from '../support/rooms.ts';
import { placedIn } from '../support/sessions.ts';

/** One thing that happens, of those that Claude Code, the user, the desktop or the machine can do. */
type Happening =
  | {
      readonly do: 'ask';
      readonly pid: number;
      readonly agent: number;
      readonly what: number;
      readonly lag: number;
    }
  | {
      readonly do: 'event';
      readonly pid: number;
      readonly what: number;
      readonly name: string;
      readonly lag: number;
    }
  | {
      readonly do: 'file';
      readonly pid: number;
      readonly status: 'idle' | 'busy' | 'waiting';
      readonly lag: number;
    }
  /** Of one of the last prompts, settled or not, with a key that it had at any time, or by what is pinned, or by a session. */
  | {
      readonly do: 'answer';
      readonly which: number;
      readonly key: number;
      readonly by: 'id' | 'pinned' | 'session' | 'only';
    }
  | { readonly do: 'pin'; readonly which: number }
  | { readonly do: 'look'; readonly pid: number; readonly focused: boolean }
  | { readonly do: 'kill hook'; readonly which: number }
  | { readonly do: 'end session'; readonly pid: number }
  | { readonly do: 'restart' }
  | { readonly do: 'pass'; readonly ms: number };

const pid = fc.constantFrom(7, 8);
const what = fc.nat(2);
/** Async hooks and file events come late, and in any order. */
const lag = fc.constantFrom(0, 0, 1, 40, 400, 4_000);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ do: fc.constant('ask' as const), pid, agent: fc.nat(2), what, lag }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('event' as const),
      pid,
      what,
      lag,
      name: fc.constantFrom(
        'PostToolUse',
        'PreToolUse',
        'Stop',
        'UserPromptSubmit',
        'PostToolBatch',
        'SubagentStop',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('file' as const),
      pid,
      lag,
      status: fc.constantFrom('idle' as const, 'busy' as const, 'waiting' as const),
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: fc.nat(2),
      key: fc.nat(3),
      by: fc.constantFrom(
        'id' as const,
        'id' as const,
        'pinned' as const,
        'session' as const,
        'only' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('pin' as const), which: fc.nat(5) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('look' as const), pid, focused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('kill hook' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end session' as const), pid }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 100, 600, 61_000) }),
  },
);

const suggestion = (rule: string) => ({
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: rule }],
  behavior: 'allow',
  destination: 'localSettings',
});
/** Three commands; each prompt's decision is known by the rule in it, or its kind. */
const bodyOf = (number: number, agent: number) => ({
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command: `command ${number}` },
  permission_suggestions: [suggestion(`rule ${number}`)],
  ...(agent === 0 ? {} : { agent_id: `agent-${agent}` }),
});

interface Hook {
  readonly prompt: PromptId | null;
  readonly what: number;
  readonly replies: string[];
  closed: (() => void) | null;
}

/** A world in which these things happen, and what is known of it afterwards. */
async function happen(happenings: readonly Happening[]) {
  const clock = manualClock(Date.UTC(2026, 10, 30, 14));
  const desktop = fakeDesktop();
  const folder = mkdtempSync(join(tmpdir(), 'tsmux-test-'));
  const hooks: Hook[] = [];
  const seen: { readonly id: PromptId; readonly session: string; options: readonly Option[] }[] = [];
  const given: { readonly prompt: string; readonly option: Option | null; readonly way: string }[] = [];
  const config = configSchema.parse({});
  let running = start(undefined);

  function start(saved: unknown) {
    const registry = createRegistry(saved);
    let last = 0;
    const prompts = createPrompts({
      clock,
      log: silentLog,
      config: () => config,
      registry,
      observe: (key, observation) => registry.observe(key, observation),
      factTime: () => {
        last = Math.max(clock.now(), last + 1);
        return last;
      },
      desktop,
      whereabouts: (session) => {
        const key = registry.keyOf(session.id);
        return key === undefined ? null : { key, attachedBy: null };
      },
      resolve: (query) => {
        const session = registry.all().find(({ id }) => id === query);
        if (session === undefined) throw new Failure('no-such-session', query, '');
        return session;
      },
      isStopped: () => false,
      go: async () => {},
      reread: () => {},
      touch: () => {},
      say: () => {},
      historyPath: join(folder, 'history.json'),
      write: () => {},
    });
    for (const one of [7, 8]) {
      begins((key, fact) => registry.observe(key, fact), one, clock.now());
      registry.observe(keyOf(one), { type: 'placed', at: clock.now(), place: placedIn({}) });
    }
    return { registry, prompts };
  }

  function remember() {
    for (const { session, prompt } of running.prompts.open()) {
      const known = seen.find(({ id }) => id === prompt.id);
      if (known === undefined) seen.push({ id: prompt.id, session: session.id, options: prompt.options });
      else known.options = [...known.options, ...prompt.options];
    }
  }

  const observe = (of: number, observation: Observation) => running.registry.observe(keyOf(of), observation);

  async function one(happened: Happening): Promise<void> {
    const { registry, prompts } = running;
    switch (happened.do) {
      case 'ask':
      case 'event': {
        const at = clock.now() - happened.lag;
        const body =
          happened.do === 'ask'
            ? bodyOf(happened.what, happened.agent)
            : {
                hook_event_name: happened.name,
                tool_name: 'Bash',
                tool_use_id: 'toolu_1',
                prompt: 'go on',
                prompt_id: `prompt ${happened.what}`,
                tool_input: { command: `command ${happened.what}` },
              };
        const parsed = parseHook(JSON.stringify(body));
        if ('error' in parsed) throw new Error(parsed.error);
        for (const fact of observationsOf(parsed.body, { at, sessionId: null })) observe(happened.pid, fact);
        if (happened.do === 'event') return;
        const agent = parsed.body.agent_id ?? null;
        const inputKey = inputKeyOf(parsed.body.tool_input);
        const session = registry.all().find((running) => running.pid === happened.pid);
        const asked = session?.prompts.findLast(
          (prompt) => prompt.agent === agent && registry.asked(prompt.id)?.inputKey === inputKey,
        );
        const hook: Hook = { prompt: asked?.id ?? null, what: happened.what, replies: [], closed: null };
        hooks.push(hook);
        prompts.hold(
          { key: keyOf(happened.pid), agent, asks: { inputKey, request: permissionRequestOf(parsed.body) } },
          {
            reply: (output) => void hook.replies.push(output),
            onClosed: (closed) => {
              hook.closed = closed;
            },
          },
        );
        return;
      }
      case 'file':
        return observe(happened.pid, {
          type: 'session-file',
          at: clock.now(),
          status: happened.status,
          statusAt: clock.now() - happened.lag,
          waitingFor: happened.status === 'waiting' ? 'permission prompt' : null,
          sessionId: null,
          name: null,
        });
      case 'answer': {
        const target = seen.at(-1 - happened.which) ?? seen[0];
        const query = { id: target?.id, session: target?.session, pinned: 'pinned', only: 'only' }[
          happened.by
        ];
        const key = target?.options[happened.key % target.options.length]?.key ?? '1';
        try {
          const answer = { keys: [key], text: null, step: true, question: null, shown: null };
          const answered = await prompts.answer(query ?? 'pnone', answer);
          if (happened.by === 'id') expect(answered.prompt).toBe(target?.id);
          given.push(answered);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
        }
        return;
      }
      case 'pin': {
        const target = seen.at(-1 - happened.which) ?? seen[0];
        try {
          prompts.pin(target?.id ?? null);
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
        }
        return;
      }
      case 'look':
        return observe(happened.pid, {
          type: 'placed',
          at: clock.now(),
          place: placedIn({ focused: happened.focused }),
        });
      case 'kill hook':
        return hooks[happened.which % Math.max(hooks.length, 1)]?.closed?.();
      case 'end session':
        return observe(happened.pid, { type: 'process-gone', at: clock.now() });
      case 'restart': {
        const saved = JSON.parse(JSON.stringify(registry.save(clock.now())));
        prompts.stop();
        running = start(saved);
        return;
      }
      case 'pass':
        clock.pass(happened.ms);
    }
  }

  for (const happened of happenings) {
    clock.pass(1);
    await one(happened);
    remember();
  }
  running.prompts.stop();
  return { hooks, given };
}

describe('whatever the order and loss of hooks, file changes, clicks and restarts', () => {
  it('a hook is told an answer only that somebody gave to its very prompt, and each answer is told once', async () => {
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 20, maxLength: 80 }), async (happenings) => {
        const { hooks, given } = await happen(happenings);
        const byHold = given.filter(({ way }) => way === 'hook');
        const decided = hooks.filter(({ replies }) => replies.some((reply) => reply !== ''));
        for (const { replies } of hooks) expect(replies.length).toBeLessThanOrEqual(1);
        answered += byHold.length;
        expect(decided.map(({ prompt }) => prompt).toSorted()).toEqual(
          byHold.map(({ prompt }) => prompt).toSorted(),
        );
        for (const { prompt, replies, what: number } of decided) {
          const answer = byHold.find((one) => one.prompt === prompt);
          const { decision } = JSON.parse(replies[0] ?? '').hookSpecificOutput;
          expect(decision.behavior).toBe(answer?.option?.means === 'deny' ? 'deny' : 'allow');
          expect(decision.updatedPermissions).toEqual(
            answer?.option?.means === 'allow-always' ? [suggestion(`rule ${number}`)] : undefined,
          );
        }
      }),
      { numRuns: 300 },
    );
    // Else nothing was tried.
    expect(answered).toBeGreaterThan(100);
  }, 60_000);

  it('no hook waits for a daemon that has ended, unless its own program is gone', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
        const { hooks } = await happen(happenings.filter((one) => one.do !== 'kill hook'));
        for (const { replies } of hooks) expect(replies).toHaveLength(1);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
