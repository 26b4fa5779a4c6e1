import { expect, it } from 'vitest';
import { createFactLog } from '../../src/daemon/explain.ts';
import { sessionIdOf } from '../../src/sessions/ids.ts';
import type { Registry } from '../../src/sessions/registry.ts';
import { keyOf } from '../support/rooms.ts';

it('what each source said is told newest first, in whatever order it was heard', () => {
  const log = createFactLog({ subscribe: () => () => {} } as unknown as Registry);
  const key = keyOf(7);
  log.note(key, { type: 'seen', at: 1_000 });
  log.note(key, { type: 'command-run', at: 3_000 });
  log.note(key, { type: 'seen', at: 2_000 });
  expect(log.of(sessionIdOf(key)).map(({ what }) => what)).toEqual([
    'transcript: the user ran a command',
    'seen',
    'seen',
  ]);
});
