import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTranscriptReader, newestTurn } from '../../src/claude/transcript.ts';
import type { Observation } from '../../src/sessions/observation.ts';
import { fixture, fixtureJson } from './home.ts';

function line(name: string, fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...fixtureJson(`transcript-lines/${name}.json`), ...fields });
}

/** Later than any line of the fixtures, whatever day it is. */
const later = Date.parse('2100-01-01');

function read(...lines: readonly string[]): readonly Observation[] {
  return createTranscriptReader().read(lines, later);
}

function turns(observations: readonly Observation[]): readonly string[] {
  return observations.flatMap((seen) =>
    seen.type === 'turn-started' ? [`started by ${seen.by}`] : seen.type === 'turn-ended' ? [seen.how] : [],
  );
}

function summary(observations: readonly Observation[]) {
  const last = observations.at(-1);
  if (last?.type !== 'transcript') throw new Error('nothing is summed up');
  return last;
}

function transcript(name: string): readonly string[] {
  const file = join(import.meta.dirname, '../fixtures/claude/transcripts', name);
  return readFileSync(file, 'utf8').trimEnd().split('\n');
}

describe('a turn in the transcript', () => {
  it('begins with a prompt, a command of the user’s own, or a report of a task', () => {
    expect(turns(read(line('user-prompt')))).toEqual(['started by user']);
    expect(turns(read(line('user-meta')))).toEqual(['started by user']);
    expect(turns(read(line('user-task-notification')))).toEqual(['started by task']);
  });

  it('does not begin with results, summaries, or built-in commands', () => {
    const local = { message: { role: 'user', content: '<command-name>/clear</command-name>' } };
    const lines = [
      line('user-tool-result'),
      line('user-compact-summary'),
      line('system-local_command'),
      line('user-prompt', { isMeta: true }),
      line('user-prompt', local),
    ];
    const seen = read(...lines);
    expect(turns(seen)).toEqual([]);
    expect(seen.filter(({ type }) => type === 'command-run')).toHaveLength(2);
  });

  it('is followed by another that was queued while it ran', () => {
    const lines = [
      line('user-prompt'),
      line('queue-operation'),
      line('queue-operation', { operation: 'dequeue' }),
    ];
    expect(read(...lines).filter(({ type }) => type === 'turn-queued')).toHaveLength(1);
  });

  it('is not finished by words that Claude Code says for Claude when a conversation is resumed', () => {
    const said = 'No response requested.';
    const content = [{ type: 'text', text: said }];
    const message = { role: 'assistant', model: '<synthetic>', content, stop_reason: 'stop_sequence' };
    const seen = read(line('user-prompt'), line('assistant-text', { message }));
    expect(turns(seen)).toEqual(['started by user']);
    expect(summary(seen).lastMessage).toBeNull();
  });

  it('is finished by the last words, once', () => {
    const words = { message: { ...(fixtureJson('transcript-lines/assistant-text.json').message as object) } };
    const end = line('assistant-text', { message: { ...words.message, stop_reason: 'end_turn' } });
    expect(turns(read(line('user-prompt'), end, line('system-turn_duration')))).toEqual([
      'started by user',
      'finished',
    ]);
  });

  it('a10: is interrupted by Esc', () => {
    expect(turns(read(line('user-prompt'), line('user-interrupted')))).toEqual([
      'started by user',
      'interrupted',
    ]);
    expect(turns(read(line('user-interrupted-for-tool-use')))).toEqual(['interrupted']);
  });

  it('a11: goes on when more of it follows the interrupt', () => {
    const seen = read(line('user-prompt'), line('user-interrupted'), line('assistant-tool_use'));
    expect(turns(seen)).toEqual(['started by user', 'interrupted', 'started by task']);
  });

  it('fails for a reason in words', () => {
    expect(read(line('assistant-api-error-server_error'))[0]).toMatchObject({
      how: 'failed',
      reason: 'API error: server error',
      lastMessage: expect.stringContaining('529'),
    });
  });

  it('of a sub-agent is not the session’s', () => {
    expect(read(line('user-prompt', { isSidechain: true }))).toEqual([]);
  });

  it('runs through whole days as they were recorded', () => {
    const day = turns(read(...transcript('main-with-plan-ask-apierrors.jsonl')));
    expect(day.filter((turn) => turn === 'failed')).toHaveLength(3);
    expect(day.filter((turn) => turn === 'interrupted').length).toBeGreaterThan(5);
    expect(day.at(-1)).toBe('failed');
    const other = turns(read(...transcript('main-with-agents-compact-interrupts.jsonl')));
    expect(other).toContain('finished');
    // Wherever a prompt was sent while Claude was interrupted, the new turn is on in the end.
    expect(other.filter((turn) => turn.startsWith('started')).length).toBeGreaterThan(10);
  });
});

describe('tools in the transcript', () => {
  it('start with their input and end with their result', () => {
    const [start, end] = read(line('assistant-tool_use'), line('user-tool-result'));
    expect(start).toMatchObject({ type: 'tool-started', tool: { name: 'Bash', summary: 'ls -la' } });
    expect(end).toMatchObject({
      type: 'tool-ended',
      toolUseId: 'toolu_lab0151_0',
      tool: 'Bash',
      inputKey: start?.type === 'tool-started' ? start.inputKey : '',
    });
  });

  it('f7: of older turns do not run for ever', () => {
    const seen = read(
      line('assistant-tool_use'),
      line('user-prompt', { timestamp: '2026-11-30T15:00:00.000Z' }),
    );
    expect(newestTurn(seen, 0).map(({ type }) => type)).toEqual(['turn-started', 'transcript']);
    expect(newestTurn(seen, Date.parse('2026-11-30T16:00:00Z')).map(({ type }) => type)).toEqual([
      'transcript',
    ]);
  });
});

describe('what the transcript sums up', () => {
  it('tokens count once for each message, however many lines it has', () => {
    const message = fixtureJson('transcript-lines/assistant-tool_use.json').message as Record<
      string,
      unknown
    >;
    const other = line('assistant-tool_use', { message: { ...message, id: 'other' } });
    const read = createTranscriptReader();
    const lines = [line('assistant-tool_use'), line('assistant-tool_use'), other];
    expect(summary(read.read(lines, later)).tokens).toEqual({
      input: 2400,
      output: 84,
      cacheRead: 30000,
      cacheWrite: 6000,
    });
    expect(summary(read.read([other], later)).tokens).toMatchObject({ input: 2400 });
  });

  it('the model, the branch, the user’s title and the mode', () => {
    const lines = ['assistant-tool_use', 'custom-title', 'permission-mode'].map((name) => line(name));
    expect(summary(read(...lines))).toMatchObject({
      model: 'claude-opus-5-5',
      branch: 'master',
      customTitle: 'shop-fix',
      permissionMode: 'default',
      contextPercent: 2,
    });
    expect(summary(read(line('user-prompt', { gitBranch: 'HEAD' }))).branch).toBeNull();
  });

  it('nothing when nothing is new', () => {
    const reader = createTranscriptReader();
    reader.read([line('user-prompt')], later);
    expect(reader.read(['not a line'], later)).toEqual([]);
  });
});

describe('f4: what is no line', () => {
  it('is skipped, and the next one is read', () => {
    const good = line('user-prompt');
    for (const bad of [
      `${good}${good}`,
      `\0\0\0${good}`,
      good.slice(0, 90),
      `{"type":"user","x":"\u0001`,
      '[]',
      '7',
    ]) {
      expect(turns(read(bad, good))).toEqual(['started by user']);
    }
  });

  it('may be of a type that nobody knows', () => {
    expect(turns(read('{"type":"brand-new","timestamp":"2026-11-30T15:00:00.000Z"}'))).toEqual([]);
    expect(turns(read(fixture('transcript-lines/queue-operation.json')))).toEqual([]);
  });
});

describe('a line that claims too much', () => {
  it('of the future says nothing of now: its clock was wrong', () => {
    const reader = createTranscriptReader();
    const future = line('user-prompt', { timestamp: '+275760-09-13T00:00:00.000Z' });
    expect(turns(reader.read([future], later))).toEqual([]);
    const next = reader.read([line('user-prompt')], later);
    expect(turns(next)).toEqual(['started by user']);
    expect(summary(next).at).toBeLessThan(later);
  });

  it('is as good as not there where a name is megabytes, a number none, an input nested without end', () => {
    const long = 'x'.repeat(1_000_000);
    const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    const usage = { input_tokens: 1e308, output_tokens: -5, cache_read_input_tokens: 'many' };
    const observed = read(
      line('assistant-tool_use', {
        gitBranch: long,
        permissionMode: long,
        message: { id: 'm', model: long, usage },
      }),
      line('custom-title', { customTitle: long }),
      `{"type":"assistant","timestamp":"2026-11-30T15:00:00.000Z","message":{"content":[{"type":"tool_use","name":"X","input":${nested}}]}}`,
    );
    expect(observed.map(({ type }) => type)).toContain('tool-started');
    expect(summary(observed)).toMatchObject({
      model: null,
      branch: null,
      customTitle: null,
      permissionMode: null,
      tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    });
  });
});
