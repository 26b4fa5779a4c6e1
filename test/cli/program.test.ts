import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionFor, shells } from '../../src/cli/completion.ts';
import { createProgram } from '../../src/cli/program.ts';

const program = createProgram(() => {
  throw new Error('no command is run here');
});
const commands = program.commands.filter((command) => !command.name().startsWith('__'));

it('has the commands that users and scripts rely on', () => {
  expect(commands.map((command) => command.name()).sort()).toEqual(
    'answer click daemon doctor explain focus help history hook i3bar i3blocks i3status-rs json label list menu next pin polybar preview prompts seen setup show stop switch tmux watch waybar'.split(
      ' ',
    ),
  );
});

describe.each(commands.map((command) => [command.name(), command] as const))(
  'tsmux %s --help',
  (name, command) => {
    it('says what it does, and shows an example that is right', () => {
      let help = '';
      command.configureOutput({ writeOut: (text) => (help += text) });
      command.outputHelp();
      const example = /Example:\n {2}tsmux ([^\n|<]+)/.exec(help)?.[1]?.trim().split(/\s+/) ?? [];
      expect(example[0]).toBe(name);
      const flags = example.slice(1, example.includes('--') ? example.indexOf('--') : undefined);
      for (const flag of flags.filter((word) => word.startsWith('-'))) {
        expect(command.options.map(({ long }) => long)).toContain(flag);
      }
    });
  },
);

describe('completions', () => {
  const files = { bash: 'tsmux.bash', zsh: '_tsmux', fish: 'tsmux.fish' } as const;

  it.each(shells)('for %s are in contrib as the commands are', async (shell) => {
    await expect(completionFor(shell, program)).toMatchFileSnapshot(
      `../../contrib/completions/${files[shell]}`,
    );
  });

  const complete = (...words: readonly string[]) => {
    const script = `source contrib/completions/tsmux.bash
      tsmux() { case $1 in __sessions) printf 'web\\twebshop (idle)\\nk3f7\\tapi (busy)\\n' ;; __prompts) printf 'p7c2ab\\n' ;; esac; }
      COMP_WORDS=(tsmux ${words.map((word) => `'${word}'`).join(' ')}) COMP_CWORD=${words.length}
      _tsmux; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
    return stdout.trim().split('\n');
  };

  it('in bash offer commands, their options, and the sessions that run', () => {
    expect(complete('s')).toEqual(['stop', 'setup', 'switch', 'show', 'seen']);
    expect(complete('setup', '--d')).toEqual(['--dry-run', '--deny']);
    expect(complete('label', '')).toEqual(['--help', 'web', 'k3f7']);
    expect(complete('label', 'w')).toEqual(['web']);
    expect(complete('focus', 'o')).toEqual(['off']);
    expect(complete('help', 'sh')).toEqual(['show']);
    expect(complete('menu', 'a')).toEqual(['answer']);
    expect(complete('pin', 'p')).toEqual(['p7c2ab']);
    expect(complete('answer', '--to', 'p')).toEqual(['p7c2ab']);
  });
});
