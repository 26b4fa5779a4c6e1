import { existsSync } from 'node:fs';
import { type RequestOptions, request } from 'node:http';
import { HOLD_PATH, SILENCE } from '../claude/hold.ts';
import { pathsOf } from '../system/paths.ts';

/**
 * For no longer does Claude Code wait for a daemon that is silent, ms. Only a permission prompt is held while it is open,
 * and the daemon says something all the while.
 */
const PATIENCE = { event: 2_000, prompt: SILENCE * 1_000 };

/**
 * What the installed script falls back to on a machine with neither nc, socat nor curl: stdin goes to the daemon,
 * its reply to stdout. Whatever happens, the status is 0 and nothing is said: Claude Code must not suffer.
 */
export async function hook(): Promise<void> {
  const start = Date.now();
  try {
    const paths = pathsOf(process.env, process.getuid?.() ?? 0, existsSync);
    if (existsSync(paths.socket)) process.stdout.write(await post(paths.socket, await readInput(), start));
  } catch {
    // No daemon, or none that speaks: there is nobody to tell.
  }
}

async function readInput(): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Where it is not sure, the daemon's answer is waited for: it comes at once for any other event. */
function asksPermission(body: Buffer): boolean {
  return /"hook_event_name"\s*:\s*"PermissionRequest"/.test(body.toString('latin1'));
}

function post(socketPath: string, body: Buffer, start: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const options: RequestOptions & { servername: string } = {
      socketPath,
      method: 'POST',
      path: HOLD_PATH,
      agent: false,
      // Else Node.js looks whether the name of the host is an address, for 10 ms.
      servername: '',
      timeout: asksPermission(body) ? PATIENCE.prompt : PATIENCE.event,
      headers: { 'content-length': body.length, 'claude-pid': process.ppid, 'hook-start': start },
    };
    const call = request(options, (reply) => {
      let words = '';
      reply.setEncoding('utf8');
      reply.on('data', (chunk: string) => {
        words += chunk;
      });
      reply.once('end', () => resolve(reply.statusCode === 200 ? words.trimStart() : ''));
      reply.once('error', reject);
    });
    call.once('timeout', () => call.destroy());
    call.once('error', reject);
    call.end(body);
  });
}
