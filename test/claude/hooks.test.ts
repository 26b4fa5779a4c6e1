import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureInWords, hookEvents, observationsOf, parseHook } from '../../src/claude/hooks.ts';
import type { Observation } from '../../src/sessions/observation.ts';
import { fixture, fixtureJson } from './home.ts';

const at = 1_796_048_000_000;

function told(json: string, sessionId: string | null = null): readonly Observation[] {
  const parsed = parseHook(json);
  if ('error' in parsed) throw new Error(parsed.error);
  return observationsOf(parsed.body, { at, sessionId });
}

function tells(name: string, fields: Readonly<Record<string, unknown>> = {}): readonly Observation[] {
  return told(JSON.stringify({ ...fixtureJson(`hooks/${name}.json`), ...fields })).filter(
    ({ type }) => type !== 'mode-seen',
  );
}

function prompt(name: string) {
  const [seen] = tells(`PermissionRequest.${name}`);
  if (seen?.type !== 'prompt-asked') throw new Error(`${name} asks nothing`);
  return seen.prompt;
}

describe('a turn', () => {
  it('begins with a prompt of the user, or with a report that nobody typed', () => {
    expect(tells('UserPromptSubmit')).toEqual([
      {
        type: 'turn-started',
        at,
        source: 'hook',
        promptId: '9ccd7afa-8e4a-4bde-8af1-9f64c9c01ae7',
        by: 'user',
      },
    ]);
    expect(tells('UserPromptSubmit.task-notification')).toMatchObject([{ by: 'task' }]);
  });

  it('ends with Stop, which counts what still runs', () => {
    expect(tells('Stop')).toMatchObject([
      { how: 'finished', lastMessage: 'cd done.', background: { agents: 0, shells: 0 } },
    ]);
    expect(tells('Stop.with-background-tasks')).toMatchObject([{ background: { agents: 0, shells: 1 } }]);
  });

  it('a12: ends with sub-agents that run on', () => {
    const background_tasks = [
      { id: 'a', type: 'subagent', status: 'running' },
      { id: 'b', type: 'subagent', status: 'completed' },
    ];
    expect(tells('Stop', { background_tasks })).toMatchObject([{ background: { agents: 1, shells: 0 } }]);
  });

  it('fails for a reason in words', () => {
    expect(tells('StopFailure.server_error')).toMatchObject([
      { how: 'failed', reason: 'API error: server error' },
    ]);
    expect(tells('StopFailure.unknown')).toMatchObject([
      { reason: 'API Error: 400 messages: lab invalid request' },
    ]);
    expect(failureInWords('brand_new', null)).toBe('API error: brand new');
    expect(failureInWords(undefined, null)).toBe('API error');
  });
});

describe('a tool', () => {
  it('starts and ends, with the same key for the same input', () => {
    const [start] = tells('PreToolUse.Bash');
    expect(start).toMatchObject({
      type: 'tool-started',
      toolUseId: 'toolu_lab0179_0',
      agent: null,
      tool: { name: 'Bash', summary: 'touch /home/ada/run/x1' },
      inputKey: prompt('Bash').inputKey,
    });
    expect(tells('PostToolUse.Bash')).toMatchObject([{ type: 'tool-ended', toolUseId: 'toolu_lab0177_0' }]);
    expect(tells('PostToolUseFailure.Read')).toMatchObject([{ type: 'tool-ended', tool: 'Read' }]);
  });

  it('of a batch ends by name, so that its late hook ends nothing that came after it', () => {
    expect(tells('PostToolBatch')).toMatchObject([
      { type: 'tool-ended', toolUseId: 'toolu_lab0177_0', tool: 'Bash', inputKey: expect.any(String) },
    ]);
    const unnamed = tells('PostToolBatch', { tool_calls: undefined });
    expect(unnamed).toMatchObject([{ type: 'tool-ended', toolUseId: null, inputKey: null }]);
  });

  it.each([
    ['Agent', 'Explore B'],
    ['Edit', 'cart.ts'],
    ['WebFetch', 'https://docs.example.com/guide'],
    ['mcp-echo', 'hello mcp'],
    ['AskUserQuestion', 'Which database? Which features?'],
    ['ExitPlanMode', '# Plan: add search'],
  ])('%s is summed up as "%s"', (name, summary) => {
    expect(tells(`PreToolUse.${name}`)).toMatchObject([{ tool: { summary } }]);
  });

  it('of an MCP server bears its name', () => {
    expect(tells('PreToolUse.mcp-echo')).toMatchObject([{ tool: { name: 'labmcp — echo' } }]);
  });
});

describe('a prompt', () => {
  it('of a command has the whole command, and what Claude suggests to allow for good', () => {
    expect(prompt('Bash')).toMatchObject({
      kind: 'permission',
      title: 'Bash',
      text: 'touch /home/ada/run/x1',
      suggestions: ['/home/ada/run'],
    });
    expect(prompt('Read').suggestions).toEqual(['Read(//etc/**)']);
    expect(prompt('mcp-echo').suggestions).toEqual(['mcp__labmcp__echo']);
    expect(prompt('Edit').suggestions).toEqual([]);
  });

  it('of a change shows the file and the change', () => {
    expect(prompt('Edit').text).toBe(
      '/home/ada/code/webshop/src/cart.ts\n- let total = 0;\n+ let total = 0; // cents',
    );
    expect(prompt('Write').text).toContain('export const answer = 42;');
  });

  it('may be a plan or questions', () => {
    expect(prompt('ExitPlanMode')).toMatchObject({
      kind: 'plan',
      text: expect.stringContaining('1. Add index'),
    });
    expect(prompt('AskUserQuestion')).toMatchObject({
      kind: 'question',
      questions: [
        {
          header: 'Database',
          text: 'Which database?',
          multiSelect: false,
          options: [{ label: 'PostgreSQL' }, {}],
        },
        { header: 'Features', multiSelect: true },
      ],
    });
  });

  it('of a sub-agent says whose it is', () => {
    expect(tells('PermissionRequest.Bash.in-subagent')).toMatchObject([{ agent: 'af7c7d4bb697917a1' }]);
  });

  it('may be a form of an MCP server, which its result settles', () => {
    const [asked] = tells('Elicitation');
    expect(asked).toMatchObject({ prompt: { kind: 'elicitation', title: 'labmcp', tool: null } });
    const inputKey = asked?.type === 'prompt-asked' ? asked.prompt.inputKey : null;
    expect(tells('ElicitationResult')).toMatchObject([{ type: 'tool-ended', inputKey }]);
  });

  it('b15: of 2 MB with control characters is kept whole', () => {
    const command = `echo \u001b[31m\u202e<b>&\n${'x'.repeat(2 * 1024 * 1024)}`;
    const [asked] = tells('PermissionRequest.Bash', { tool_input: { command } });
    expect(asked).toMatchObject({ prompt: { text: command } });
  });
});

describe('other hooks', () => {
  it('nudges are passed on, under the newer name', () => {
    expect(tells('Notification.permission_prompt')).toMatchObject([{ notification: 'permission_prompt' }]);
    expect(
      tells('Notification.idle_prompt', { notification_type: 'worker_permission_prompt' }),
    ).toMatchObject([{ type: 'nudged', notification: 'permission_prompt' }]);
  });

  it('the end of a sub-agent does not count itself', () => {
    expect(tells('SubagentStop.with-background-tasks')).toEqual([
      { type: 'agent-stopped', at, agent: 'ae3cd83554e947515' },
      { type: 'background', at, agents: 0, shells: 0 },
    ]);
  });

  it('compaction begins and ends', () => {
    expect([...tells('PreCompact'), ...tells('PostCompact')]).toMatchObject([
      { running: true },
      { running: false },
    ]);
  });

  it('the permission mode is told by every hook that has it', () => {
    expect(told(fixture('hooks/Stop.json'))).toContainEqual({
      type: 'mode-seen',
      at,
      permissionMode: 'default',
    });
  });

  it('a18: a session id that differs renews the session, just before what the hook tells', () => {
    const seen = told(fixture('hooks/UserPromptSubmit.json'), 'another');
    expect(seen[0]).toMatchObject({ type: 'session-renewed', at: at - 1, how: 'other' });
    expect(told(fixture('hooks/SessionEnd.clear.json'), 'another')).toEqual([]);
    expect(tells('SessionStart.clear')).toMatchObject([{ type: 'session-renewed', how: 'clear' }]);
  });
});

describe('whatever comes in', () => {
  it('every captured hook is understood', () => {
    for (const name of readdirSync(join(import.meta.dirname, '../fixtures/claude/hooks'))) {
      expect(parseHook(fixture(`hooks/${name}`)), name).toHaveProperty('body');
    }
    expect(hookEvents).toHaveLength(18);
  });

  it('fields of wrong types cost only themselves', () => {
    const names = [
      'Stop',
      'PermissionRequest.Bash',
      'PermissionRequest.AskUserQuestion',
      'Elicitation',
      'PreToolUse.Edit',
    ];
    const json = fc.jsonValue({ maxDepth: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.array(fc.tuple(fc.nat(20), json)), (name, changes) => {
        const body = fixtureJson(`hooks/${name}.json`);
        const keys = Object.keys(body).filter((key) => key !== 'hook_event_name');
        for (const [index, value] of changes) body[keys[index % keys.length] ?? ''] = value;
        for (const seen of told(JSON.stringify(body))) expect(seen.at).toBeGreaterThanOrEqual(at - 1);
      }),
    );
  });

  it('a prompt is asked although its input is nested without end', () => {
    const deep = `${'{"a":['.repeat(10_000)}1${']}'.repeat(10_000)}`;
    for (const name of ['PermissionRequest', 'PreToolUse', 'PostToolUse', 'PermissionDenied']) {
      for (const tool of ['Bash', 'AskUserQuestion', 'mcp__x__y']) {
        const json = `{"hook_event_name":"${name}","tool_name":"${tool}","tool_input":${deep},"permission_suggestions":[${deep}]}`;
        expect(() => told(json)).not.toThrow();
      }
    }
    const [seen] = told(`{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":${deep}}`);
    expect(seen).toMatchObject({ type: 'prompt-asked', prompt: { title: 'Bash', text: '' } });
  });

  it('of a key that stands there twice the last one counts', () => {
    expect(told('{"hook_event_name":"Stop","hook_event_name":"PreCompact"}')).toMatchObject([
      { type: 'compaction' },
    ]);
  });

  it('names and ids of megabytes, and questions by the thousand, are not passed on', () => {
    const long = 'x'.repeat(100_000);
    const many = Array.from({ length: 1000 }, () => ({
      question: 'q'.repeat(1000),
      options: [{ label: 'l' }],
    }));
    const fields = { session_id: long, prompt_id: long, agent_id: long, permission_mode: long, error: long };
    const bodies = [
      { hook_event_name: 'SessionStart' },
      { hook_event_name: 'UserPromptSubmit' },
      { hook_event_name: 'PermissionRequest', tool_name: long },
      { hook_event_name: 'StopFailure' },
    ];
    for (const body of bodies) {
      expect(JSON.stringify(told(JSON.stringify({ ...body, ...fields })))).not.toContain(long);
    }
    const asked = {
      hook_event_name: 'PermissionRequest',
      tool_name: 'AskUserQuestion',
      tool_input: { questions: many },
    };
    expect(told(JSON.stringify(asked))).toMatchObject([{ prompt: { kind: 'question', questions: [] } }]);
  });
});
