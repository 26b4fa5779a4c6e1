import { expect, it } from 'vitest';
import { seen } from '../../src/cli/seen.ts';
import { Failure } from '../../src/system/failure.ts';

/** A daemon with these sessions in review, of which one has ended when it is to be marked. */
function aDaemon(reviewed: readonly string[], ended: string) {
  const marked: string[] = [];
  const client = {
    async request(method: string, path: string) {
      if (method === 'GET') return { sessions: reviewed.map((id) => ({ id, state: 'review' })) };
      if (path === `/v1/sessions/${ended}/seen`) {
        throw new Failure('no-such-session', `no session is called "${ended}"`, 'see: tsmux list');
      }
      marked.push(path);
      return null;
    },
  };
  return { client, marked };
}

it('all that are up for review are marked as seen, although one of them ends meanwhile', async () => {
  const { client, marked } = aDaemon(['k1', 'k2', 'k3'], 'k2');
  await seen({ client }, undefined);
  expect(marked).toEqual(['/v1/sessions/k1/seen', '/v1/sessions/k3/seen']);
});

it('the one that was named must be there', async () => {
  const { client } = aDaemon([], 'web');
  await expect(seen({ client }, 'web')).rejects.toThrow('no session is called "web"');
});
