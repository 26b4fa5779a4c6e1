import { spawn } from 'node:child_process';
import { Failure } from '../system/failure.ts';
import { type Choice, chosen } from './choices.ts';

/**
 * Shows the choices in the launcher until the user has chosen or left it; null: nothing was chosen. All launchers end
 * with another status than 0 when they were left with Esc, and some with what was typed on stdout.
 *
 * @throws Failure when the launcher does not start.
 */
export function ask(
  [program = '', ...args]: readonly string[],
  choices: readonly Choice[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<Choice | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
    let printed = '';
    child.once('error', (error) => {
      reject(
        new Failure('failed', `${program} does not start: ${error.message}`, 'see [menu] in config.toml'),
      );
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
    child.once('close', (code) => resolve(code === 0 ? chosen(choices, printed) : null));
    // A launcher that ends without reading is no fault.
    child.stdin.on('error', () => {});
    child.stdin.end(choices.map(({ line }) => `${line}\n`).join(''));
  });
}
