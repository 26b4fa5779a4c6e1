import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * A network namespace with nothing but a loopback device in it, so that the real Claude Code can reach no one but
 * the scripted model. Files are not cut off: X11, tmux and tsmux are reached by their sockets as always (only
 * abstract sockets belong to a network namespace; unix(7)).
 */
export interface Namespace {
  /** Where the scripted model answers, seen from inside. */
  readonly modelUrl: string;
  /** Puts in front of a command what is needed to run it inside; the pid stays that of the command. */
  inside(command: string, args: readonly string[]): readonly [string, readonly string[]];
  stop(): Promise<void>;
}

const PORT = 8787;

/** Runs inside for as long as its stdin is open: carries what comes to the loopback port to the model's socket. */
const KEEPER = `
const net = require('node:net');
process.stdin.resume().once('end', () => process.exit(0));
net.createServer((from) => {
  const to = net.connect(process.argv[1]);
  for (const end of [from, to]) end.on('error', () => {}).on('close', () => { from.destroy(); to.destroy(); });
  from.pipe(to).pipe(from);
}).listen(${PORT}, '127.0.0.1', () => console.log('ready'));
`;

export async function startNamespace(modelSocket: string): Promise<Namespace> {
  const root = process.getuid?.() === 0;
  const flags = root ? ['--net'] : ['--net', '--map-current-user', '--keep-caps'];
  const keeper: ChildProcess = spawn(
    'unshare',
    [
      ...flags,
      '--',
      'sh',
      '-c',
      'ip link set lo up && exec "$@"',
      'sh',
      process.execPath,
      '-e',
      KEEPER,
      modelSocket,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  if (keeper.stdout === null) throw new Error('the keeper of the namespace has no stdout');
  const [word] = await Promise.race([once(keeper.stdout, 'data'), once(keeper, 'exit')]);
  if (!String(word).startsWith('ready'))
    throw new Error(`no network namespace could be made: unshare ended (${word})`);
  const enter = [
    '--target',
    String(keeper.pid),
    '--net',
    ...(root ? [] : ['--user', '--preserve-credentials']),
  ];
  return {
    modelUrl: `http://127.0.0.1:${PORT}`,
    inside: (command, args) => ['nsenter', [...enter, '--', command, ...args]],
    stop: async () => {
      if (keeper.exitCode !== null || keeper.signalCode !== null) return;
      const gone = once(keeper, 'exit');
      keeper.stdin?.end();
      await gone;
    },
  };
}
