import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { hookTime } from '../claude/hook-script.ts';
import { type HookSender, hookBodyLimit } from '../claude/hooks.ts';
import type { Hop } from '../desktop/desktop.ts';
import type { Place } from '../sessions/place.ts';
import type { Session, Snapshot } from '../sessions/session.ts';
import type { Clock } from '../system/clock.ts';
import { Failure } from '../system/failure.ts';
import { jsonText } from '../system/json-text.ts';
import type { Log } from '../system/log.ts';
import { version } from '../system/version.ts';
import type { BarOptions } from './bars.ts';
import type { Waiting } from './holding.ts';
import {
  beatUntilAnswered,
  empty,
  isNewer,
  json,
  parseJson,
  type Reply,
  readBody,
  send,
  sendFailure,
  startLines,
  taken,
} from './http.ts';
import type { Next } from './next.ts';
import type { OpenPrompt } from './pinning.ts';
import type { Prompts } from './prompts.ts';
import { minutesOf, type QuietKeeper, quietBody } from './quiet.ts';
import { decoded, routeOf, targetOf } from './routing.ts';
import type { Snapshots } from './snapshots.ts';
import { type Lines, stream } from './stream.ts';
import {
  CALLER_HEADER,
  type ClientEnvironment,
  ENVIRONMENT_HEADERS,
  KEYS_OF_ONE,
  type WireHealth,
  wireEvents,
  wireHistory,
  wireOpenPrompt,
  wireSession,
  wireSnapshot,
} from './wire.ts';

/**
 * HTTP/1.1 over `$XDG_RUNTIME_DIR/tsmux/tsmux.sock`. `curl --unix-socket` is a full client.
 *
 * | route | does |
 * |---|---|
 * | `POST /v1/hook?keep-alive=1` | takes one hook of Claude Code; the hook prints the body of a reply with status 200, which is empty |
 * | `GET /v1/sessions` | the snapshot of `tsmux list --json` |
 * | `GET /v1/sessions/{s}` | one session of it |
 * | `GET /v1/sessions/{s}/explain` | how its place and its state were found |
 * | `POST /v1/sessions/{s}/go`, `/seen` | goes to its window; review becomes idle |
 * | `PUT`, `DELETE /v1/sessions/{s}/label` | `{"label": "web"}` |
 * | `POST /v1/next` | `{"back": false}`: goes on to the session that needs the user, or back; replies the session; null: another window |
 * | `GET /v1/watch?changes-only=1` | lines: what `tsmux watch` prints |
 * | `GET /v1/bar/{kind}?output=&slot=&once=1&keep-alive=1` | lines: what a bar of that kind shows |
 * | `POST /v1/click` | a click on a block |
 * | `GET /v1/prompts` | all open prompts, oldest first |
 * | `GET /v1/prompts/{p}` | one of them, with its whole text |
 * | `POST /v1/prompts/{p}/answer` | `{"keys": ["1"], "text": null, "step": false}` |
 * | `POST /v1/pin`, `DELETE /v1/pin` | `{"prompt": "p7c2ab"}`, or `{}` for the oldest: picks a prompt; replies it |
 * | `GET /v1/history` | what asked, what was answered, by which way |
 * | `GET /v1/quiet` | `{"until": null}` |
 * | `PUT /v1/quiet`, `DELETE /v1/quiet` | `{"minutes": 30}` or `{"preset": "lunch"}`: no notifications for so long; or again from now on |
 * | `GET /v1/health` | version, pid |
 * | `POST /v1/stop` | ends the daemon; replies the health that it had. `{"again": true}`: for a newer one to come |
 *
 * `{s}` is an id, a label, a unique part of a label or name, or `pid:N`. `{p}` is a prompt's id, `pinned`, `only` (the
 * only one that is open), or a session, for its only one. Every reply has a `tsmux-version` header;
 * errors are `{"error": {"code", "message", "hint"}}`. Requests may have a `tsmux-version` header: a daemon that
 * is older than its client replies 426 and does nothing, so that the client can replace it. The headers
 * `env-display`, `env-wayland-display`, `env-xauthority`, `env-i3sock`, `env-swaysock` and `env-dbus-session-bus-address`
 * (percent-encoded) tell of the client's desktop, `client-pid` which process it is.
 */
export interface Services {
  readonly clock: Clock;
  readonly log: Log;
  readonly snapshots: Snapshots;
  /** @throws Failure `no-such-session` or `not-unique`. */
  readonly resolve: (query: string) => Session;
  /**
   * @returns whether its program waits for a decision: `waiting` is replied to later.
   * @throws Failure when it says nothing of any session.
   */
  readonly hook: (body: string, sender: HookSender, waiting: Waiting) => boolean;
  readonly prompts: Pick<Prompts, 'open' | 'show' | 'answer' | 'pin' | 'unpin' | 'history' | 'marked'>;
  /** @throws Failure `refused` when the process, where it is known, belongs to a session. */
  readonly checkCaller: (pid: number | null) => void;
  readonly go: (session: Session) => Promise<void>;
  readonly next: Next;
  readonly seen: (session: Session) => void;
  /** @throws Failure when the label cannot be given. */
  readonly label: (session: Session, label: string | null) => void;
  readonly explain: (session: Session) => Promise<Explanation>;
  /** @throws Failure for a kind of bar that there is not. */
  readonly bar: (kind: string, options: BarOptions) => Lines;
  readonly click: (body: unknown, caller: number | null) => Promise<void>;
  readonly quiet: Pick<QuietKeeper, 'start' | 'end'>;
  /** Minutes, by name. */
  readonly presets: () => Readonly<Record<string, number>>;
  readonly learn: (environment: ClientEnvironment) => void;
  readonly health: () => WireHealth;
  /** @param again asks a service manager, where one keeps the daemon, to start it again. */
  readonly stop: (again: boolean) => void;
  /** Resolved when the sources were read: before that, nothing that could be told is true. */
  readonly ready: Promise<void>;
  /** Resolved soon after it: the sessions have their places, where a desktop tells them quickly. */
  readonly placed: Promise<void>;
}

export interface Explanation {
  readonly session: Session;
  /** As it is at this moment. */
  readonly place: Place;
  readonly hops: readonly Hop[];
  /** The newest facts that the state was folded from, newest first. */
  readonly facts: readonly { readonly at: string; readonly what: string }[];
}

const LARGEST_BODY = 64 * 1024;

/** What a newer client may still want of a daemon that it is about to replace. */
const SERVED_TO_NEWER = new Set(['POST /v1/stop', 'POST /v1/hook']);

const labelBody = z.object({ label: z.string() });
const SERVED_AT_ONCE = new Set(['POST /v1/stop', 'GET /v1/health']);
/** What is replied once and read by somebody. A bar shows what is known, and then more. */
const TELLS_PLACES = new Set([
  'GET /v1/sessions',
  'GET /v1/sessions/{}',
  'GET /v1/sessions/{}/explain',
  'GET /v1/watch',
  'POST /v1/next',
]);

const means = z.enum(['allow', 'allow-always', 'deny', 'choice', 'mode', 'go']);
const error = 'not the key of an option, nor several of one question, as 1,3';
const keysOfOne = z.string().check(z.regex(KEYS_OF_ONE, { error }));
/** As on the wire: see `WireAnswer`. */
const answerBody = z.object({
  keys: z._default(z.array(keysOfOne).check(z.maxLength(16)), []),
  text: z._default(z.nullable(z.string().check(z.maxLength(20_000))), null),
  step: z._default(z.boolean(), false),
  question: z._default(z.nullable(z.int()), null),
  shown: z._default(z.nullable(z.object({ key: z.string(), label: z.string(), means })), null),
});
const pinBody = z.object({ prompt: z._default(z.nullable(z.string()), null) });

const stopBody = z.object({ again: z._default(z.boolean(), false) });
const nextBody = z.object({ back: z._default(z.boolean(), false) });

interface Call {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
  /** The part of the path that the route leaves open, decoded. */
  readonly argument: string;
}

export interface Api {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Ends all streams, in order. */
  end(): void;
}

export function createApi(services: Services): Api {
  const { snapshots, clock, log, prompts } = services;
  const session = (call: Call) => services.resolve(call.argument);

  /** `{}` is the argument. */
  const routes: Readonly<Record<string, (call: Call) => Reply | Promise<Reply>>> = {
    'POST /v1/hook': hook,
    'GET /v1/sessions': () => ({ type: 'text', text: snapshotText() }),
    'GET /v1/sessions/{}': (call) => json(wireSession(session(call))),
    'GET /v1/sessions/{}/explain': async (call) => {
      const explained = await services.explain(session(call));
      return json({ ...explained, session: wireSession(explained.session) });
    },
    'POST /v1/sessions/{}/go': async (call) => {
      await services.go(session(call));
      return empty;
    },
    'POST /v1/sessions/{}/seen': (call) => {
      services.seen(session(call));
      return empty;
    },
    'PUT /v1/sessions/{}/label': async (call) => {
      services.label(session(call), (await body(call, labelBody)).label);
      return empty;
    },
    'DELETE /v1/sessions/{}/label': (call) => {
      services.label(session(call), null);
      return empty;
    },
    'POST /v1/next': async (call) => {
      const { next } = services;
      const to = (await body(call, nextBody)).back ? await next.back() : await next.on();
      return json(to === null ? null : wireSession(to));
    },
    'GET /v1/watch': (call) => lines(call, watching(call.query.get('changes-only') === '1')),
    'GET /v1/bar/{}': (call) => lines(call, services.bar(call.argument, barOptions(call.query))),
    'GET /v1/prompts': () => json({ version: 1, prompts: prompts.open().map(opened) }),
    'GET /v1/prompts/{}': (call) => json(opened(prompts.show(call.argument))),
    'POST /v1/prompts/{}/answer': async (call) => {
      services.checkCaller(callerOf(call));
      return json(await prompts.answer(call.argument, await body(call, answerBody)));
    },
    'POST /v1/pin': async (call) => {
      services.checkCaller(callerOf(call));
      return json(opened(prompts.pin((await body(call, pinBody)).prompt)));
    },
    'DELETE /v1/pin': () => {
      prompts.unpin();
      return empty;
    },
    'GET /v1/history': () => json(wireHistory(prompts.history())),
    'POST /v1/click': async (call) => {
      await services.click(parseJson(await readBody(call.request, LARGEST_BODY)), callerOf(call));
      return empty;
    },
    'GET /v1/quiet': () => json(wireSnapshot(snapshots.current()).quiet),
    'PUT /v1/quiet': async (call) => {
      services.quiet.start(minutesOf(await body(call, quietBody), services.presets()));
      return json(wireSnapshot(snapshots.current()).quiet);
    },
    'DELETE /v1/quiet': () => {
      services.quiet.end();
      return empty;
    },
    'GET /v1/health': () => json(services.health()),
    'POST /v1/stop': async (call) => {
      const { again } = await body(call, stopBody);
      call.response.once('close', () => services.stop(again));
      return json(services.health());
    },
  };
  const streams = new Set<ServerResponse>();
  const texts = new WeakMap<Snapshot, string>();

  /** Scripts ask again and again, mostly when nothing has changed. */
  function snapshotText(): string {
    const now = snapshots.current();
    const text = texts.get(now) ?? jsonText(wireSnapshot(now));
    texts.set(now, text);
    return text;
  }

  async function hook(call: Call): Promise<Reply> {
    const { headers } = call.request;
    const text = await readBody(call.request, hookBodyLimit);
    const pid = numberIn(headers['claude-pid']);
    const times = { 'hook-start': headers['hook-start'], 'hook-uptime': headers['hook-uptime'] };
    const waits = services.hook(text, { pid, start: hookTime(times, clock.now()) }, waitingIn(call));
    if (!waits) return empty;
    if (call.query.get('keep-alive') === '1' && !call.response.headersSent)
      beatUntilAnswered(call.response, clock);
    return taken;
  }

  /** Shows the prompt with its pin, and the question that it is at. */
  function opened({ session, prompt }: OpenPrompt) {
    const marked = prompts.marked(session).prompts.find(({ id }) => id === prompt.id);
    const { pinned = false, asking = null } = marked ?? {};
    return wireOpenPrompt(session, { ...prompt, pinned, asking });
  }

  function watching(changesOnly: boolean): Lines {
    let told: Snapshot | null = changesOnly ? snapshots.current() : null;
    return {
      subscribe: snapshots.subscribe,
      take() {
        const now = snapshots.current();
        const events = wireEvents(told, now);
        told = now;
        return events.map((event) => `${jsonText(event)}\n`).join('');
      },
    };
  }

  function lines(call: Call, source: Lines): Reply {
    startLines(call.response);
    if (call.query.get('once') === '1') call.response.end(source.take());
    else {
      streams.add(call.response);
      call.response.once('close', () => streams.delete(call.response));
      stream(call.response, source, clock);
    }
    return taken;
  }

  async function run(request: IncomingMessage, response: ServerResponse): Promise<Reply> {
    const { path, query } = targetOf(request.url ?? '/');
    const found = routeOf(request.method ?? 'GET', path);
    const route = routes[found.name];
    if (route === undefined) {
      throw new Failure('no-such-route', `there is no ${request.method} ${path}`, 'see docs/api.md');
    }
    const theirs = request.headers['tsmux-version'];
    if (typeof theirs === 'string' && isNewer(theirs, version) && !SERVED_TO_NEWER.has(found.name)) {
      throw new Failure('older-daemon', `the daemon is of version ${version}`, 'restart it with: tsmux stop');
    }
    learn(request);
    if (!SERVED_AT_ONCE.has(found.name)) await services.ready;
    if (TELLS_PLACES.has(found.name)) await services.placed;
    return route({ request, response, query, argument: found.argument });
  }

  function learn(request: IncomingMessage): void {
    const environment: Record<string, string> = {};
    for (const [name, header] of ENVIRONMENT) {
      const value = request.headers[header];
      if (typeof value === 'string' && value !== '') environment[name] = decoded(value);
    }
    if (Object.keys(environment).length > 0) services.learn(environment);
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    // A client that breaks off is no news, and its error no reason to end.
    response.on('error', () => {});
    run(request, response)
      .then((reply) => {
        if (reply.type === 'json') send(response, 200, `${jsonText(reply.value)}\n`);
        else if (reply.type === 'text') send(response, 200, `${reply.text}\n`);
        else if (reply.type === 'empty') send(response, 200, '');
      })
      .catch((error: unknown) => {
        if (!(error instanceof Failure)) log.error({ error: String(error) }, 'a request failed');
        const failure =
          error instanceof Failure ? error : new Failure('failed', 'the daemon failed', 'see its log');
        if (response.headersSent) response.destroy();
        else sendFailure(response, failure);
      });
  }

  return {
    handle,
    end() {
      for (const response of streams) response.end();
    },
  };
}

const ENVIRONMENT = Object.entries(ENVIRONMENT_HEADERS);

/**
 * A prompt may be open for days, and the connection is ended by the decision: the time limits of node:http are for requests
 * that are not whole, and sockets have none.
 */
function waitingIn({ response }: Call): Waiting {
  return {
    reply(output) {
      const text = output === '' ? '' : `${output}\n`;
      if (response.destroyed || response.writableEnded) return;
      if (response.headersSent) response.end(text);
      else send(response, 200, text);
    },
    onClosed: (closed) => void response.once('close', closed),
  };
}

function callerOf({ request }: Call): number | null {
  return numberIn(request.headers[CALLER_HEADER]);
}

function barOptions(query: URLSearchParams): BarOptions {
  return {
    output: query.get('output') || null,
    slot: query.get('slot') || null,
    keepAlive: query.get('keep-alive') === '1',
  };
}

async function body<T extends z.ZodMiniType>(call: Call, schema: T): Promise<z.infer<T>> {
  const text = await readBody(call.request, LARGEST_BODY);
  const read = schema.safeParse(text === '' ? {} : parseJson(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const what = issue?.path.join('.') || 'the body';
  const why = issue?.message === 'Invalid input' ? 'not as it should be' : issue?.message;
  throw new Failure('bad-request', `${what}: ${why}`, 'see docs/api.md');
}

function numberIn(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
}
