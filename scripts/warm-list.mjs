// Writes the code cache of `tsmux list`: lists a few sessions of a daemon that is none, as scripts/build.mjs runs it.
// usage: node scripts/warm-list.mjs DIST
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import codeCache from './code-cache.cjs';

const dist = resolve(process.argv[2] ?? 'dist');
const runtime = mkdtempSync(join(tmpdir(), 'tsmux-build-'));
process.on('exit', () => rmSync(runtime, { recursive: true, force: true }));
mkdirSync(join(runtime, 'tsmux'), { mode: 0o700 });

const session = (n) => ({
  id: `web${n}`,
  label: null,
  name: `project-${n}`,
  state: ['idle', 'busy', 'review'][n % 3],
  since: new Date(Date.now() - n * 60_000).toISOString(),
  branch: 'main',
  place: { certainty: 'exact', workspace: { name: `${n}` }, candidates: [] },
  prompts: [],
  compacting: false,
  background: { agents: 0, shells: 0 },
  tool: { name: 'Bash', summary: 'npm test' },
  reason: null,
  lastMessage: 'done',
});
const body = `${JSON.stringify({ version: 1, sessions: Array.from({ length: 6 }, (_, n) => session(n)), notice: null })}\n`;
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', () => {
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  });
});
await new Promise((listening) => server.listen(join(runtime, 'tsmux/tsmux.sock'), listening));
process.env.XDG_RUNTIME_DIR = runtime;
process.argv[1] = join(dist, 'tsmux.js');
const status = await codeCache.write(join(dist, 'quick/list.js'), ({ quickList }) => quickList(false));
// It ends the process by itself when all went well.
process.exit(status || 1);
