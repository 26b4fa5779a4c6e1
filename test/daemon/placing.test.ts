import { describe, expect, it } from 'vitest';
import { nowhere } from '../../src/sessions/place.ts';
import { aDaemon } from '../support/a-daemon.ts';
import { settled } from '../support/passing.ts';
import { until } from '../support/until.ts';

/** No window event tells of these: the windows are the same as before. */
describe('a background session is looked for again', () => {
  async function aBackgroundSession() {
    const daemon = await aDaemon();
    const { begins, observe, clock, session, desktop } = daemon;
    begins(7);
    await session(7);
    const isSeen = (kind: 'interactive' | 'background') =>
      observe(7, {
        type: 'process-seen',
        at: clock.now(),
        kind,
        entrypoint: 'cli',
        cwd: '/home/ada/code/s7',
        configDir: '/home/ada/.claude',
        startedAt: clock.now(),
      });
    const isAt = (reason: string) =>
      until(async () => (await session(7)).place.reason === reason, { why: reason });
    await isAt('no window');
    desktop.place(7, nowhere('no window shows it'));
    clock.pass(1);
    return { ...daemon, isSeen, isAt };
  }

  it('when it turns out to be one', async () => {
    const { isSeen, isAt } = await aBackgroundSession();
    isSeen('background');
    await isAt('no window shows it');
  });

  it('when it asks, as somebody may have attached to it', async () => {
    const { isSeen, isAt, asks, desktop } = await aBackgroundSession();
    isSeen('background');
    await isAt('no window shows it');
    desktop.place(7, nowhere('no client shows its pane'));
    asks(7);
    await isAt('no client shows its pane');
  });

  it('whenever the sources are read again', async () => {
    const { isSeen, isAt, clock, desktop } = await aBackgroundSession();
    isSeen('background');
    await isAt('no window shows it');
    desktop.place(7, nowhere('no client shows its pane'));
    clock.pass(60_000);
    await isAt('no client shows its pane');
  });

  it('and another is not', async () => {
    const { isSeen, asks, clock, desktop, session } = await aBackgroundSession();
    const { searches } = desktop;
    isSeen('interactive');
    asks(7);
    clock.pass(60_000);
    expect((await session(7)).place.reason).toBe('no window');
    expect(desktop.searches).toBe(searches);
  });
});

describe('a session that cannot be looked for, as no file descriptor is left', () => {
  it('keeps its place, and is looked for again a second later', async () => {
    const { begins, session, desktop, clock } = await aDaemon();
    desktop.place(7, nowhere('no window shows it'));
    begins(7);
    const isAt = (reason: string) =>
      until(async () => (await session(7)).place.reason === reason, { why: reason });
    await isAt('no window shows it');
    const { locate } = desktop;
    desktop.locate = () => Promise.reject(Object.assign(new Error('EMFILE'), { code: 'EMFILE' }));
    desktop.changed();
    await settled();
    expect((await session(7)).place.reason).toBe('no window shows it');
    desktop.locate = locate;
    desktop.place(7, nowhere('no client shows its pane'));
    clock.pass(1_000);
    await isAt('no client shows its pane');
  });
});
