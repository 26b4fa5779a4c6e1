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
    /** Its value is a prompt. */
    readonly takesPrompt: boolean;
  }[];
  /** What its first argument is, where that can be listed. */
  readonly takes: 'session' | 'prompt' | null;
  /** What its first argument may be besides. */
  readonly words: readonly string[];
}

/** Sessions are asked for while the user types; a daemon is not started for that. */
const LISTS = { session: 'tsmux __sessions 2>/dev/null', prompt: 'tsmux __prompts 2>/dev/null' };
/** What is no session. */
const WORDS: Readonly<Record<string, readonly string[]>> = { menu: ['switch', 'answer'], focus: ['off'] };

export function completionFor(shell: Shell, program: Command): string {
  const shown = program.commands.filter((command) => !command.name().startsWith('__'));
  const names = shown.map((command) => command.name());
  const commands = shown.map((command) => describe(command, { ...WORDS, help: names }));
  return { bash, zsh, fish }[shell](commands);
}

function describe(command: Command, words: Readonly<Record<string, readonly string[]>>): Described {
  return {
    name: command.name(),
    description: command.description(),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map(({ short, long, description, required, optional }) => ({
        flags: [short, long].filter((flag) => flag !== undefined && flag !== null),
        description,
        value: required || optional,
        takesPrompt: long === '--to',
      })),
    takes: listed(command.registeredArguments[0]?.name()),
    words: words[command.name()] ?? [],
  };
}

function listed(argument: string | undefined): Described['takes'] {
  return argument === 'session' || argument === 'prompt' ? argument : null;
}

function bash(commands: readonly Described[]): string {
  const cases = commands.map(({ name, options, takes, words }) => {
    const flags = [...options.flatMap((option) => option.flags), '--help'].join(' ');
    const list = takes ?? (options.some(({ takesPrompt }) => takesPrompt) ? 'prompt' : null);
    const names = list === null ? '' : ` $(${LISTS[list]} | cut -f1)`;
    const more = words.map((word) => ` ${word}`).join('');
    return `    ${name}) words="${flags}${more}${names}" ;;`;
  });
  return `# bash completion of tsmux: source this file in ~/.bashrc, or copy it to
#   ~/.local/share/bash-completion/completions/tsmux
# Made by the project's tests from the commands themselves.
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
  const cases = commands.map(({ name, options, takes, words }) => {
    const flags = options.flatMap((option) => {
      const value = option.takesPrompt ? ': :_tsmux_prompts' : option.value ? ': :_files' : '';
      return option.flags.map((flag) => `'${flag}[${zshText(option.description)}]${value}'`);
    });
    const all = [...flags, "'--help[display help]'", ...zshFirst(takes, words)];
    return `    ${name}) _arguments ${all.join(' ')} ;;`;
  });
  return `#compdef tsmux
# zsh completion of tsmux: put its folder into fpath in ~/.zshrc, before compinit:
#   fpath=(/path/to/tsmux/contrib/completions $fpath)
#   autoload -Uz compinit && compinit
# Made by the project's tests from the commands themselves.
_tsmux_sessions() {
  local -a sessions
  sessions=(\${\${(f)"$(${LISTS.session})"}/$'\\t'/:})
  _describe -V session sessions
}
_tsmux_prompts() {
  local -a prompts
  prompts=(\${(f)"$(${LISTS.prompt})"})
  compadd -a prompts
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

/** The first argument: what can be listed, and what is always there. */
function zshFirst(takes: Described['takes'], words: readonly string[]): readonly string[] {
  const parts = [...(takes === null ? [] : [`_tsmux_${takes}s`])];
  if (words.length > 0) parts.push(`compadd ${words.join(' ')}`);
  return parts.length === 0 ? [] : [`'1:${takes ?? 'word'}:{${parts.join('; ')}}'`];
}

function zshText(text: string): string {
  return text.replace(/[[\]:\\]/g, '\\$&').replaceAll("'", "'\\''");
}

function fish(commands: readonly Described[]): string {
  const lines = commands.flatMap(({ name, description, options, takes, words }) => {
    const within = `complete -c tsmux -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c tsmux -n __fish_use_subcommand -a ${name} -d ${fishText(description)}`,
      ...options.map(({ flags, description: what, value, takesPrompt }) => {
        const names = flags.map((flag) =>
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        );
        const list = takesPrompt ? ` -x -a '(${LISTS.prompt})'` : value ? ' -r' : '';
        return `${within} ${names.join(' ')}${list} -d ${fishText(what)}`;
      }),
      ...(takes === null ? [] : [`${within} -a '(${LISTS[takes]})'`]),
      ...(words.length === 0 ? [] : [`${within} -a '${words.join(' ')}'`]),
    ];
  });
  return `# fish completion of tsmux: copy this file to ~/.config/fish/completions/tsmux.fish
# Made by the project's tests from the commands themselves.
complete -c tsmux -f
${lines.join('\n')}
`;
}

function fishText(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
