import { join } from 'node:path';
import { clientKinds } from '../bars/client/kinds.ts';
import { findHookClient } from '../claude/hook-script.ts';
import { findProgram } from '../system/find-program.ts';
import { quoteForSh } from '../system/quote.ts';
import { queryOf } from './bar-lines.ts';

export interface WaybarConfigParts {
  /** What starts tsmux, with absolute paths. */
  readonly program: readonly string[];
  /** The words before `KIND QUERY` that start the small client; null where the machine has none. */
  readonly client: readonly string[] | null;
  /** How many sessions have a module. */
  readonly slots: number;
  /** One bar for each, with only its own sessions; none: one bar for all outputs. */
  readonly outputs: readonly string[];
}

/** More options than a prompt has are rare: all of them are in `tsmux menu`. */
const optionModules = 4;
const buttons = { 'on-click': 1, 'on-click-middle': 2, 'on-click-right': 3 } as const;

/** The modules for Waybar's config, as JSON: one bar, or an array of bars, as Waybar takes both (waybar(5)). */
export function waybarConfig(parts: WaybarConfigParts): object {
  const { outputs } = parts;
  if (outputs.length === 0) return barFor(parts, null);
  return outputs.map((output) => ({ output, ...barFor(parts, output) }));
}

function barFor(parts: WaybarConfigParts, output: string | null): object {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const slots = [
    'prompt',
    ...numbers(optionModules).map((number) => `option${number}`),
    ...numbers(parts.slots).map(String),
    'summary',
    'quiet',
  ];
  return {
    'modules-right': slots.map((slot) => `custom/tsmux#${slot}`),
    ...Object.fromEntries(
      slots.map((slot) => [`custom/tsmux#${slot}`, moduleFor(slot, output, parts)] as const),
    ),
  };
}

function moduleFor(slot: string, output: string | null, { program, client }: WaybarConfigParts): object {
  const where = ['--slot', slot, ...(output === null ? [] : ['--output', output])];
  const exec =
    client === null
      ? [...program, 'waybar', ...where]
      : [...client, 'waybar', queryOf({ slot, output }), clientKinds.waybar.away, ...program];
  const click = (button: number) =>
    line([...program, 'click', '--bar', 'waybar', ...where, '--button', `${button}`]);
  return {
    exec: line(exec),
    'return-type': 'json',
    'restart-interval': 5,
    ...Object.fromEntries(Object.entries(buttons).map(([name, button]) => [name, click(button)])),
  };
}

/** `exec` saves the shell that Waybar starts the line with. */
function line(words: readonly string[]): string {
  return `exec ${words.map(quoteForSh).join(' ')}`;
}

/**
 * The small client of this machine: sh with nc(1) or curl(1), a few MB for each module.
 *
 * @param folder where the built program is.
 */
export function slotClient(folder: string, socket: string, path: string | undefined): string[] | null {
  const script = ['/bin/sh', join(folder, 'slot-client.sh')];
  const found = findHookClient(path);
  if (found.kind === 'nc') return [...script, 'nc', found.path, socket];
  const curl = findProgram('curl', path);
  return curl === null ? null : [...script, 'curl', curl, socket];
}
