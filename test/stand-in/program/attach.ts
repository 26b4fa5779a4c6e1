import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { keysIn, type Screen } from './screen.ts';

const DETACH = '\x1a';

/** Shows the screen of a background session to whoever attaches to it, and takes their keys. */
export function shareScreen(path: string, screen: Screen, press: (key: string) => void): void {
  const server = createServer((viewer) => {
    const unwatch = screen.watch((drawn) => viewer.write(`${JSON.stringify(drawn)}\n`));
    viewer.on('error', () => {}).on('close', unwatch);
    createInterface({ input: viewer }).on('line', (key) => press(JSON.parse(key) as string));
  });
  server.listen(path).unref();
}

/** `claude attach ID`: a background session in this terminal, until Ctrl-Z or its end. It is no session itself. */
export async function attach(path: string): Promise<never> {
  const session = connect(path);
  createInterface({ input: session }).on('line', (drawn) =>
    process.stdout.write(JSON.parse(drawn) as string),
  );
  process.stdin.setRawMode(true);
  process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
    if (chunk.includes(DETACH)) process.exit(0);
    for (const key of keysIn(chunk)) session.write(`${JSON.stringify(key)}\n`);
  });
  session.on('error', () => process.exit(1));
  await new Promise((over) => session.on('close', over));
  process.exit(0);
}
