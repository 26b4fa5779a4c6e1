import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createBarSource } from '../../src/daemon/bar-source.ts';
import { createReplyReader } from '../../src/daemon/reply-reader.ts';
import { until } from '../support/until.ts';

/** What a reply that comes in these pieces says. */
function read(...pieces: (string | Buffer)[]): string[] {
  const heard: string[] = [];
  const push = createReplyReader({
    onLine: (line) => heard.push(line),
    onWhole: () => heard.push('(whole)'),
    onRefused: () => heard.push('(refused)'),
  });
  for (const piece of pieces) push(Buffer.from(piece));
  return heard;
}

describe('the reply of the daemon to a bar', () => {
  it('may be cut anywhere', () => {
    const bytes = Buffer.from(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n"né\r\n8\r\ne"\nzwei\n\r\n0\r\n\r\n',
    );
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        expect(read(...pieces)).toEqual(['"née"', 'zwei', '(whole)']);
      }),
    );
  });

  it('may have a length', () => {
    expect(read('HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\none', '\n')).toEqual(['one', '(whole)']);
  });

  it('is a refusal where it is one, or nothing that can be read', () => {
    expect(read('HTTP/1.1 409 Conflict\r\ncontent-length: 2\r\n\r\n{}')).toEqual(['(refused)']);
    expect(read('SSH-2.0\r\n\r\n')).toEqual(['(refused)']);
    expect(read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nx')).toEqual(['(refused)']);
  });
});

describe('a bar and the daemon', () => {
  let server: Server;
  let answer: (request: IncomingMessage, response: ServerResponse) => void;
  let source: ReturnType<typeof createBarSource>['source'];

  beforeEach(async () => {
    const runtime = mkdtempSync(join(tmpdir(), 'tsmux-bar-source-'));
    const paths = {
      runtime,
      socket: join(runtime, 's'),
      inbox: '',
      state: '',
      config: '',
      data: '',
      home: '',
    };
    const uid = process.getuid?.() ?? 0;
    ({ source } = createBarSource({ paths, uid, env: { DISPLAY: ':83' }, entry: null, say() {} }));
    server = createServer((request, response) => answer(request, response));
    await new Promise<void>((resolve) => server.listen(paths.socket, resolve));
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Opens a stream, and gives what came of it. */
  function open() {
    const heard: string[] = [];
    const close = source.open(
      '/v1/bar/i3bar',
      (line) => heard.push(line),
      (orderly) => heard.push(orderly ? '(goodbye)' : '(broken off)'),
    );
    return { heard, close };
  }
  const hears = (heard: string[], ...words: string[]) =>
    until(() => JSON.stringify(heard) === JSON.stringify(words), { why: words.join(', '), saw: () => heard });

  it('speak lines, as they come, and the daemon learns of the display', async () => {
    let stream: ServerResponse | undefined;
    let asked: IncomingMessage | undefined;
    answer = (request, response) => {
      [asked, stream] = [request, response];
      response.write('{"line":1}\n');
    };
    const { heard } = open();
    await hears(heard, '{"line":1}');
    expect([asked?.method, asked?.url, asked?.headers['env-display']]).toEqual([
      'GET',
      '/v1/bar/i3bar',
      '%3A83',
    ]);
    stream?.write('{"li');
    stream?.write('ne":2}\n');
    await hears(heard, '{"line":1}', '{"line":2}');
    stream?.end();
    await hears(heard, '{"line":1}', '{"line":2}', '(goodbye)');
  });

  it('tell a daemon that said goodbye from one that died', async () => {
    answer = (_request, response) => {
      response.write('{"line":1}\n', () => response.destroy());
    };
    await hears(open().heard, '{"line":1}', '(broken off)');
  });

  it('part without another word when the bar ends', async () => {
    answer = (_request, response) => void response.write('{"line":1}\n');
    const { heard, close } = open();
    await hears(heard, '{"line":1}');
    close();
    const after = open();
    await hears(after.heard, '{"line":1}');
    expect(heard).toEqual(['{"line":1}']);
    after.close();
  });

  it('are apart when nobody listens, or the daemon refuses', async () => {
    answer = (_request, response) => void response.writeHead(404).end('{}');
    await hears(open().heard, '(broken off)');
    await new Promise((resolve) => server.close(resolve));
    await hears(open().heard, '(broken off)');
  });

  it('hand over clicks', async () => {
    let body = '';
    answer = (request, response) => {
      request.on('data', (data: Buffer) => {
        body += data;
      });
      request.on('end', () => response.end());
    };
    source.post('/v1/click', { instance: 'k3f7', modifiers: ['é'] });
    await until(() => body.endsWith('}'), { why: 'the click' });
    expect(JSON.parse(body)).toEqual({ instance: 'k3f7', modifiers: ['é'] });
  });
});
