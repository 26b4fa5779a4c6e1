import { dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { slotNames, slotOf } from '../bars/slot-name.ts';
import { Failure } from '../system/failure.ts';
import type { LinesKind, LinesOptions } from './bar-lines.ts';
import type { Context } from './context.ts';

interface Described {
  readonly description: string;
  readonly example: string;
}

/** The bars that show the newest line of a program; src/bars has a file for each, whose head is its manual. */
const bars: Readonly<Record<LinesKind, Described>> = {
  waybar: {
    description: 'what a custom module of Waybar runs',
    example: 'tsmux waybar --print-config --slots 5',
  },
  polybar: { description: 'what a custom/script module of Polybar runs', example: 'tsmux polybar --once' },
  i3blocks: {
    description: 'what a block of i3blocks runs, with format=json',
    example: 'tsmux i3blocks --slot 1',
  },
  'i3status-rs': {
    description: 'what a custom block of i3status-rust runs',
    example: 'tsmux i3status-rs --slot 1',
  },
  tmux: {
    description: "what tmux's status line runs in #( )",
    example: 'tsmux tmux --marks',
  },
  json: {
    description: 'a line of JSON for each change: for eww, AGS, Quickshell, yambar and scripts',
    example: 'tsmux json --once | jq .state',
  },
};

interface BarWords {
  readonly once?: true;
  readonly slot?: string;
  readonly output?: string | readonly string[];
  readonly marks?: true;
  readonly printConfig?: true;
  readonly slots?: number;
}

/** Adds the commands that bars run. What bars run as it is in the examples does without the command line's library. */
export function addBarCommands(
  command: (name: string, description: string, example: string) => Command,
  context: () => Context,
): void {
  for (const [name, { description, example }] of Object.entries(bars)) {
    const kind = name as LinesKind;
    const added = command(kind, description, example)
      .option('--slot <slot>', slotNames, slot)
      .option('--once', 'print one line and end');
    if (kind === 'waybar') {
      added
        .option(
          '--output <name>',
          'only the sessions on this output; with --print-config more than one',
          gathered,
        )
        .option('--print-config', "print the modules for Waybar's config")
        .option(
          '--slots <number>',
          'with --print-config: for how many sessions, 1 to 99 (default: 5)',
          slotCount,
        );
    } else added.option('--output <name>', 'only the sessions on this output');
    if (kind === 'tmux') added.option('--marks', 'also set the option @tsmux of windows and panes');
    added.action(async (words: BarWords) => {
      if (words.printConfig) await printConfig(context(), words);
      else if (words.slots !== undefined)
        throw new Failure('bad-request', '--slots goes with --print-config', 'say both');
      else process.exit(await runBar(kind, words, context()));
    });
  }
}

async function runBar(
  kind: LinesKind,
  words: BarWords,
  { client, clientParts, env }: Context,
): Promise<number> {
  const { runLines } = await import('./bar-lines.ts');
  const { createBarSource } = await import('../daemon/bar-source.ts');
  const options: LinesOptions = {
    kind,
    once: words.once ?? false,
    slot: words.slot ?? null,
    output: outputsIn(words).at(-1) ?? null,
    marks: words.marks ?? false,
  };
  // i3blocks(1): so a block learns that it was clicked.
  const button = Number(env.BLOCK_BUTTON);
  if (kind === 'i3blocks' && options.once && button > 0) {
    const { slot, output } = options;
    // What was refused shows in what the block says next.
    await client.request('POST', '/v1/click', { bar: kind, slot, output, button }).catch(() => {});
  }
  return runLines(options, createBarSource(clientParts));
}

async function printConfig({ entry, env, paths }: Context, words: BarWords): Promise<void> {
  const { slotClient, waybarConfig } = await import('./waybar-config.ts');
  const config = waybarConfig({
    program: [process.execPath, entry],
    client: slotClient(dirname(entry), paths.socket, env.PATH),
    slots: words.slots ?? 5,
    outputs: outputsIn(words),
  });
  process.stdout.write(`${JSON.stringify(config, null, 2)}\n`);
}

function outputsIn({ output }: BarWords): readonly string[] {
  if (output === undefined) return [];
  return typeof output === 'string' ? [output] : output;
}

function gathered(name: string, before: readonly string[] = []): readonly string[] {
  return [...before, name];
}

function slot(word: string): string {
  if (slotOf(word) === null) throw new InvalidArgumentError(`a slot is ${slotNames}`);
  return word;
}

function slotCount(word: string): number {
  if (!/^[1-9]\d?$/.test(word)) throw new InvalidArgumentError('a number from 1 to 99');
  return Number(word);
}
