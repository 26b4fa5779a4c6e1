import type { Command } from 'commander';

/** The manual page in man(7), as `contrib/man/tsmux.1` has it; a test fails when the file is not what comes out of here. */
export function manPage(program: Command): string {
  const commands = program.commands.filter((command) => !command.name().startsWith('__'));
  return `.\\" Made by the project's tests from the commands themselves.
.TH TSMUX 1
.SH NAME
tsmux \\- every Claude Code session on your bar
.SH SYNOPSIS
.B tsmux
.I COMMAND
.RI [ OPTIONS ]
.SH DESCRIPTION
${text(program.description())}
SESSION is an id, a label, a unique part of a label or name, or pid:N. Every command starts the daemon if none runs,
except daemon, doctor, hook, setup and stop.
.SH COMMANDS
${commands.map(described).join('\n')}
.SH EXIT STATUS
${exits.map(([code, meaning]) => `.TP\n${code}\n${meaning}`).join('\n')}
.SH FILES
${files.map(([path, what]) => `.TP\n.I ${path}\n${what}`).join('\n')}
.SH ENVIRONMENT
.TP
NO_COLOR
No colours, also on a terminal.
.TP
CLAUDE_CONFIG_DIR
Where Claude Code keeps its files; else ~/.claude.
`;
}

const exits = [
  [0, 'done'],
  [1, 'failed'],
  [2, 'wrong usage'],
  [3, 'no daemon, and none could be started'],
  [4, 'no such session or prompt, or not unique'],
  [5, 'refused'],
] as const;

const files = [
  ['$XDG_CONFIG_HOME/tsmux/config.toml', 'The configuration; none is needed.'],
  ['$XDG_RUNTIME_DIR/tsmux/tsmux.sock', "The daemon's socket."],
  ['$XDG_STATE_HOME/tsmux/', 'State, labels, history and the log.'],
  ['$XDG_RUNTIME_DIR/tsmux/inbox/', 'Where hooks leave events for the daemon.'],
  ['$XDG_DATA_HOME/tsmux/', 'The two hook scripts that setup installs.'],
] as const;

function described(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const word = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? word : `[${word}]`;
  });
  const about = command.registeredArguments
    .filter(({ description }) => description !== '')
    .map((argument) => `.TP\n.I ${text(argument.name())}\n${text(argument.description)}`);
  const options = command.options
    .filter(({ hidden }) => !hidden)
    .map(({ flags, description }) => `.TP\n.B ${text(flags)}\n${text(description)}`);
  return [
    `.SS ${text(`"${['tsmux', command.name(), ...words].join(' ')}"`)}`,
    text(sentence(command.description())),
    ...about,
    ...options,
  ].join('\n');
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** groff_man(7): a hyphen that is typed is `\-`; a line that begins with a dot or a quote is a request. */
function text(words: string): string {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/gm, '\\&$1');
}
