import type { Command } from 'commander';

/** Shells for which `contrib/completions` has a file; a test fails when a file is not what comes out of here. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What a shell needs to know of one command. */
interface Described {
  readonly name: string;
  readonly description: string;
  readonly options: readonly {
    readonly flags: readonly string[];
    readonly description: string;
    readonly value: boolean;
  }[];
  /** Takes the name of a session first. */
  readonly takesSession: boolean;
}

/** Sessions are asked for while the user types; a daemon is not started for that. */
const SESSIONS = 'tsmux __sessions 2>/dev/null';

export function completionFor(shell: Shell, program: Command): string {
  const commands = program.commands.filter((command) => !command.name().startsWith('__')).map(describe);
  return { bash, zsh, fish }[shell](commands);
}

function describe(command: Command): Described {
  return {
    name: command.name(),
    description: command.description(),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map(({ short, long, description, required, optional }) => ({
        flags: [short, long].filter((flag) => flag !== undefined && flag !== null),
        description,
        value: required || optional,
      })),
    takesSession: command.registeredArguments[0]?.name() === 'session',
  };
}

function bash(commands: readonly Described[]): string {
  const cases = commands.map(({ name, options, takesSession }) => {
    const flags = [...options.flatMap((option) => option.flags), '--help'].join(' ');
    const sessions = takesSession ? ` $(${SESSIONS})` : '';
    return `    ${name}) words="${flags}${sessions}" ;;`;
  });
  return `# bash completion of tsmux. Made by the project's tests from the commands themselves.
_tsmux() {
  local current="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')} --help --version"
  else
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words= ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _tsmux tsmux
`;
}

function zsh(commands: readonly Described[]): string {
  const names = commands.map(({ name, description }) => `    '${name}:${zshText(description)}'`);
  const cases = commands.map(({ name, options, takesSession }) => {
    const flags = options.flatMap((option) =>
      option.flags.map(
        (flag) => `'${flag}[${zshText(option.description)}]${option.value ? ': :_files' : ''}'`,
      ),
    );
    const all = [
      ...flags,
      "'--help[display help]'",
      ...(takesSession ? ["'1:session:_tsmux_sessions'"] : []),
    ];
    return `    ${name}) _arguments ${all.join(' ')} ;;`;
  });
  return `#compdef tsmux
# zsh completion of tsmux. Made by the project's tests from the commands themselves.
_tsmux_sessions() {
  local -a sessions
  sessions=(\${(f)"$(${SESSIONS})"})
  compadd -a sessions
}
_tsmux() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
_tsmux "$@"
`;
}

function zshText(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''");
}

function fish(commands: readonly Described[]): string {
  const lines = commands.flatMap(({ name, description, options, takesSession }) => {
    const within = `complete -c tsmux -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c tsmux -n __fish_use_subcommand -a ${name} -d ${fishText(description)}`,
      ...options.map(({ flags, description: what, value }) => {
        const names = flags.map((flag) =>
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        );
        return `${within} ${names.join(' ')}${value ? ' -r' : ''} -d ${fishText(what)}`;
      }),
      ...(takesSession ? [`${within} -a '(${SESSIONS})'`] : []),
    ];
  });
  return `# fish completion of tsmux. Made by the project's tests from the commands themselves.
complete -c tsmux -f
${lines.join('\n')}
`;
}

function fishText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
