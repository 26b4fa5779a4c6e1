import { connect } from 'node:net';
import type { BarSource } from '../../src/bars/client/source.ts';
import { runI3bar } from '../../src/cli/i3bar.ts';

/**
 * `tsmux i3bar` as a process of its own, beside a daemon that speaks bare lines on a socket.
 * argv: socket, then "once" or "stream", then the wrapped command.
 */
const [socket = '', mode, ...command] = process.argv.slice(2);

const source: BarSource = {
  open(path, onLine, onEnd) {
    const connection = connect(socket, () => connection.write(`open ${path}\n`));
    let rest = '';
    let orderly = false;
    connection.setEncoding('utf8');
    connection.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line);
    });
    connection.on('end', () => {
      orderly = true;
    });
    connection.on('error', () => {});
    connection.on('close', () => onEnd(orderly));
    return () => connection.destroy();
  },
  post(path, body) {
    const connection = connect(socket, () => connection.end(`post ${path} ${JSON.stringify(body)}\n`));
    connection.on('error', () => {});
  },
};

if (process.env.CHATTY === 'yes') {
  setInterval(() => {
    console.log('a library says something');
    process.stdout.write('and something else');
  }, 20).unref();
}
// As in main.ts: for other commands a closed pipe is the end.
process.stdout.on('error', () => process.exit(1));
process.exit(await runI3bar({ once: mode === 'once', output: null, command }, { source, startDaemon() {} }));
