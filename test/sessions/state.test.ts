import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/sessions/observation.ts';
import { createRegistry } from '../../src/sessions/registry.ts';
import {
  asks,
  at,
  ends,
  file,
  key,
  nudged,
  only,
  seenAlive,
  sessionAfter,
  starts,
  stateAfter,
  stopped,
  submitted,
  told,
  transcriptSays,
} from './told.ts';

const subagent = { background: { agents: 1, shells: 0 } };

describe('with a session file and nothing else', () => {
  it('a turn that began and ended within a second of the session is to be reviewed', () => {
    const began: Observation = {
      type: 'session-renewed',
      at: at(0.1),
      sessionId: 'A',
      how: 'startup',
    };
    expect(stateAfter(began, file(0.2, 'idle'), file(0.4, 'busy'), file(0.8, 'idle'))).toBe('review');
  });
});

describe('with hooks and a session file', () => {
  it('a session that was just started is unknown until its file has a status, then idle', () => {
    expect(stateAfter()).toBe('unknown');
    expect(stateAfter(file(0, null))).toBe('unknown');
    expect(stateAfter(file(0, null), file(0.4, 'idle'))).toBe('idle');
  });

  it('a prompt makes it busy at once, before the file says so', () => {
    expect(stateAfter(file(0, 'idle'), submitted(5, 'A'))).toBe('busy');
  });

  it('a prompt that it was started with makes it busy, even in the same moment', () => {
    const began: Observation = { type: 'session-renewed', at: at(5), sessionId: 'A', how: 'startup' };
    expect(stateAfter(began, submitted(5, 'A'))).toBe('busy');
    expect(stateAfter(submitted(5, 'A'), began)).toBe('busy');
  });

  it('Stop makes it review at once, before the file says so', () => {
    expect(stateAfter(file(0, 'idle'), submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A'))).toBe('review');
  });

  it('work that the file tells of before its hook does began then, not with the turn before it', () => {
    const before = [submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A'), file(9.1, 'idle')];
    expect(sessionAfter(...before, file(100, 'busy'))).toMatchObject({ state: 'busy', since: at(100) });
    expect(sessionAfter(...before, file(100, 'busy'), submitted(100, 'B'))).toMatchObject({ since: at(100) });
  });

  it('a prompt that another hook blocked makes it busy only until the file had time to say so', () => {
    expect(stateAfter(file(0, 'idle'), submitted(5, 'A'), file(0, 'idle', { readAfter: 8 }))).toBe('idle');
  });

  it('a Stop that the file still contradicts long after it, ends nothing', () => {
    const turn = [submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A')];
    expect(stateAfter(...turn, file(5.1, 'busy', { readAfter: 9 }))).toBe('busy');
  });

  it('StopFailure is review, with the reason', () => {
    const failed = stopped(9, 'A', { how: 'failed', reason: 'API error: overloaded' });
    const session = sessionAfter(submitted(5, 'A'), file(5.1, 'busy'), failed, file(9.1, 'idle'));
    expect(session).toMatchObject({ state: 'review', reason: 'API error: overloaded', since: at(9) });
  });

  it('Esc, which fires no hook, is idle: the file went idle and no Stop came', () => {
    const esc = [submitted(5, 'A'), file(5.1, 'busy'), file(9, 'idle')];
    expect(stateAfter(...esc, file(9, 'idle', { readAfter: 1.05 }))).toBe('idle');
    expect(stateAfter(...esc, transcriptSays(9, 'interrupted', 'A'))).toBe('idle');
  });

  it('an idle file that its Stop has not caught up with yet shows no idle in between', () => {
    const finishing = [submitted(5, 'A'), file(5.1, 'busy'), file(9, 'idle')];
    expect(stateAfter(...finishing)).toBe('busy');
    expect(stateAfter(...finishing, stopped(9.02, 'A'))).toBe('review');
  });

  it('a No at a prompt is idle at once: the file goes from waiting to idle', () => {
    const asked = [submitted(5, 'A'), file(5.1, 'busy'), file(7.9, 'waiting'), asks(8, 'npm i')];
    expect(stateAfter(...asked, file(12, 'idle'))).toBe('idle');
  });

  it('a Stop that was lost is made good by the transcript', () => {
    const lost = [submitted(5, 'A'), file(5.1, 'busy'), file(9, 'idle')];
    expect(stateAfter(...lost, transcriptSays(8.9, 'finished'))).toBe('review');
  });

  it('a8: a background shell leaves it idle, or in review when its turn finished', () => {
    expect(sessionAfter(file(0, 'shell'))).toMatchObject({
      state: 'idle',
      background: { agents: 0, shells: 1 },
    });
    const stop = stopped(9, 'A', { background: { agents: 0, shells: 1 } });
    expect(stateAfter(submitted(5, 'A'), file(5.1, 'busy'), stop, file(9.1, 'shell'))).toBe('review');
  });

  it('a background shell that has ended is not counted in the turn that reports it', () => {
    const stop = stopped(9, 'A', { background: { agents: 0, shells: 1 } });
    const over = [submitted(5, 'A'), file(5.1, 'busy'), stop, file(9.1, 'shell'), file(20, 'idle')];
    const reports = sessionAfter(...over, submitted(20.1, 'B', 'task'), file(20.2, 'busy'));
    expect(reports).toMatchObject({ state: 'busy', background: { agents: 0, shells: 0 } });
  });

  it('a12: Stop with a sub-agent running is busy, and review when it ends', () => {
    const running = [submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A', subagent)];
    expect(sessionAfter(...running)).toMatchObject({ state: 'busy', background: { agents: 1, shells: 0 } });
    const reported = [...running, submitted(20, 'B', 'task'), stopped(22, 'B')];
    expect(stateAfter(...running, submitted(20, 'B', 'task'))).toBe('busy');
    expect(stateAfter(...reported, file(22.1, 'idle'))).toBe('review');
  });

  it('a15: an idle file resets a count of sub-agents that no hook took back', () => {
    const session = sessionAfter(
      submitted(5, 'A'),
      file(5.1, 'busy'),
      stopped(9, 'A', subagent),
      file(30, 'idle', { readAfter: 1.05 }),
    );
    expect(session).toMatchObject({ state: 'review', background: { agents: 0, shells: 0 } });
  });

  it('the idle between the last sub-agent and the turn that reports it is no review', () => {
    const reporting = [submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A', subagent), file(30, 'idle')];
    expect(stateAfter(...reporting)).toBe('busy');
    expect(stateAfter(...reporting, submitted(30.1, 'B', 'task'), file(30.2, 'busy'))).toBe('busy');
  });

  it('what its last sub-agent has done is no review before the turn that reports it', () => {
    const counted: Observation = { type: 'background', at: at(10), agents: 0, shells: 0 };
    const over = [submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A', subagent), counted];
    const failed = stopped(9, 'A', { ...subagent, how: 'failed', reason: 'API Error: 529' });
    expect(stateAfter(submitted(5, 'A'), file(5.1, 'busy'), failed, counted)).toBe('busy');
    expect(stateAfter(...over)).toBe('busy');
    expect(stateAfter(...over, file(10.2, 'idle'))).toBe('busy');
    const reported = [...over, file(10.2, 'idle'), submitted(10.3, 'B', 'task'), file(10.4, 'busy')];
    expect(stateAfter(...reported)).toBe('busy');
    expect(stateAfter(...reported, stopped(11, 'B'))).toBe('review');
    // Nobody reports it.
    expect(stateAfter(...over, file(10.2, 'idle', { readAfter: 1.05 }))).toBe('review');
  });

  it('a16: idle_prompt a minute after Stop leaves it in review', () => {
    const done = [submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A'), file(9.1, 'idle')];
    expect(stateAfter(...done, nudged(69, 'idle_prompt'))).toBe('review');
  });

  it('a17: idle_prompt is never needs-input', () => {
    expect(stateAfter(file(0, 'shell'), nudged(60, 'idle_prompt'))).toBe('idle');
    expect(stateAfter(nudged(60, 'idle_prompt'))).toBe('unknown');
  });

  it('a24: a Stop that arrives after the next prompt ends no newer turn', () => {
    const late = [submitted(5, 'A'), file(5.1, 'busy'), submitted(8, 'B'), stopped(8.2, 'A')];
    expect(stateAfter(...late)).toBe('busy');
    expect(stateAfter(...late, file(8.3, 'busy'), stopped(12, 'B'), file(12.1, 'idle'))).toBe('review');
  });

  it('a queued prompt keeps it busy when the running turn ends', () => {
    const queued = [submitted(5, 'A'), file(5.1, 'busy'), submitted(7, 'B')];
    expect(stateAfter(...queued, stopped(9, 'A'))).toBe('busy');
  });

  it('what was queued and done right after an interrupt is to be reviewed', () => {
    const queued = [submitted(5, 'A'), file(5.1, 'busy'), submitted(7, 'B')];
    // Of 2.1.332 the marker bears the queued prompt's id.
    const cut = [...queued, transcriptSays(9, 'interrupted', 'B'), file(9.1, 'idle'), file(9.2, 'busy')];
    expect(stateAfter(...cut, stopped(9.5, 'B'), file(9.6, 'idle'))).toBe('review');
    expect(stateAfter(...cut, file(9.6, 'idle', { readAfter: 1.05 }))).toBe('idle');
  });

  it('a Stop hook that makes Claude go on is no end', () => {
    const wentOn = [submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A'), starts(9.5, 'npm test')];
    expect(stateAfter(...wentOn)).toBe('busy');
  });

  it('a2: age is not staleness: busy for forty minutes is busy', () => {
    expect(stateAfter(submitted(5, 'A'), file(5.1, 'busy'), file(5.1, 'busy', { readAfter: 2400 }))).toBe(
      'busy',
    );
  });

  it('a9: a status that is not known is unknown', () => {
    expect(stateAfter(file(0, 'idle'), file(5, 'other'))).toBe('unknown');
  });

  it('/clear in review is idle: the user was there', () => {
    const done = [submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A'), file(9.1, 'idle')];
    const cleared = { type: 'session-renewed', at: at(20), sessionId: 'b0000000', how: 'clear' } as const;
    expect(sessionAfter(...done, cleared)).toMatchObject({
      state: 'idle',
      sessionId: 'b0000000',
      lastMessage: null,
    });
  });

  it('what was seen is idle, and a later end is review again', () => {
    const done = [submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A'), file(9.1, 'idle')];
    const seen = { type: 'seen', at: at(15) } as const;
    expect(sessionAfter(...done, seen)).toMatchObject({ state: 'idle', since: at(15) });
    expect(
      stateAfter(...done, seen, submitted(20, 'B'), file(20.1, 'busy'), stopped(25, 'B'), file(25.1, 'idle')),
    ).toBe('review');
  });

  it('busy lasts since the prompt, whatever was asked and answered in between', () => {
    const answered = [
      submitted(5, 'A'),
      file(5.1, 'busy'),
      asks(8, 'npm i'),
      file(7.9, 'waiting'),
      file(30, 'busy'),
    ];
    expect(sessionAfter(...answered)).toMatchObject({ state: 'busy', since: at(5) });
  });
});

describe('without hooks', () => {
  it('a turn that went through is review by the file alone', () => {
    expect(stateAfter(file(0, 'idle'), file(5, 'busy'), file(9, 'idle'))).toBe('review');
  });

  it('an interrupted one is idle as soon as the transcript says so', () => {
    const esc = [file(5, 'busy'), file(9, 'idle'), transcriptSays(4.9, 'started', 'A')];
    expect(stateAfter(...esc, transcriptSays(9, 'interrupted', 'A'))).toBe('idle');
  });

  it('an API error is review with its reason', () => {
    const session = sessionAfter(file(5, 'busy'), file(9, 'idle'), transcriptSays(8.9, 'failed'));
    expect(session).toMatchObject({ state: 'review', reason: 'API Error: 529' });
  });

  it('what finished before tsmux knew the session is no news', () => {
    expect(stateAfter(file(-300, 'idle', { readAfter: 300 }), transcriptSays(-301, 'finished'))).toBe('idle');
  });

  it('the transcript ends no turn while the file says busy', () => {
    expect(
      stateAfter(transcriptSays(5, 'started', 'A'), file(5, 'busy'), transcriptSays(8, 'finished')),
    ).toBe('busy');
  });
});

describe('without a session file (older Claude Code)', () => {
  it('hooks alone tell', () => {
    expect(stateAfter(submitted(5, 'A'))).toBe('busy');
    expect(stateAfter(submitted(5, 'A'), stopped(9, 'A'))).toBe('review');
  });

  it('a10: a prompt, then only the interrupt line of the transcript, is idle', () => {
    expect(stateAfter(submitted(5, 'A'), transcriptSays(9, 'interrupted', 'A'))).toBe('idle');
  });

  it('a11: an interrupt line older than the newest prompt changes nothing', () => {
    expect(stateAfter(submitted(5, 'A'), transcriptSays(9, 'interrupted', 'A'), submitted(12, 'B'))).toBe(
      'busy',
    );
    expect(stateAfter(submitted(12, 'B'), transcriptSays(9, 'interrupted', 'A'))).toBe('busy');
  });

  it('a7: with nothing that tells, it is unknown', () => {
    expect(stateAfter()).toBe('unknown');
  });
});

describe('after a restart of the daemon', () => {
  const restart = (...observations: readonly Observation[]) => {
    const saved = JSON.parse(JSON.stringify(told(...observations).save(at(100))));
    const registry = createRegistry(saved);
    expect(registry.all()).toEqual([]);
    registry.observe(key, seenAlive(200));
    return registry;
  };
  const done = [submitted(5, 'A'), file(5.1, 'busy'), stopped(9, 'A'), file(9.1, 'idle')];

  it('a23: busy is unknown until a source settles it', () => {
    const registry = restart(submitted(5, 'A'), file(5.1, 'busy'));
    expect(only(registry).state).toBe('unknown');
    registry.observe(key, file(5.1, 'busy', { readAfter: 200 }));
    expect(only(registry).state).toBe('busy');
  });

  it('a23: a turn that ended meanwhile is review', () => {
    const registry = restart(submitted(5, 'A'), file(5.1, 'busy'));
    registry.observe(key, file(150, 'idle', { readAfter: 50 }));
    registry.observe(key, transcriptSays(149.9, 'finished'));
    expect(only(registry).state).toBe('review');
  });

  it('a23: review stands, also when the file says idle', () => {
    const registry = restart(...done);
    expect(only(registry)).toMatchObject({ state: 'review', since: at(9) });
    registry.observe(key, file(9.1, 'idle', { readAfter: 200 }));
    expect(only(registry)).toMatchObject({ state: 'review', since: at(9), lastMessage: 'Done.' });
  });

  it('a23: what was seen stays seen', () => {
    const registry = restart(...done, { type: 'seen', at: at(20) });
    registry.observe(key, file(9.1, 'idle', { readAfter: 200 }));
    registry.observe(key, transcriptSays(8.9, 'finished'));
    expect(only(registry).state).toBe('idle');
  });

  it('a23: a prompt stands under the same id, and is gone when the file went on', () => {
    const asked = [submitted(5, 'A'), file(5.1, 'busy'), asks(8, 'npm i'), file(7.9, 'waiting')];
    const before = sessionAfter(...asked).prompts[0];
    const registry = restart(...asked);
    registry.observe(key, file(7.9, 'waiting', { readAfter: 200 }));
    expect(only(registry)).toMatchObject({
      state: 'needs-input',
      prompts: [{ id: before?.id, text: 'npm i' }],
    });
    registry.observe(key, file(210, 'busy'));
    expect(only(registry)).toMatchObject({ state: 'busy', prompts: [] });
  });

  it('takes nothing from a file that is not its own', () => {
    for (const junk of [null, 'x', 7, { version: 2 }, { version: 1, sessions: [{}], labels: [] }]) {
      expect(createRegistry(junk).all()).toEqual([]);
    }
  });
});

describe('a process', () => {
  it('a21: takes its session and its prompts with it when it dies, and no late hook brings it back', () => {
    const registry = told(submitted(5, 'A'), asks(8, 'npm i'));
    const changes: string[] = [];
    registry.subscribe((change) => changes.push(change.type));
    registry.observe(key, { type: 'process-gone', at: at(9) });
    registry.observe(key, ends(9.5, 'npm i'));
    registry.observe(key, seenAlive(10));
    expect(registry.all()).toEqual([]);
    expect(changes).toEqual(['gone']);
  });

  it('a hook that comes before anything else is not lost', () => {
    const registry = createRegistry();
    registry.observe(key, submitted(5, 'A'));
    expect(registry.all()).toEqual([]);
    registry.observe(key, seenAlive(6));
    expect(only(registry).state).toBe('busy');
  });

  it('a18: keeps its entry and its label when the session id changes under it', () => {
    const registry = told(file(0, 'idle'), { type: 'labelled', at: at(1), label: 'web' });
    const { id } = only(registry);
    registry.observe(key, file(0, 'idle', { readAfter: 5, sessionId: 'b0000000' }));
    expect(only(registry)).toMatchObject({ id, label: 'web', sessionId: 'b0000000' });
  });

  it('a19: two processes with one session id are two sessions, and their states do not mix', () => {
    const registry = told(file(0, 'idle'));
    const second = { ...key, pid: 801, startTime: 99 };
    registry.observe(second, seenAlive(1));
    registry.observe(second, file(3, 'busy'));
    expect(registry.all().map((session) => [session.pid, session.state])).toEqual([
      [801, 'busy'],
      [4242, 'idle'],
    ]);
  });
});
