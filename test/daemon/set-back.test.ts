import { expect, it } from 'vitest';
import { aDaemon } from '../support/a-daemon.ts';

it('the newest label counts also in the moment after the clock was set back', async () => {
  const { begins, clock, ask, session } = await aDaemon();
  begins(7);
  const label = (text: string) => ask('PUT', '/v1/sessions/pid:7/label', { label: text });
  await label('web');
  clock.jump(-3_600_000);
  for (const text of ['shop', 'api', 'docs', 'app']) await label(text);
  expect((await session(7)).label).toBe('app');
});
