import { describe, expect, it } from 'vitest';
import { at, file, sessionAfter, submitted } from './told.ts';

describe('a compaction', () => {
  it('is an indicator and no state', () => {
    const compacting = [
      submitted(5, 'A'),
      file(5.1, 'busy'),
      { type: 'compaction', at: at(6), running: true } as const,
    ];
    expect(sessionAfter(...compacting)).toMatchObject({ state: 'busy', compacting: true });
    const over = { type: 'compaction', at: at(9), running: false } as const;
    expect(sessionAfter(...compacting, over)).toMatchObject({ state: 'busy', compacting: false });
  });

  it('that failed, of which no hook tells the end, is over for good when the file was idle', () => {
    const failed = [
      file(5, 'busy'),
      { type: 'compaction', at: at(6), running: true } as const,
      file(7, 'idle'),
    ];
    expect(sessionAfter(...failed)).toMatchObject({ compacting: false });
    expect(sessionAfter(...failed, file(9, 'busy'))).toMatchObject({ state: 'busy', compacting: false });
  });

  it('that had nothing to do, for which the file was not even busy, is over when it was run', () => {
    const asked = [file(5, 'idle'), { type: 'compaction', at: at(6), running: true } as const];
    expect(sessionAfter(...asked)).toMatchObject({ compacting: true });
    const over = { type: 'command-run', at: at(6.02) } as const;
    expect(sessionAfter(...asked, over)).toMatchObject({ compacting: false });
    expect(sessionAfter(...asked, over, file(9, 'busy'))).toMatchObject({ compacting: false, reason: null });
  });
});
