import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { aSessionThatAsks } from '../support/asking.ts';
import { hookBody } from '../support/hooks.ts';
import { until } from '../support/until.ts';

/** A hook of the session that wants to know all the while that the daemon is well, and all that it was told. */
function asksPatiently(socketPath: string, start: number, event: string) {
  const headers = { 'claude-pid': 7, 'hook-start': start };
  const path = '/v1/hook?keep-alive=1';
  const told = { text: '', ended: false, length: undefined as string | undefined };
  const sent = request({ socketPath, method: 'POST', path, headers, agent: false });
  sent.once('response', (reply) => {
    told.length = reply.headers['content-length'];
    reply.setEncoding('utf8').on('data', (chunk: string) => {
      told.text += chunk;
    });
    reply.once('end', () => {
      told.ended = true;
    });
  });
  sent.end(JSON.stringify(hookBody(event)));
  return { told, leaves: () => void sent.destroy() };
}

describe('a hook that would know when the daemon hangs', () => {
  it('is told at once, and again every five seconds, that it does not; then it has the answer', async () => {
    const { socket, clock, prompt, answer } = await aSessionThatAsks();
    const { told } = asksPatiently(socket, clock.now(), 'PermissionRequest.Bash');
    const { id } = await prompt(({ answerable }) => answerable === 'hook');
    for (let beats = 0; beats < 3; beats++) {
      const before = told.text.length;
      clock.pass(5_000);
      await until(() => told.text.length > before, { why: 'a word' });
    }
    expect(told).toMatchObject({ text: expect.stringMatching(/^ +$/), ended: false });
    await answer(id, '1');
    await until(() => told.ended, { why: 'the end' });
    expect(JSON.parse(told.text).hookSpecificOutput.decision).toEqual({ behavior: 'allow' });
  });

  it('has no decision in what it was told when nobody has answered', async () => {
    const { socket, clock, prompt, tells } = await aSessionThatAsks();
    const { told } = asksPatiently(socket, clock.now(), 'PermissionRequest.Bash');
    await prompt(({ answerable }) => answerable === 'hook');
    clock.pass(5_000);
    await tells(hookBody('Stop', { prompt_id: 'any' }));
    await until(() => told.ended, { why: 'the end' });
    expect(told.text.trim()).toBe('');
  });

  it('is told nothing where it waits for nothing', async () => {
    const { socket, clock } = await aSessionThatAsks();
    const { told } = asksPatiently(socket, clock.now(), 'Stop');
    await until(() => told.ended, { why: 'the end' });
    expect(told).toMatchObject({ text: '', length: '0' });
  });

  it('lets go of the prompt when it has gone', async () => {
    const { socket, clock, prompt } = await aSessionThatAsks();
    const { leaves } = asksPatiently(socket, clock.now(), 'PermissionRequest.Bash');
    await prompt(({ answerable }) => answerable === 'hook');
    leaves();
    await prompt(({ answerable }) => answerable === 'no');
    clock.pass(10_000);
  });
});
