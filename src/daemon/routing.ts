import { Failure } from '../system/failure.ts';

/** RFC 9112, 3.2: a request names what it wants by its path, or by a whole address. */
export function urlOf(target: string): URL {
  try {
    return new URL(target, 'http://tsmux');
  } catch {
    throw new Failure('bad-request', `no address: ${target}`, 'see docs/api.md');
  }
}

/** `GET`, `/v1/bar/i3bar` → `GET /v1/bar/{}`, `i3bar`. */
export function routeOf(method: string, path: string): { name: string; argument: string } {
  const [root, api, room, argument, ...rest] = path.split('/');
  if (argument === undefined) return { name: `${method} ${path}`, argument: '' };
  return {
    name: `${method} ${[root, api, room, '{}', ...rest].join('/')}`,
    argument: decoded(argument),
  };
}

/** Percent-decoded. @throws Failure `bad-request`. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Failure('bad-request', `not percent-encoded: ${text}`, 'see docs/api.md');
  }
}
