import { describe, expect, it } from 'vitest';
import { readDialog } from '../../src/claude/dialog.ts';
import { always, auto, inRun, npm, oldRun, options, read } from './options-read.ts';
import { changed, screen, screenNames } from './screens.ts';

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

describe('the dialog beside the changed files', () => {
  const beside = screen('dialog-bash-beside-changes-150x40');
  const rows = beside.trimEnd().split('\n');

  it('is read without them, and found again by the whole rows', () => {
    const { body, framed, lines } = read(beside);
    expect(body.join()).not.toMatch(/│|src\/cart/);
    expect(framed).toEqual(['touch /home/ada/some/folder-xyz/outsid/x1']);
    for (const line of lines) expect(rows).toContain(line);
  });

  it('is read where text of double width, or a line like the edge, stands in it', () => {
    const text = beside.replace(' Create marker file ', ' 印をつける │ ファイ');
    expect(read(text).body).toContain('印をつける │ ファイ');
  });

  it.each([
    ['a row has no edge', (text: string) => text.replace(/^( ❯ 1\. Yes) +│/m, '$1')],
    ['a row has its edge elsewhere', (text: string) => text.replace(/^( ❯ 1\. Yes) (.*│)/m, '$1$2')],
    ['they are not there from the first row on', (text: string) => text.replace('✕', '')],
    ['something stands under both', (text: string) => `${text.trimEnd()}\n  ⏸ manual mode on`],
  ])('is not read where %s', (_what, change) => {
    expect(change(beside)).not.toBe(beside);
    expect(readDialog(change(beside))).toBeNull();
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
