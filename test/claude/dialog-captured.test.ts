import { describe, expect, it } from 'vitest';
import { type Dialog, readDialog } from '../../src/claude/dialog.ts';
import {
  acceptEdits,
  always,
  auto,
  database,
  features,
  file,
  fixSettings,
  inFolder,
  inRun,
  longQuestion,
  npm,
  oldRun,
  options,
  yesOrNo,
} from './options-read.ts';
import { screen, screenNames } from './screens.ts';

const inOutside = [
  '> 1 allow Yes',
  always('always allow access to /home/ada/some/folder-xyz/outsid from this project'),
  auto(3),
  '4 deny No',
];

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
    'dialog-exitplanmode-2.1.197': [
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
    'dialog-webfetch-beside-changes': [
      'permission',
      'Fetch',
      [
        '> 1 allow Yes',
        always("don't ask again for docs.example.com"),
        '3 deny No, and tell Claude what to do differently (esc)',
      ],
    ],
    'dialog-askuserquestion-beside-changes': [
      'question',
      'Database',
      [...database, '5 choice Chat about this'],
    ],
    'dialog-askuserquestion-multi-beside-changes': [
      'question',
      'Features',
      [...features, '- choice Submit', '5 choice Chat about this'],
    ],
    'dialog-bash-beside-changes-150x40': ['permission', 'Bash command', inOutside],
    'dialog-bash-cjk-beside-changes-160x32': ['permission', 'Bash command', inOutside],
    'dialog-bash-from-subagent-beside-changes': ['permission', 'Bash command', inOutside],
    'dialog-edit-beside-changes-300x20': ['permission', 'Edit file', file],
    'dialog-exitplanmode-over-changes': [
      'plan',
      'Ready to code?',
      [
        '> 1 mode Yes, and use auto mode',
        '2 allow Yes, manually approve edits',
        '3 deny Tell Claude what to change',
      ],
    ],
    'dialog-mcp-tool-beside-changes': [
      'permission',
      'Tool use',
      [
        '> 1 allow Yes',
        always("don't ask again for shop — Echo commands in /home/ada/some/folder-xy/home/code/webshop"),
        '3 deny No',
      ],
    ],
    'nodialog-beside-changes': null,
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
