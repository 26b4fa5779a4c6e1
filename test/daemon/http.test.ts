import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readBody } from '../../src/daemon/http.ts';

it('a sender that breaks off within its body is his own fault, and none of the daemon', async () => {
  const path = join(tmpdir(), `tsmux-http-${process.pid}`);
  const failed = new Promise((resolve) => {
    const server = createServer((request) => {
      sender.destroy();
      readBody(request, 1024).then(resolve, resolve);
    });
    server.listen(path);
    onTestFinished(() => void server.close());
  });
  const sender = connect(path).on('error', () => {});
  sender.write('POST /v1/hook HTTP/1.1\r\nHost: tsmux\r\nContent-Length: 100\r\n\r\n{"half":');
  expect(await failed).toMatchObject({ name: 'Failure', code: 'bad-request' });
});
