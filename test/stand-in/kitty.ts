import { spawn } from 'node:child_process';
import * as z from 'zod/mini';
import { until } from '../support/until.ts';
import { BYTES, ended, type Program, run, type Terminal, wrapped } from './terminals.ts';

const Listed = z.array(
  z.object({
    platform_window_id: z.nullable(z.number()),
    tabs: z.array(z.object({ windows: z.array(z.object({ pid: z.number() })) })),
  }),
);

/**
 * The program in a window of kitty on the display that `env` names, which is asked and told from outside.
 * @param socket where it listens.
 */
export async function openKitty(program: Program, socket: string): Promise<Terminal> {
  const remote = ['-o', 'allow_remote_control=yes', '--listen-on', `unix:${socket}`];
  const words = ['--config', 'NONE', '-o', 'font_size=8', ...remote, program.command, ...program.args];
  const [file, args] = wrapped(program, 'kitty', words);
  const child = spawn(file, args, {
    cwd: program.cwd,
    // There may be no graphics card.
    env: { ...program.env, LIBGL_ALWAYS_SOFTWARE: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ask = (...rest: readonly string[]) =>
    run(...wrapped(program, 'kitty', ['@', '--to', `unix:${socket}`, ...rest]), program.env);
  const window = await until(
    async () => {
      const [first] = Listed.parse(JSON.parse(await ask('ls').catch(() => '[]')));
      const pid = first?.tabs[0]?.windows[0]?.pid;
      return pid !== undefined && { id: first?.platform_window_id ?? null, pid };
    },
    { why: 'kitty', limit: 20_000, saw: () => said },
  );
  const send = async (text: string) => void (await ask('send-text', '--', text));
  return {
    kind: 'kitty',
    pid: window.pid,
    pane: null,
    socket: null,
    session: null,
    windowId: window.id,
    write: send,
    // It takes what cannot be typed as Python writes it.
    press: (key) => send((BYTES[key] ?? key).replaceAll('\r', '\\r').replaceAll('\x1b', '\\x1b')),
    screen: () => ask('get-text'),
    close: async () => {
      child.kill('SIGTERM');
      await ended(child);
    },
  };
}
