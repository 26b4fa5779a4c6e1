import { Command, CommanderError, InvalidArgumentError, Option, type OutputConfiguration } from 'commander';
import { clientKinds } from '../bars/client/kinds.ts';
import { version } from '../system/version.ts';
import type { AnswerOptions } from './answer.ts';
import { addBarCommands } from './bar-commands.ts';
import type { ClickOptions } from './click.ts';
import { complain, oneLine } from './complaint.ts';
import { type Context, contextOf } from './context.ts';

/**
 * Runs the command line and gives its exit code. An error is one line on stderr: `tsmux: what: why: what to do`.
 */
export async function run(args: readonly string[]): Promise<number> {
  const program = createProgram(() => contextOf(process.env, process.argv[1] ?? ''));
  process.stderr.on('error', () => {});
  try {
    await program.parseAsync([...args], { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const what = program.args[0] ?? 'tsmux';
    return complain(what, error);
  }
}

/** All commands, with their help. Each is read when it runs. */
export function createProgram(context: () => Context): Command {
  const program = new Command('tsmux')
    .description('Every Claude Code session on your bar: its true state, and one click to its window.')
    .version(version, '-V, --version', 'print the version')
    // commander's own prints the help of all where there is no such command.
    .helpCommand(false)
    .addHelpText('after', '\ntsmux COMMAND --help says more of each, with an example.')
    .configureOutput(wrongUsage('tsmux'))
    .exitOverride();

  command(program, 'daemon', 'run the daemon in the foreground, until SIGTERM', 'tsmux daemon')
    .addOption(new Option('--detached', 'started by a client: say on descriptor 3 how it went').hideHelp())
    .action(async (options: { detached?: true }) => {
      process.exitCode = await (await import('./quick-daemon.ts')).quickDaemon(options.detached === true);
    });

  command(program, 'stop', 'end the daemon; a bar that runs starts another', 'tsmux stop').action(async () =>
    (await import('./stop.ts')).stop(context()),
  );

  command(program, 'setup', "install the hooks in Claude Code's settings.json", 'tsmux setup --dry-run')
    .addOption(
      new Option('--check', 'only look whether they are there and right; exit code 1 when not').conflicts([
        'remove',
        'dryRun',
        'deny',
      ]),
    )
    .addOption(new Option('--remove', 'take them out again').conflicts('deny'))
    .option('--dry-run', 'only say what would be written')
    .option('--config-dir <dir>', 'the configuration directory of Claude Code (default: ~/.claude)', folder)
    .option('--deny', 'also add rules that deny Claude Code to answer its own prompts by tsmux')
    .option('--no-deny', 'do not add such rules, and do not ask')
    .option('-y, --yes', 'do not ask; without a terminal it never asks')
    .action(async (options) => {
      process.exitCode = await (await import('./setup.ts')).setup(context(), options);
    });

  command(
    program,
    'hook',
    'hand a hook of Claude Code on stdin to the daemon; always exit code 0',
    'tsmux hook < payload.json',
  ).action(async () => (await import('./hook.ts')).hook());

  command(
    program,
    'list',
    'print the sessions, most urgent first',
    "tsmux list --json | jq '.sessions[].state'",
    'Each line: state, id, label or name, branch, workspace (- where its window is not known), for how long, and what\nit asks, does or did.',
  )
    .option('--json', 'for scripts')
    .action(async (options: { json?: true }) => (await import('./list.ts')).list(context(), options));

  command(program, 'watch', 'print a line of JSON for each change', 'tsmux watch --changes-only')
    .option('--changes-only', 'leave out the first snapshot')
    .action(async (options: { changesOnly?: true }) =>
      (await import('./watch.ts')).watch(context(), options),
    );

  command(program, 'switch', 'go to the session that matches best', 'tsmux switch webshop')
    .argument('[query...]', 'part of its label, name, branch, folder or id; none: choose from a list')
    .action(async (query: string[]) => (await import('./switch.ts')).switchTo(context(), query.join(' ')));

  command(program, 'menu', 'choose in your launcher (rofi, wofi, fuzzel, bemenu, dmenu)', 'tsmux menu answer')
    .argument('[session]', `switch: only sessions; answer: only what prompts offer; or ${SESSION}`)
    .action(async (session?: string) => (await import('./menu.ts')).menu(context(), session));

  command(program, 'next', 'go to the session that needs you, and on to the one after it', 'tsmux next')
    .option('--back', 'return to where you were')
    .action(async (options: { back?: true }) => (await import('./next.ts')).next(context(), options));

  command(program, 'focus', 'no notifications for so many minutes', 'tsmux focus 30')
    .argument(
      '[minutes]',
      '1 to 1440, off, or the name of a time in config.toml; none: how long it is still quiet',
    )
    .action(async (minutes?: string) => (await import('./focus.ts')).focus(context(), minutes));

  command(program, 'label', 'give a session a label, or without TEXT take it away', 'tsmux label webshop web')
    .argument('<session>', SESSION)
    .argument('[text...]', 'the label')
    .action(async (session: string, text: string[]) =>
      (await import('./label.ts')).label(context(), session, text.join(' ')),
    );

  command(program, 'show', 'print the whole prompt of a session, or its last message', 'tsmux show web')
    .argument('[session]', `${SESSION}; or the id of a prompt; none: the most urgent session`)
    .action(async (session?: string) => (await import('./show.ts')).show(context(), session));

  command(
    program,
    'prompts',
    'print the open prompts, oldest first',
    'tsmux prompts',
    'Each line: id (* where it is pinned), session, for how long, what is asked, and the options with their keys.',
  )
    .option('--json', 'for scripts')
    .action(async (options: { json?: true }) => (await import('./prompts.ts')).prompts(context(), options));

  command(program, 'answer', 'answer a prompt', 'tsmux answer --to web 1')
    .argument('[key...]', "an option's key; one for each question, 1,3 for several choices of one")
    .option('--to <prompt>', 'a prompt, or the session that asks; without it: the only prompt that is open')
    .option('--pinned', 'the prompt that was picked with: tsmux pin')
    .option('--text <text>', 'words of your own: for a question, or for Claude with a No')
    .action(async (keys: string[], options: AnswerOptions) =>
      (await import('./answer.ts')).answer(context(), keys, options),
    );

  command(program, 'pin', 'pick the oldest open prompt, or this one, for the keys that follow', 'tsmux pin')
    .argument('[prompt]', 'a prompt, or the session that asks')
    .option('--off', 'pick none')
    .action(async (prompt: string | undefined, options: { off?: true }) =>
      (await import('./pin.ts')).pin(context(), prompt, options),
    );

  command(
    program,
    'history',
    'print what asked, what was answered, and by which way',
    'tsmux history --json',
    'Each line: when, session, what asked, what became of it. The last 500 prompts are kept.',
  )
    .option('--json', 'for scripts')
    .action(async (options: { json?: true }) => (await import('./history.ts')).history(context(), options));

  command(program, 'seen', 'mark what is up for review as seen', 'tsmux seen web')
    .argument('[session]', `${SESSION}; none: all of them`)
    .action(async (session?: string) => (await import('./seen.ts')).seen(context(), session));

  command(
    program,
    'explain',
    'print how the place and the state of a session were found',
    'tsmux explain web',
  )
    .argument('<session>', SESSION)
    .action(async (session: string) => (await import('./explain.ts')).explain(context(), session));

  command(program, 'doctor', 'print what works, what is missing, and what to do', 'tsmux doctor')
    .option('--json', 'for scripts')
    .action(async (options: { json?: true }) => {
      process.exitCode = await (await import('./doctor.ts')).doctor(context(), options);
    });

  command(
    program,
    'click',
    'a click on a block, for bars whose clicks are commands',
    'tsmux click --bar waybar --slot 1 --button 1',
  )
    .addOption(
      new Option('--bar <kind>', 'which bar')
        .choices(['i3bar', ...Object.keys(clientKinds)])
        .makeOptionMandatory(),
    )
    .requiredOption(
      '--button <number>',
      '1 left, 2 middle, 3 right, 4 and 5 wheel, 8 back, 9 forward',
      number,
    )
    .option('--slot <slot>', 'of what this slot showed last')
    .option('--output <name>', 'the output that the bar was started with')
    .option('--instance <instance>', "the block's instance, where the bar can tell it")
    .option('--line <number>', 'the line that the bar showed', number)
    .action(async (options: ClickOptions) => (await import('./click.ts')).click(context(), options));

  command(program, 'i3bar', 'what i3bar and swaybar start as their status_command', 'tsmux i3bar -- i3status')
    .argument('[command...]', 'another status program, to run and merge in')
    .option('--once', 'print one line and end')
    .option('--output <name>', 'only the sessions on this output')
    .action(async (words: string[], options: { once?: true; output?: string }) => {
      const { runI3bar } = await import('./i3bar.ts');
      const { createBarSource } = await import('../daemon/bar-source.ts');
      const { once = false, output = null } = options;
      // The bar holds pipes that nobody ends.
      process.exit(await runI3bar({ once, output, command: words }, createBarSource(context().clientParts)));
    });

  addBarCommands((name, ...described) => command(program, name, ...described), context);

  command(program, 'preview', 'show the bar in this terminal, with keys and mouse', 'tsmux preview --demo')
    .option('--demo', 'play a recorded day while no session runs')
    .action(async (options: { demo?: true }) => {
      const { runPreview } = await import('./preview.ts');
      const { createBarSource } = await import('../daemon/bar-source.ts');
      const { client, clientParts } = context();
      const deps = { ...createBarSource(clientParts), request: client.request };
      process.exit(await runPreview({ demo: options.demo ?? false }, deps));
    });

  command(program, 'help', 'print the help of a command, or of all', 'tsmux help list')
    .argument('[command]', 'the name of a command')
    .action((name?: string) => {
      const asked = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (asked === undefined) return program.error(`unknown command '${name}'`);
      asked.help();
    });

  program
    .command('__sessions', { hidden: true })
    .action(async () => (await import('./sessions.ts')).sessions(context()));

  program
    .command('__prompts', { hidden: true })
    .action(async () => (await import('./prompts.ts')).promptIds(context()));

  return program;
}

const SESSION = 'an id, a label, a unique part of a label or name, or pid:N';

function command(
  program: Command,
  name: string,
  description: string,
  example: string,
  more?: string,
): Command {
  return program
    .command(name)
    .description(description)
    .configureOutput(wrongUsage(`tsmux ${name}`))
    .addHelpText('after', `\nExample:\n  ${example}${more === undefined ? '' : `\n\n${more}`}`);
}

/** What commander says of wrong words, as one line, with where the right ones are. */
function wrongUsage(whose: string): OutputConfiguration {
  return {
    outputError: (words, write) =>
      write(
        `tsmux: ${oneLine(words)
          .replace(/^error: /, '')
          .replace(/\.$/, '')}: see: ${whose} --help\n`,
      ),
  };
}

function folder(text: string): string {
  if (text === '') throw new InvalidArgumentError('no folder is named');
  return text;
}

function number(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('not a number');
  return Number(text);
}
