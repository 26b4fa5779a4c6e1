import { createServer, type Server, type Socket } from 'node:net';

/** A daemon that says what the test says. */
export function startDaemon(socket: string) {
  const bars = new Set<Socket>();
  const connections = new Set<Socket>();
  const posts: { path: string; body: Record<string, unknown> }[] = [];
  let line = 0;
  const daemon = {
    posts,
    bars,
    /** Blocks with these texts. */
    say(...blocks: string[]) {
      line += 1;
      const message = {
        line,
        blocks: blocks.map((text) => ({ name: 'tsmux', instance: text, full_text: text })),
      };
      for (const bar of bars) bar.write(`${JSON.stringify(message)}\n`);
      return line;
    },
    listen: () => new Promise<void>((resolve) => server.listen(socket, resolve)),
    close: () =>
      new Promise<void>((resolve) => {
        for (const connection of connections) connection.destroy();
        server.close(() => resolve());
      }),
  };
  const server: Server = createServer((connection) => {
    connections.add(connection);
    connection.on('close', () => {
      connections.delete(connection);
      bars.delete(connection);
    });
    connection.on('error', () => {});
    connection.on('data', (data) => {
      const [verb, path = '', body = '{}'] = data
        .toString()
        .trim()
        .split(/ (.*?)(?: (.*))?$/s);
      if (verb === 'open') bars.add(connection);
      else posts.push({ path, body: JSON.parse(body) });
    });
  });
  return daemon;
}
