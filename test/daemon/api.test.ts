import { describe, expect, it } from 'vitest';
import { aDaemon } from '../support/a-daemon.ts';
import { follow } from '../support/program.ts';
import { placedIn } from '../support/sessions.ts';
import { until } from '../support/until.ts';

describe('the API', () => {
  it('hands hooks on with their sender, and replies nothing', async () => {
    const { ask, claude, clock } = await aDaemon();
    const reply = await ask(
      'POST',
      '/v1/hook',
      { hook_event_name: 'Stop' },
      {
        'claude-pid': '4242',
        'hook-start': String(clock.now() - 30),
      },
    );
    expect(reply).toMatchObject({ status: 200, text: '' });
    expect(claude.hooks).toEqual([
      { body: '{"hook_event_name":"Stop"}', pid: 4242, start: clock.now() - 30 },
    ]);
  });

  it('answers only when the sources were read', async () => {
    let read = () => {};
    const daemon = await aDaemon(
      () =>
        new Promise((resolve) => {
          read = resolve;
        }),
    );
    const answer = daemon.sessions();
    expect((await daemon.ask('GET', '/v1/health')).status).toBe(200);
    daemon.begins(7);
    read();
    expect(await answer).toHaveLength(1);
  });

  it('learns of the message bus of whoever calls', async () => {
    const { ask, notified } = await aDaemon();
    await ask('GET', '/v1/quiet', undefined, {
      'env-dbus-session-bus-address': 'unix%3Apath%3D%2Frun%2Fbus',
    });
    expect(notified.buses).toEqual(['unix:path=/run/bus']);
  });

  it('learns the display of whoever calls', async () => {
    const { ask, desktop } = await aDaemon();
    await ask('GET', '/v1/sessions', undefined, { 'env-display': '%3A7', 'env-i3sock': '%2Frun%2F%C3%BC' });
    expect(desktop.learnt).toEqual([{ DISPLAY: ':7', I3SOCK: '/run/ü' }]);
  });

  it('g8: refuses a newer client before it does anything, and serves an older one', async () => {
    const { begins, ask, desktop, session } = await aDaemon();
    begins(7);
    await session(7);
    const newer = await ask('POST', '/v1/sessions/pid:7/go', undefined, { 'tsmux-version': '9.0.0' });
    expect(newer.status).toBe(426);
    expect(newer.headers['tsmux-version']).toBe('0.0.0');
    expect(desktop.gone).toEqual([]);
    // An old hook keeps working, and a newer client can end the daemon.
    const stop = await ask('POST', '/v1/stop', { again: true }, { 'tsmux-version': '9.0.0' });
    expect(stop.status).toBe(200);
  });

  it('replies an error with code, message and hint, and its version, whatever is asked', async () => {
    const { ask } = await aDaemon();
    const asked = [
      ['GET', '/'],
      ['GET', '/v1/sessions/%zz'],
      ['PUT', '/v1/sessions/x/label'],
      ['DELETE', '/v1/health'],
      ['POST', '/v1/click'],
      ['GET', '/v1/../../etc/passwd'],
    ] as const;
    for (const [method, path] of asked) {
      const { status, text, headers } = await ask(method, path);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers['tsmux-version']).toBe('0.0.0');
      const { error } = JSON.parse(text) as { error: Record<string, unknown> };
      expect(Object.keys(error)).toEqual(['code', 'message', 'hint']);
    }
  });

  it('says in words what is wrong with a body', async () => {
    const { ask } = await aDaemon();
    const said = async (method: string, path: string, body: object) =>
      (JSON.parse((await ask(method, path, body)).text) as { error: { message: string } }).error.message;
    for (const minutes of [0, 1441, 1.5, '30'])
      expect(await said('PUT', '/v1/quiet', { minutes })).toBe(
        'minutes: a whole number from 1 to 1440 is wanted',
      );
    expect(await said('POST', '/v1/prompts/only/answer', { keys: ['A'] })).toBe(
      'keys.0: not the key of an option, nor several of one question, as 1,3',
    );
    expect(await said('POST', '/v1/pin', [])).toBe('the body: not as it should be');
  });

  it('gives labels that are unique and not all digits', async () => {
    const { begins, ask, session } = await aDaemon();
    begins(7);
    begins(8);
    await session(8);
    const label = (pid: number, text: string) => ask('PUT', `/v1/sessions/pid:${pid}/label`, { label: text });
    expect((await label(7, 'web')).status).toBe(200);
    expect((await label(8, 'web')).status).toBe(400);
    expect((await label(8, '12')).status).toBe(400);
    expect((await session(7)).label).toBe('web');
    expect((await ask('DELETE', '/v1/sessions/web/label')).status).toBe(200);
    expect((await session(7)).label).toBeNull();
  });

  it('tells watchers what changed, and who went', async () => {
    const { begins, finishes, ends, session, clock, socket, wiring } = await aDaemon();
    begins(7);
    const { id } = await session(7);
    const all = await follow(socket, '/v1/watch');
    const changes = await follow(socket, '/v1/watch?changes-only=1');
    await until(() => all.lines.length === 1, { why: 'the snapshot' });
    clock.pass(200);
    finishes(7);
    clock.pass(100);
    await until(() => changes.lines.length === 1, { why: 'the change' });
    ends(7);
    clock.pass(100);
    await until(() => changes.lines.length === 2, { why: 'the end' });
    await wiring.stop();
    expect(await all.ended).toBe(true);
    expect(all.lines.map((line) => JSON.parse(line))).toMatchObject([
      { type: 'snapshot', version: 1, sessions: [{ id }], quiet: { until: null } },
      { type: 'session', session: { id, state: 'review' } },
      { type: 'gone', id },
    ]);
    expect(changes.lines).toEqual(all.lines.slice(1));
  });

  it('explains how a place and a state were found', async () => {
    const { begins, finishes, ask, desktop, session } = await aDaemon();
    desktop.place(7, placedIn({}));
    begins(7);
    finishes(7);
    await session(7);
    const { text } = await ask('GET', '/v1/sessions/pid:7/explain');
    expect(JSON.parse(text)).toMatchObject({
      place: { certainty: 'exact' },
      hops: [{ at: 'pid 7', how: 'the test says so' }],
      facts: [
        { what: 'hook: the turn ended (finished)' },
        { what: 'hook: a turn began (user)' },
        { what: 'process is alive (interactive)' },
      ],
    });
  });
});
