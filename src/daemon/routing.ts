import { Failure } from '../system/failure.ts';

/** What a request names: RFC 9112, 3.2, a path with or without a query, or a whole address. */
export function targetOf(target: string): { readonly path: string; readonly query: URLSearchParams } {
  if (!target.startsWith('/')) {
    const url = urlOf(target);
    return { path: url.pathname, query: url.searchParams };
  }
  const end = target.indexOf('?');
  return end < 0
    ? { path: target, query: new URLSearchParams() }
    : { path: target.slice(0, end), query: new URLSearchParams(target.slice(end)) };
}

function urlOf(target: string): URL {
  try {
    return new URL(target);
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
