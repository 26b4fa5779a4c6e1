import { rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import * as z from 'zod/mini';
import { until } from '../support/until.ts';
import { type Answer, type Folders, failed, PLAN_FILE, type Said, scenarios } from './scenarios.ts';

/**
 * The Messages API as far as Claude Code uses it (docs.anthropic.com, "Messages" and "Streaming Messages"), with
 * scripted answers, on a Unix socket. namespace.ts makes it reachable where Claude Code runs.
 */
export interface Model {
  /** Lets what is said endlessly come to its end; waits until something is. */
  finish(): Promise<void>;
  /** Names of the scenarios that were asked for, in order, one for each request. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

const Block = z.looseObject({ type: z.string(), text: z.optional(z.string()) });
const Content = z.union([z.string(), z.array(Block)]);
const Request = z.looseObject({
  model: z.string(),
  stream: z.optional(z.boolean()),
  tools: z.optional(z.array(z.unknown())),
  messages: z.array(z.looseObject({ role: z.string(), content: Content })),
});
type Request = z.infer<typeof Request>;

const textOf = (content: z.infer<typeof Content>) =>
  typeof content === 'string' ? content : content.map((block) => block.text ?? '').join('\n');

/** The file that Claude Code wants a plan to be written to; it says so only in the requests of plan mode. */
function planFile(body: string): string | undefined {
  return /\/[^\s"\\]+\/plans\/[\w-]+\.md/.exec(body)?.[0];
}

/** Which scenario the newest words name, and how many tool results came back since. */
function position(request: Request): { name: string; step: number } | null {
  let step = 0;
  for (const { role, content } of request.messages.toReversed()) {
    if (role !== 'user') continue;
    const name = [...textOf(content).matchAll(/SCN:(\w+)/g)].at(-1)?.[1];
    if (name !== undefined) return { name, step };
    if (typeof content !== 'string' && content.some((block) => block.type === 'tool_result')) step++;
  }
  return null;
}

async function bodyOf(message: IncomingMessage): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

export async function startModel(options: {
  readonly socket: string;
  readonly folders: Folders;
}): Promise<Model> {
  const script = scenarios(options.folders);
  const asked: string[] = [];
  const finishing = new Set<() => void>();
  let count = 0;

  function answerTo(request: Request): Answer {
    const at = position(request);
    if (at === null || (request.tools ?? []).length === 0)
      return { text: '{"title":"A talk about the webshop"}' };
    asked.push(at.name);
    const answers = script[at.name];
    return answers?.[Math.min(at.step, answers.length - 1)] ?? { text: `There is no scenario ${at.name}.` };
  }

  async function stream(
    response: ServerResponse,
    message: object,
    said: Said,
    blocks: readonly Record<string, unknown>[],
  ) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (type: string, rest: object = {}) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
    event('message_start', { message });
    if (said.endless) {
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } });
      await new Promise<void>((over) => {
        // Claude Code shows whole lines.
        const word = () =>
          event('content_block_delta', {
            index: 0,
            delta: { type: 'text_delta', text: 'word word word\n\n' },
          });
        const timer = setInterval(word, 200);
        const end = () => {
          clearInterval(timer);
          finishing.delete(end);
          over();
        };
        word();
        finishing.add(end);
        response.once('close', end);
      });
      if (response.destroyed) return;
      event('content_block_stop', { index: 0 });
    }
    for (const [index, block] of blocks.entries()) {
      const isText = block.type === 'text';
      event('content_block_start', {
        index,
        content_block: isText ? { ...block, text: '' } : { ...block, input: {} },
      });
      const delta = isText
        ? { type: 'text_delta', text: block.text }
        : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
      event('content_block_delta', { index, delta });
      event('content_block_stop', { index });
    }
    const stop_reason = said.tools === undefined ? 'end_turn' : 'tool_use';
    event('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 42 } });
    event('message_stop');
    response.end();
  }

  const server = createServer((incoming, response) => {
    const serve = async () => {
      const body = await bodyOf(incoming);
      if (incoming.url?.includes('count_tokens')) return json(response, 200, { input_tokens: 1234 });
      if (!incoming.url?.startsWith('/v1/messages')) return json(response, 404, { type: 'error' });
      const request = Request.parse(body);
      const said = JSON.stringify(answerTo(request));
      const answer: Answer = JSON.parse(
        said.replaceAll(PLAN_FILE, planFile(JSON.stringify(body)) ?? PLAN_FILE),
      );
      if (failed(answer)) {
        const error = { type: answer.error, message: answer.message };
        return json(response, answer.status, { type: 'error', error });
      }
      const id = String(++count).padStart(4, '0');
      const usage = {
        input_tokens: 1200,
        cache_creation_input_tokens: 3000,
        cache_read_input_tokens: 15_000,
        output_tokens: 1,
        ...answer.usage,
      };
      const blocks = [
        ...(answer.text === undefined ? [] : [{ type: 'text', text: answer.text }]),
        ...(answer.tools ?? []).map(({ tool, input }, index) => ({
          type: 'tool_use',
          id: `toolu_script${id}_${index}`,
          name: tool,
          input,
        })),
      ];
      const message = {
        id: `msg_script${id}`,
        type: 'message',
        role: 'assistant',
        model: request.model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage,
      };
      if (request.stream) return stream(response, message, answer, blocks);
      const stop_reason = answer.tools === undefined ? 'end_turn' : 'tool_use';
      return json(response, 200, { ...message, content: blocks, stop_reason });
    };
    serve().catch((error: unknown) => {
      if (!response.headersSent) json(response, 500, { type: 'error', error: { message: String(error) } });
    });
  });
  await new Promise<void>((listening) => server.listen(options.socket, listening));
  return {
    asked,
    finish: async () => {
      await until(() => finishing.size, { why: 'the model to speak', limit: 20_000, saw: () => asked });
      for (const end of finishing) end();
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      rmSync(options.socket, { force: true });
    },
  };
}
