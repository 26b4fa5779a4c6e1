import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/sessions/observation.ts';
import { at, file, stateAfter, stopped, submitted, transcriptSays } from './told.ts';

const queued = (s: number): Observation => ({ type: 'turn-queued', at: at(s) });
const command = (s: number): Observation => ({ type: 'command-run', at: at(s) });

describe('between a turn and one that was queued behind it', () => {
  const first = [submitted(5, 'A'), file(5.05, 'busy'), queued(7), stopped(9, 'A')];

  it('there is nothing to review', () => {
    expect(stateAfter(...first)).toBe('busy');
    expect(stateAfter(...first, file(9.1, 'idle'))).toBe('busy');
    const second = [file(9.1, 'idle'), file(9.2, 'busy'), transcriptSays(9.3, 'started', 'B')];
    expect(stateAfter(...first, ...second)).toBe('busy');
    expect(stateAfter(...first, ...second, stopped(12, 'B'), file(12.1, 'idle'))).toBe('review');
  });

  it('there is, when what was queued was taken up before the turn ended', () => {
    expect(stateAfter(...first, file(9.1, 'idle', { readAfter: 1.1 }))).toBe('review');
  });

  it('there is nothing without hooks either', () => {
    const told = [transcriptSays(5, 'started', 'A'), file(5.05, 'busy'), queued(7)];
    expect(stateAfter(...told, transcriptSays(9, 'finished'), file(9.1, 'idle'))).toBe('busy');
  });

  it('what was queued before it began is none of it', () => {
    expect(stateAfter(queued(4), submitted(5, 'A'), file(5.05, 'busy'), stopped(9, 'A'))).toBe('review');
  });
});

describe('a command of the user’s own that is no turn', () => {
  const renames = [file(0, 'idle'), file(5, 'busy'), command(5.1)];

  it('leaves nothing to review where only the files tell', () => {
    expect(stateAfter(...renames, file(5.2, 'idle'))).toBe('idle');
  });

  it('leaves nothing to review where the hook of the turn before ran when that was queued', () => {
    const first = [submitted(5, 'A'), file(5.05, 'busy'), queued(7), submitted(7, 'B'), stopped(9, 'A')];
    const second = [file(9.1, 'idle'), file(9.2, 'busy'), transcriptSays(9.3, 'started', 'C')];
    const over = [...first, ...second, stopped(9.5, 'C'), file(9.55, 'idle')];
    expect(stateAfter(...over)).toBe('review');
    const renamed = [...over, { type: 'seen', at: at(20) } as const, file(30, 'busy'), file(30.1, 'idle')];
    expect(stateAfter(...renamed)).toBe('busy');
    expect(stateAfter(...renamed, command(30.05))).not.toBe('review');
    expect(stateAfter(...renamed, file(30.1, 'idle', { readAfter: 1.1 }))).toBe('idle');
  });

  it('makes nothing of the turn that comes after it', () => {
    const turn = [file(5.2, 'idle'), file(9, 'busy'), file(12, 'idle')];
    expect(stateAfter(...renames, ...turn)).toBe('review');
    expect(stateAfter(...renames, transcriptSays(5.15, 'started', 'A'), file(9, 'idle'))).toBe('review');
  });
});
