import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { until } from '../support/until.ts';
import { COLUMNS, childrenOf, ended, type Program, ROWS, run, type Terminal, wrapped } from './terminals.ts';

/** wtype's names of keys (xkbcommon); a character stands for itself. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  Enter: ['-k', 'Return'],
  BTab: ['-M', 'shift', '-k', 'Tab', '-m', 'shift'],
  Space: ['-k', 'space'],
  'C-c': ['-M', 'ctrl', '-k', 'c', '-m', 'ctrl'],
};
/** A window that is told of a new keyboard loses what is typed before it knows its keys, ms. */
const KEYBOARD = '150';

/**
 * The program in a window of foot under the sway that `env` names. Keys go to the window that has the focus, so it gets the
 * focus for each; what is on the screen foot writes to a file, at a key of its own.
 * @param pictured the file that the screen is written to.
 */
export async function openFoot(program: Program, pictured: string): Promise<Terminal> {
  const look = [
    `--window-size-chars=${COLUMNS}x${ROWS}`,
    `--override=key-bindings.pipe-visible=[sh -c "cat >${pictured}.draft && mv ${pictured}.draft ${pictured}"] F12`,
  ];
  const [file, args] = wrapped(program, 'foot', [...look, program.command, ...program.args]);
  const child = spawn(file, args, {
    cwd: program.cwd,
    env: program.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const pid = await until(
    () => {
      const first = childrenOf(child.pid ?? 0)[0];
      // Until it is the program it is foot.
      return first !== undefined && readFileSync(`/proc/${first}/comm`, 'utf8') !== 'foot\n' && first;
    },
    { why: 'the program in foot', limit: 20_000, saw: () => said },
  );
  const tool = (command: string, ...rest: readonly string[]) =>
    run(...wrapped(program, command, rest), program.env);
  const focus = () => tool('swaymsg', `[pid=${child.pid}] focus`);
  const keys = async (...rest: readonly string[]) => {
    await focus();
    await tool('wtype', '-s', KEYBOARD, ...rest);
  };
  const writtenAt = () => statSync(pictured, { throwIfNoEntry: false })?.mtimeMs;

  async function screen(): Promise<string> {
    const before = writtenAt();
    await keys('-k', 'F12');
    await until(() => writtenAt() !== before, { why: 'what foot shows', saw: () => said });
    return readFileSync(pictured, 'utf8');
  }

  return {
    kind: 'foot',
    pid,
    pane: null,
    socket: null,
    session: null,
    windowId: null,
    write: (text) => keys('-d', '5', '--', text),
    press: (key) => keys(...(KEYS[key] ?? (key.length === 1 ? ['--', key] : ['-k', key]))),
    screen,
    close: async () => {
      child.kill('SIGTERM');
      await ended(child);
    },
  };
}
