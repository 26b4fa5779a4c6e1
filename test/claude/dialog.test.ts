import { describe, expect, it } from 'vitest';
import { type Dialog, readDialog } from '../../src/claude/dialog.ts';
import { changed, screen, screenNames } from './screens.ts';

const read = (text: string): Dialog => {
  const dialog = readDialog(text);
  if (dialog === null) throw new Error('no dialog was read');
  return dialog;
};

/** Options as one reads them: `> 1 allow Yes`. */
const options = (dialog: Dialog): readonly string[] =>
  dialog.options.map(({ highlighted, key, means, label }) =>
    [...(highlighted ? ['>'] : []), key ?? '-', means, label.replace(/ +/g, ' ')].join(' '),
  );

const always = (rule: string) => `2 allow-always Yes, and ${rule}`;
const auto = (key: number) =>
  `${key} mode Yes, and switch to auto mode · auto mode handles these prompts for you`;
const acceptEdits =
  '2 mode Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)';
const inRun = [
  '> 1 allow Yes',
  always('always allow access to /home/ada/run from this project'),
  auto(3),
  '4 deny No',
];
const npm = ['> 1 allow Yes', always('don’t ask again for: npm install *'), auto(3), '4 deny No'];
const oldRun = ['> 1 allow Yes', always('always allow access to run/ from this project'), '3 deny No'];
const inFolder = [
  '> 1 allow Yes',
  always('always allow access to /home/ada/some/folder-xy/outside from this project'),
  auto(3),
  '4 deny No',
];
const longQuestion = [
  '> 1 choice The first one, whose label is rather long as well',
  '2 choice Short',
  '3 choice 第二の選択肢',
  '4 choice Type something.',
  '5 choice Chat about this',
];
const yesOrNo = ['> 1 allow Yes', '2 deny No'];
const file = ['> 1 allow Yes', acceptEdits, '3 deny No'];
const database = ['> 1 choice PostgreSQL', '2 choice SQLite', '3 choice MongoDB', '4 choice Type something.'];
const features = ['> 1 choice Search', '2 choice Cart', '3 choice Reviews', '4 choice Type something'];
const fixSettings = ['> 1 choice Continue', '2 choice Fix with Claude', '3 choice Exit and fix manually'];

/** Every captured screen: kind, title, and the options in Claude's order and words. */
const captured: Readonly<Record<string, readonly [Dialog['kind'], string | null, readonly string[]] | null>> =
  {
    'ask-after-plain-allow': ['question', 'Database', [...database, '5 choice Chat about this']],
    'ask-free-332': null,
    'dialog-add-dir': [
      'dialog',
      'Adding a new directory:',
      ['> - choice No, leave it out', '- choice Yes, add it'],
    ],
    'dialog-askuserquestion-cut-30x12': null,
    'dialog-askuserquestion-long-44x30': ['question', 'Long', longQuestion],
    'dialog-askuserquestion-long-70x24': ['question', 'Long', longQuestion],
    'dialog-askuserquestion-multi': [
      'question',
      'Features',
      [...features, '- choice Submit', '5 choice Chat about this'],
    ],
    'dialog-askuserquestion-multi-checked': [
      'question',
      'Features',
      [...features, '- choice Submit', '5 choice Chat about this'],
    ],
    'dialog-askuserquestion-multi-submit': [
      'question',
      'Review your answers',
      ['> 1 choice Submit answers', '2 deny Cancel'],
    ],
    'dialog-askuserquestion-single': ['question', 'Database', [...database, '5 choice Chat about this']],
    'dialog-askuserquestion-two-questions': [
      'question',
      'Database',
      ['> 1 choice PostgreSQL', '2 choice SQLite', '3 choice Type something.', '4 choice Chat about this'],
    ],
    'dialog-askuserquestion-two-questions-2': [
      'question',
      'Features',
      [
        '> 1 choice Search',
        '2 choice Cart',
        '3 choice Type something',
        '- choice Submit',
        '4 choice Chat about this',
      ],
    ],
    'dialog-askuserquestion-two-questions-44x16': [
      'question',
      'Database',
      [...database, '5 choice Chat about this'],
    ],
    'dialog-automode-cannot-check': ['dialog', "Auto mode can't check actions in this session", []],
    'dialog-bash-ask-rule-in-auto-mode': ['permission', 'Bash command', yesOrNo],
    'dialog-bash-cjk-44x16': ['permission', null, inFolder],
    'dialog-bash-cut-30x12': null,
    'dialog-bash-cut-44x16-2.1.197': null,
    'dialog-bash-heredoc-44x30-2.1.197': [
      'permission',
      'Bash command',
      ['> 1 allow Yes', always('always allow access to outside/ from this project'), '3 deny No'],
    ],
    'dialog-read-outside-44x30-2.1.197': [
      'permission',
      'Read file',
      ['> 1 allow Yes', '2 allow-always Yes, allow reading from etc/ during this session', '3 deny No'],
    ],
    'dialog-bash-from-subagent-44x16': ['permission', null, inFolder],
    'dialog-bash-from-subagent-44x30': ['permission', 'Bash command', inFolder],
    'dialog-bash-from-subagent-44x30-2.1.197': [
      'permission',
      'Bash command',
      ['> 1 allow Yes', always('always allow access to outside/ from this project'), '3 deny No'],
    ],
    'dialog-exitplanmode-empty-70x24-2.1.197': ['plan', 'Exit plan mode?', ['> 1 allow Yes', '2 deny No']],
    'dialog-bash-heredoc-70x24': ['permission', null, inFolder],
    'dialog-bash-long-44x16': [
      'permission',
      null,
      [
        '> 1 allow Yes',
        always(
          "don't ask again for echo 0, echo 1, echo 2, echo 3, and echo 4 commands in /home/ada/some/folder-xy/home/code/webshop",
        ),
        auto(3),
        '4 deny No',
      ],
    ],
    'dialog-bash-compound': [
      'permission',
      'Bash command',
      [
        '> 1 allow Yes',
        always('allow access to /home/ada/code/webshop and npm run commands'),
        auto(3),
        '4 deny No',
      ],
    ],
    'dialog-bash-compound-70x24': [
      'permission',
      'Bash command',
      [
        '> 1 allow Yes',
        always('always allow access to /home/ada/code/webshop from this project'),
        auto(3),
        '4 deny No',
      ],
    ],
    'dialog-bash-from-subagent': ['permission', 'Bash command', inRun],
    'dialog-bash-from-subagent-2.1.197': ['permission', 'Bash command', oldRun],
    'dialog-bash-from-subagent-queued': ['permission', 'Bash command', inRun],
    'dialog-bash-ls-outside': ['permission', 'Bash command', ['> 1 allow Yes', auto(2), '3 deny No']],
    'dialog-bash-npm-44x16': ['permission', null, npm],
    'dialog-bash-npm-classic-renderer': ['permission', 'Bash command', npm],
    'dialog-bash-npm-install': ['permission', 'Bash command', npm],
    'dialog-bash-pretooluse-ask': ['permission', 'Bash command', yesOrNo],
    'dialog-bash-rm': ['permission', 'Bash command', inRun],
    'dialog-bash-touch': ['permission', 'Bash command', inRun],
    'dialog-bash-touch-2.1.197': ['permission', 'Bash command', oldRun],
    'dialog-bash-two-parallel-first': ['permission', 'Bash command', inRun],
    'dialog-edit': ['permission', 'Edit file', file],
    'dialog-edit-70x24': ['permission', 'Edit file', file],
    'dialog-edit-wrapped-70x24': ['permission', 'Edit file', file],
    'dialog-exitplanmode': [
      'plan',
      'Ready to code?',
      [
        '> 1 mode Yes, and use auto mode',
        '2 allow Yes, manually approve edits',
        '3 deny Tell Claude what to change',
      ],
    ],
    'dialog-exitplanmode-empty': [
      'plan',
      'Exit plan mode?',
      ['> 1 allow Yes, and switch to default (ask each time) for this session', '2 deny No'],
    ],
    'dialog-exitplanmode-feedback': [
      'plan',
      'Ready to code?',
      [
        '1 mode Yes, and use auto mode',
        '2 allow Yes, manually approve edits',
        '> 3 deny Tell Claude what to change',
      ],
    ],
    'dialog-mcp-elicitation': ['elicitation', 'MCP server “labmcp” requests your input', []],
    'dialog-mcp-tool': [
      'permission',
      'Tool use',
      [
        '> 1 allow Yes',
        always("don't ask again for labmcp — Echo commands in /home/ada/code/webshop"),
        '3 deny No',
      ],
    ],
    'dialog-model-picker': [
      'dialog',
      'Select model',
      [
        '1 choice Default (recommended) Use the default model (currently Opus 5.5) · $4/$20 per Mtok',
        '> 2 choice Opus ✔ Opus 5.5 · Best for everyday, complex tasks · $4/$20 per Mtok',
        '3 choice Fable Fable 5.2 · Most capable for your hardest and longest-running tasks · $8/$40 per Mtok',
        '4 choice Sonnet Sonnet 5.5 · Efficient for routine tasks · $2/$10 per Mtok',
        '5 choice Haiku Haiku 5.5 · Fastest for quick answers · $0.10/$0.50 per Mtok ($0.50/$2.50 for prompts over 100k)',
      ],
    ],
    'dialog-read-outside': [
      'permission',
      'Read file',
      ['> 1 allow Yes', '2 allow-always Yes, allow reading from /etc during this session', '3 deny No'],
    ],
    'dialog-settings-error-startup': ['dialog', 'Settings Warning', fixSettings],
    'dialog-settings-error-startup-2.1.197': ['dialog', 'Settings Warning', fixSettings],
    'dialog-settings-malformed-startup': [
      'dialog',
      'Settings Error',
      [
        '> 1 choice Fix with Claude',
        '2 choice Exit and fix manually',
        '3 choice Continue without these settings',
      ],
    ],
    'dialog-trust': [
      'dialog',
      'Accessing workspace:',
      ['> - choice No, exit', '- choice Yes, I trust this folder'],
    ],
    'dialog-webfetch': [
      'permission',
      'Fetch',
      [
        '> 1 allow Yes',
        always("don't ask again for docs.example.com"),
        '3 deny No, and tell Claude what to do differently (esc)',
      ],
    ],
    'dialog-write-amend': [
      'permission',
      'Create file',
      ['> 1 allow Yes, and tell Claude what to do next', acceptEdits, '3 deny No'],
    ],
    'dialog-webfetch-cut-30x12': null,
    'dialog-write-overwrite-44x30': ['permission', 'Overwrite file', file],
    'dialog-write-without-numbers': ['permission', 'Create file', ['> - deny No', '- allow Yes']],
    'dialog-write-from-subagent': ['permission', 'Create file', file],
    'dialog-write-new': ['permission', 'Create file', file],
    'nodialog-subagent-hook-pending': null,
    'nodialog-two-subagents-hook-pending': null,
    'perm-44col-332': [
      'permission',
      'Bash command',
      [
        '> 1 allow Yes',
        always('always allow access to /home/ada/lab/out from this project'),
        auto(3),
        '4 deny No',
      ],
    ],
    'plan-after-allow-332': ['permission', 'Create file', file],
    'plan-denied-197': [
      'permission',
      'Create file',
      ['> 1 allow Yes', '2 mode Yes, allow all edits during this session (shift+tab)', '3 deny No'],
    ],
    'plan-denied-332': ['permission', 'Create file', file],
    'screen-api-retry': null,
  };

describe('the dialog on each captured screen', () => {
  it('has an expectation for every screen that was captured', () => {
    expect(Object.keys(captured).sort()).toEqual([...screenNames].sort());
  });

  it.each(screenNames)('%s', (name) => {
    const dialog = readDialog(screen(name));
    expect(dialog === null ? null : [dialog.kind, dialog.title, options(dialog)]).toEqual(captured[name]);
  });

  it.each(screenNames)('%s, in a taller pane of the classic renderer, with empty lines under it', (name) => {
    expect(readDialog(`${screen(name)}${'\n'.repeat(30)}`)).toEqual(readDialog(screen(name)));
  });
});

describe('what else a dialog says', () => {
  it('names the sub-agent, and its place among those that wait', () => {
    expect(read(screen('dialog-bash-from-subagent-queued'))).toMatchObject({
      from: 'general-purpose',
      queue: { position: 1, length: 2 },
    });
    expect(read(screen('dialog-write-from-subagent')).queue).toEqual({ position: 2, length: 2 });
    expect(read(screen('dialog-bash-from-subagent'))).toMatchObject({ from: 'general-purpose', queue: null });
    expect(read(screen('dialog-bash-touch'))).toMatchObject({ from: null, queue: null });
  });

  it('shows the command as it was wrapped, and what else is said about it', () => {
    expect(read(screen('dialog-bash-pretooluse-ask'))).toMatchObject({
      framed: ['ls -la'],
      body: [
        'List files',
        'ls -la',
        '│ Hook PreToolUse:Bash requires confirmation for this command:',
        '│ Company policy: ask first [settings]',
        'settings.json to update hooks',
      ],
    });
  });

  it('tells how much a small pane leaves out', () => {
    expect(read(screen('dialog-bash-npm-44x16')).hidden).toBe(3);
    expect(read(screen('dialog-bash-npm-install')).hidden).toBe(0);
  });

  it('tells that a text field has the cursor, where a digit would be typed', () => {
    const typing = screenNames.filter((name) => readDialog(screen(name))?.typing === true);
    expect(typing).toEqual(['dialog-exitplanmode-feedback', 'dialog-write-amend']);
    const onOwnWords = changed(
      'dialog-askuserquestion-single',
      ['❯ 1. PostgreSQL', '  1. PostgreSQL'],
      ['  4. Type something.', '❯ 4. CockroachDB, please'],
    );
    expect(read(onOwnWords).typing).toBe(true);
  });

  it('knows which options lead to a text field', () => {
    const texts = (name: string) =>
      read(screen(name))
        .options.filter(({ takesText }) => takesText)
        .map(({ label }) => label);
    expect(texts('dialog-askuserquestion-single')).toEqual(['Type something.']);
    expect(texts('dialog-exitplanmode')).toEqual(['Tell Claude what to change']);
    expect(texts('dialog-bash-touch')).toEqual([]);
  });

  it('knows the pages of several questions, and what is ticked', () => {
    const second = read(screen('dialog-askuserquestion-two-questions-2'));
    expect(second).toMatchObject({
      multiSelect: true,
      question: 'Which features?',
      tabs: [
        { header: 'Database', done: true },
        { header: 'Features', done: false },
        { header: 'Submit', done: true },
      ],
    });
    const ticked = read(screen('dialog-askuserquestion-multi-checked')).options.map(({ checked }) => checked);
    expect(ticked).toEqual([true, false, true, false, null, null]);
    expect(read(screen('dialog-askuserquestion-single'))).toMatchObject({ multiSelect: false });
  });

  it('tells what Claude says of each choice', () => {
    const described = read(screen('dialog-askuserquestion-single')).options.map(
      ({ description }) => description,
    );
    expect(described).toEqual(['Relational, robust', 'Single file', 'Documents', null, null]);
  });
});

describe('other ways in which the same dialog is drawn', () => {
  it('reads an option that lost its dot', () => {
    for (const drawn of ['2Yes, and don', '2 Yes, and don', '2.Yes, and don']) {
      const text = changed('dialog-bash-npm-install', ['2. Yes, and don', drawn]);
      expect(options(read(text))).toEqual(npm);
    }
    expect(options(read(changed('dialog-bash-touch-2.1.197', ['3. No', '3No'])))).toEqual(oldRun);
  });

  it('joins labels wherever they were wrapped', () => {
    const wrapped = changed('dialog-bash-npm-44x16', [
      '   2. Yes, and don’t ask again for: npm\n      install *\n',
      '   2. Yes, and don’t ask\n      again for:\n      npm install\n      *\n',
    ]);
    expect(options(read(wrapped))).toEqual(npm);
  });

  it('joins a folder that is longer than the pane without a blank in it', () => {
    const long = '/home/ada/code/a-very-long-folder-name-that-fits-nowhere';
    const drawn = `   2. Yes, and always allow access to\n      ${long.slice(0, 37)}\n      ${long.slice(37)} from this project\n`;
    const text = changed('dialog-bash-npm-44x16', [
      '   2. Yes, and don’t ask again for: npm\n      install *\n',
      drawn,
    ]);
    expect(options(read(text))[1]).toBe(always(`always allow access to ${long} from this project`));
  });

  it('reads the dialog when more of it is left out, as long as question and options are there', () => {
    const rows = screen('dialog-bash-npm-44x16').split('\n');
    const from = (row: number) =>
      rows
        .slice(row)
        .join('\n')
        .replace('↑ 3 more', `↑ ${3 + row} more`);
    const question = rows.findIndex((row) => row.includes('Do you want'));
    for (let row = 1; row <= question; row++) {
      expect(read(from(row)), `from row ${row}`).toMatchObject({ hidden: 3 + row, title: null });
      expect(options(read(from(row)))).toEqual(npm);
    }
    expect(readDialog(from(question + 1))).toBeNull();
    expect(readDialog(from(question + 2))).toBeNull();
  });

  it('reads no dialog whose end is left out', () => {
    expect(
      readDialog(
        changed('dialog-bash-npm-44x16', ['   4. No\n ↑ 3 more lines', '   4. No\n ↓ 3 more lines']),
      ),
    ).toBeNull();
    expect(
      readDialog(changed('dialog-bash-npm-44x16', ['   4. No\n ↑ 3 more lines', ' ↓ 2 more lines'])),
    ).toBeNull();
  });

  it('reads title and sub-agent that are wrapped side by side', () => {
    for (const name of ['dialog-bash-from-subagent-44x30', 'dialog-bash-from-subagent-44x30-2.1.197']) {
      expect(read(screen(name))).toMatchObject({
        title: 'Bash command',
        from: 'general-purpose',
        typing: false,
      });
    }
  });

  it('reads a question that is wrapped, whose first row may be the first of the pane', () => {
    expect(read(screen('dialog-askuserquestion-long-44x30')).question).toBe(
      'Which of these very long questions should be answered first, before all the others are?',
    );
    const cut = screen('dialog-askuserquestion-two-questions-44x16').split('\n').slice(1).join('\n');
    expect(readDialog(cut)).toBeNull();
  });

  it.each([
    ' Esc to cancel · Tab to amend · ctrl+x\n ctrl+k twice to stop background agents',
    ' Esc to cancel · Tab to amend · ctrl+x ctr…',
    ' Esc to cancel · Tab to amend · ctrl+e to\n explain',
  ])('reads key hints that are wrapped or cut: %j', (hints) => {
    const text = changed('dialog-bash-touch', [' Esc to cancel · Tab to amend', hints]);
    expect(read(text).typing).toBe(false);
    expect(options(read(text))).toEqual(inRun);
  });

  it('reads the highlight wherever it is', () => {
    const text = changed('dialog-bash-touch', [' ❯ 1. Yes', '   1. Yes'], ['   4. No', ' ❯ 4. No']);
    expect(options(read(text)).at(-1)).toBe('> 4 deny No');
  });
});

describe('screens that hold no dialog but look like one', () => {
  const promptBox = ['─'.repeat(120), '❯ ', '─'.repeat(120), '  ⏸ manual mode on · ? for shortcuts', ''].join(
    '\n',
  );
  const dialog = screen('dialog-bash-touch').slice(screen('dialog-bash-touch').indexOf('────'));

  it.each([
    ['a numbered list in Claude’s answer', '● You can:\n\n  1. Yes, do it\n  2. No, leave it\n\n'],
    [
      'a list with a mark and a question in Claude’s answer',
      '● Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend\n\n',
    ],
    [
      'a file being shown with a dialog in it',
      `● Read(screen.txt)\n${dialog
        .split('\n')
        .map((line) => `  ⎿  ${line}`)
        .join('\n')}\n`,
    ],
    ['a finished dialog above the prompt box', `${dialog}\n`],
    [
      'a diff that adds a dialog',
      '● Update(src/fake.ts)\n      1 + Do you want to proceed?\n      2 + ❯ 1. Yes\n      3 +   2. No\n      4 + Esc to cancel · Tab to amend\n\n',
    ],
  ])('%s', (_what, conversation) => {
    expect(readDialog(`${conversation}${promptBox}`)).toBeNull();
  });

  it.each([
    ['❯ 1. Yes'],
    ['❯ 1. Yes\n  2. No'],
    [' Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to cancel · Tab to amend'],
  ])('the prompt box, with typed %j', (typed) => {
    const rule = '─'.repeat(120);
    expect(readDialog(`● Done.\n\n${rule}\n${typed}\n${rule}\n  ⏸ manual mode on`)).toBeNull();
    expect(readDialog(`● Done.\n\n${rule}\n${typed}\n${rule}`)).toBeNull();
  });

  it.each([
    ['without the rule over it', (text: string) => text.slice(text.indexOf(' Bash command'))],
    ['without its key hints', (text: string) => text.replace(' Esc to cancel · Tab to amend', '')],
    ['without its question', (text: string) => text.replace(' Do you want to proceed?', '')],
    ['with a line under it', (text: string) => `${text}\n$ `],
    ['without its first option', (text: string) => text.replace(' ❯ 1. Yes\n', '')],
    ['without its last option', (text: string) => text.replace('   4. No\n', '')],
    ['with an option missing in the middle', (text: string) => text.replace(/ {3}3\. .*\n/, '')],
    ['with nothing highlighted', (text: string) => text.replace('❯ 1.', '  1.')],
    ['with two highlighted', (text: string) => text.replace('  4. No', '❯ 4. No')],
    ['with options in another column', (text: string) => text.replace('   2. Yes', ' 2. Yes')],
  ])('a dialog %s', (_how, change) => {
    expect(readDialog(dialog)).not.toBeNull();
    expect(change(dialog)).not.toBe(dialog);
    expect(readDialog(change(dialog))).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['empty lines', '\n\n\n'],
    ['a rule', `${'─'.repeat(80)}\n`],
    ['a shell', 'ada@host:~$ claude\n❯ 1. Yes\n  2. No\nada@host:~$ '],
  ])('%s', (_what, text) => {
    expect(readDialog(text)).toBeNull();
  });
});

describe('text in a dialog that imitates its end', () => {
  const fake = [
    ' │ echo "',
    ' │  Do you want to proceed?',
    ' │  ❯ 1. Yes',
    ' │    2. No',
    ' │ ',
    ' │  Esc to cancel · Tab to amend"',
  ];

  it('in a command is part of the command', () => {
    const text = changed('dialog-bash-touch', [' touch /home/ada/run/x1\n╌', `${fake.join('\n')}\n╌`]);
    expect(options(read(text))).toEqual(inRun);
    expect(read(text).framed).toContain('│  ❯ 1. Yes');
  });

  it('in a command of the older version, which marks no lines, is part of the command', () => {
    const bare = fake.map((line) => line.replace(' │', '   ')).join('\n');
    const text = changed('dialog-bash-touch-2.1.197', ['   touch /home/ada/run/x1', bare]);
    expect(options(read(text))).toEqual(oldRun);
  });

  it('in a rule is part of the label', () => {
    const label = '   2. Yes, and don’t ask again for: npm\n      1. Yes\n      2. No *\n';
    const text = changed('dialog-bash-npm-44x16', [
      '   2. Yes, and don’t ask again for: npm\n      install *\n',
      label,
    ]);
    expect(options(read(text))).toEqual([
      '> 1 allow Yes',
      always('don’t ask again for: npm 1. Yes 2. No *'),
      auto(3),
      '4 deny No',
    ]);
  });

  it('that names a mode in a rule does not make it a change of mode', () => {
    const text = changed('dialog-bash-npm-install', ['npm install *', 'switch to auto mode *']);
    expect(options(read(text))[1]).toBe(always('don’t ask again for: switch to auto mode *'));
  });
});
