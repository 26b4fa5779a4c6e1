import { mkdtempSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startLines } from '../../src/daemon/http.ts';
import { HOPELESS, stream } from '../../src/daemon/stream.ts';
import { manualClock } from '../support/manual-clock.ts';
import { until } from '../support/until.ts';

/** A stream of long lines, and a reader who reads when the test says so. */
async function aReader() {
  const clock = manualClock();
  const news = new Set<() => void>();
  let number = 0;
  let taken = 0;
  let response: ServerResponse | undefined;
  const server = createServer((_, answer) => {
    response = answer;
    startLines(answer);
    stream(
      answer,
      {
        subscribe(call) {
          news.add(call);
          return () => news.delete(call);
        },
        take() {
          taken += 1;
          return `${number} ${'x'.repeat(10_000)}\n`;
        },
      },
      clock,
    );
  });
  const socket = join(mkdtempSync(join(tmpdir(), 'tsmux-test-')), 's');
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  const reader = connect(socket);
  onTestFinished(() => {
    reader.destroy();
    server.closeAllConnections();
    server.close();
  });
  reader.on('error', () => {});
  reader.pause();
  reader.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(() => news.size === 1, { why: 'the stream to be open' });
  return {
    clock,
    reader,
    tell(now: number) {
      number = now;
      for (const call of [...news]) call();
    },
    taken: () => taken,
    buffered: () => response?.writableLength ?? 0,
    isOpen: () => news.size === 1,
  };
}

it('g14: keeps nothing for a reader who does not read, and gives him the latest when he does', async () => {
  const { reader, tell, taken, buffered } = await aReader();
  for (let now = 1; now <= 5_000; now++) tell(now);
  // What the kernel and one write hold; 50 MB were told.
  expect(taken()).toBeLessThan(100);
  expect(buffered()).toBeLessThan(100_000);
  let read = '';
  reader.setEncoding('latin1').on('data', (chunk: string) => {
    read += chunk;
  });
  reader.resume();
  await until(() => read.includes('5000 xxx'), { why: 'the latest line' });
  expect(read).not.toContain('4999 xxx');
});

it('g14: drops a reader who has taken nothing for ten minutes while there was news', async () => {
  const { clock, tell, isOpen } = await aReader();
  for (let now = 1; now <= 5_000; now++) tell(now);
  clock.pass(HOPELESS);
  tell(5_001);
  expect(isOpen()).toBe(true);
  clock.pass(1);
  tell(5_002);
  await until(() => !isOpen(), { why: 'the reader to be dropped' });
});

it('forgets a reader who has gone', async () => {
  const { reader, isOpen } = await aReader();
  reader.destroy();
  await until(() => !isOpen(), { why: 'the stream to end' });
});
