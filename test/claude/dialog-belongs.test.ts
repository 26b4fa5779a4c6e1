import { describe, expect, it } from 'vitest';
import { readDialog } from '../../src/claude/dialog.ts';
import { dialogFor } from '../../src/claude/dialog-belongs.ts';
import type { AskedPrompt } from '../../src/sessions/prompt.ts';
import { asked, bash } from './asked.ts';
import { changed, screen, screenNames } from './screens.ts';

function belongs(prompt: AskedPrompt, text: string, agent: string | null = null): boolean {
  const dialog = readDialog(text);
  return dialog !== null && dialogFor(prompt, agent, dialog);
}

/** Prompts of the real Claude Code, and all captured screens with the dialog that it drew for such a one. */
const pairs: readonly (readonly [string, string | null, readonly string[]])[] = [
  [
    'PermissionRequest.Bash',
    null,
    ['dialog-bash-ask-rule-in-auto-mode', 'dialog-bash-touch', 'dialog-bash-touch-2.1.197'],
  ],
  [
    'PermissionRequest.Bash.in-subagent',
    'af7c7d4bb697917a1',
    ['dialog-bash-from-subagent', 'dialog-bash-from-subagent-2.1.197', 'dialog-bash-from-subagent-queued'],
  ],
  [
    'PermissionRequest.Edit',
    null,
    // The last is of the same change, made once more.
    ['dialog-edit', 'dialog-edit-70x24', 'dialog-edit-beside-changes-300x20'],
  ],
  ['PermissionRequest.Write', null, ['dialog-write-amend']],
  ['PermissionRequest.Write.in-subagent', 'ae3cd83554e947515', ['dialog-write-from-subagent']],
  ['PermissionRequest.Read', null, ['dialog-read-outside', 'dialog-read-outside-44x30-2.1.197']],
  ['PermissionRequest.WebFetch', null, ['dialog-webfetch', 'dialog-webfetch-beside-changes']],
  ['PermissionRequest.mcp-echo', null, ['dialog-mcp-tool']],
  ['PermissionRequest.mcp-ask', null, []],
  ['PermissionRequest.ExitPlanMode', null, ['dialog-exitplanmode']],
  [
    'PermissionRequest.AskUserQuestion',
    null,
    ['dialog-askuserquestion-two-questions', 'dialog-askuserquestion-two-questions-2'],
  ],
  ['Elicitation', null, ['dialog-mcp-elicitation']],
];

describe('a prompt and the dialog on screen', () => {
  it.each(pairs)('%s belongs to its own dialog, and to no other of all captured', (hook, agent, own) => {
    const prompt = asked(hook);
    expect(screenNames.filter((name) => belongs(prompt, screen(name), agent))).toEqual(own);
  });

  it('a prompt of the main thread does not belong to the same command of a sub-agent, nor the reverse', () => {
    const command = bash('touch /home/ada/run/sub1');
    expect(belongs(command, screen('dialog-bash-from-subagent'), null)).toBe(false);
    expect(belongs(command, screen('dialog-bash-from-subagent'), 'a1')).toBe(true);
    expect(belongs(bash('touch /home/ada/run/x1'), screen('dialog-bash-touch'), 'a1')).toBe(false);
  });

  it.each([
    ['dialog-bash-compound-70x24', 'cd src && npm run build 2>&1 | tee build.log'],
    ['dialog-bash-npm-44x16', 'npm install left-pad'],
    ['dialog-bash-npm-classic-renderer', 'npm install left-pad'],
    ['dialog-bash-beside-changes-150x40', 'touch /home/ada/some/folder-xyz/outsid/x1'],
    [
      'dialog-bash-cjk-beside-changes-160x32',
      "echo 'こんにちは世界 — 日本語 🎉' > /home/ada/some/folder-xyz/outsid/日本.txt",
    ],
    ['dialog-bash-rm', 'rm -rf /home/ada/run/gone && echo removed'],
    [
      'perm-44col-332',
      `touch /home/ada/lab/out/${'a'.repeat(120)}-one /home/ada/lab/out/${'b'.repeat(76)}-two`,
    ],
  ])('%s is the dialog of its command, however that was wrapped', (name, command) => {
    expect(belongs(bash(command), screen(name))).toBe(true);
    expect(belongs(bash(`${command} `), screen(name))).toBe(true);
    const others = [`${command}x`, `x${command}`, command.slice(0, -1), command.slice(1), `${command}\nls`];
    for (const other of others) {
      expect(belongs(bash(other), screen(name)), other).toBe(false);
    }
  });

  it('a command that is the beginning of another does not belong to its dialog', () => {
    const longer = changed('dialog-bash-touch', [
      ' touch /home/ada/run/x1\n╌',
      ' touch /home/ada/run/x1 y\n╌',
    ]);
    expect(belongs(bash('touch /home/ada/run/x1'), longer)).toBe(false);
    expect(belongs(bash('touch /home/ada/run/x1 y'), longer)).toBe(true);
  });

  it('a blank more or less within a line is another command', () => {
    const spaced = changed('dialog-bash-touch', ['touch /home/ada/run/x1\n╌', 'touch /home/ada/run/ x1\n╌']);
    expect(belongs(bash('touch /home/ada/run/x1'), spaced)).toBe(false);
  });

  it('a command of several lines belongs to the dialog that shows them all', () => {
    const drawn = changed('dialog-bash-touch', [
      ' touch /home/ada/run/x1\n╌',
      ' │ cat <<EOF > f\n │   one\n │\n │ two\n │ EOF\n╌',
    ]);
    expect(belongs(bash('cat <<EOF > f\n  one\n\ntwo\nEOF'), drawn)).toBe(true);
    expect(belongs(bash('cat <<EOF > f\n\tone\n\ntwo\nEOF\n'), drawn)).toBe(true);
    expect(belongs(bash('cat <<EOF > f\n  one\nEOF'), drawn)).toBe(false);
  });

  it('a command of which the pane leaves something out does not belong', () => {
    const rows = screen('dialog-bash-npm-44x16').split('\n');
    const cut = rows.slice(rows.findIndex((row) => row.includes('npm install left-pad'))).join('\n');
    expect(readDialog(cut)).not.toBeNull();
    expect(belongs(bash('npm install left-pad'), cut)).toBe(false);
    expect(belongs(bash('install left-pad'), cut)).toBe(false);
  });

  it('another tool with the same text does not belong', () => {
    const other = asked('PermissionRequest.Bash', (body) => ({
      ...body,
      tool_name: 'Deploy',
      tool_input: { command: 'touch /home/ada/run/x1' },
    }));
    expect(belongs(other, screen('dialog-bash-touch'))).toBe(false);
  });

  it('another file of the same name outside of the project does not belong', () => {
    const write = (path: string) =>
      asked('PermissionRequest.Write', (body) => ({
        ...body,
        tool_input: { file_path: path, content: '# Plan: add search\n\n1. Add index\n' },
      }));
    const page = screen('dialog-write-without-numbers');
    expect(belongs(write('/home/ada/.claude/plans/PLAN'), page)).toBe(true);
    expect(belongs(write('/home/ada/plans/PLAN'), page)).toBe(false);
  });

  it('a change belongs to its dialog, wrapped or with signs of its own', () => {
    const file_path = '/home/ada/code/webshop/src/cart.ts';
    const edit = asked('PermissionRequest.Edit', (body) => ({
      ...body,
      tool_input: {
        file_path,
        old_string: '  let total = 0;\n  return total;',
        new_string:
          '  let total = 0; // a very long comment that has to be wrapped in a narrow pane for sure\n  return total + 1;',
      },
    }));
    expect(belongs(edit, screen('dialog-edit-wrapped-70x24'))).toBe(true);
    const overwrite = asked('PermissionRequest.Write', (body) => ({
      ...body,
      tool_input: { file_path, content: '- dash\n+ plus\n1 one\nexport function sum() {}\n' },
    }));
    expect(belongs(overwrite, screen('dialog-write-overwrite-44x30'))).toBe(true);
  });

  it('a command that imitates a dialog belongs to its own', () => {
    const command = [
      "cat > /home/ada/some/folder-xy/outside/f <<'EOF'",
      '  one',
      '',
      '\ttabbed',
      ' Do you want to proceed?',
      ' ❯ 1. Yes',
      '   2. No',
      '',
      ' Esc to cancel · Tab to amend',
      'EOF',
    ].join('\n');
    expect(belongs(bash(command), screen('dialog-bash-heredoc-70x24'))).toBe(true);
    expect(belongs(bash(command), screen('dialog-bash-heredoc-44x30-2.1.197'))).toBe(true);
    expect(belongs(bash('touch x'), screen('dialog-bash-heredoc-70x24'))).toBe(false);
  });

  it.each([
    ['another path', { file_path: '/home/ada/code/webshop/lib/cart.ts' }],
    ['a file whose name ends alike', { file_path: '/home/ada/code/webshop/xsrc/cart.ts' }],
    ['another change', { new_string: 'let total = 1;' }],
    ['a change that is the beginning of what is shown', { new_string: 'let total = 0; // c' }],
    ['a change that is the end of what is shown', { old_string: 'total = 0;', new_string: '0; // cents' }],
    ['another place', { old_string: 'let sum = 0;' }],
  ])('an edit of %s does not belong', (_what, input) => {
    const prompt = asked('PermissionRequest.Edit', (body) => ({
      ...body,
      tool_input: { ...(body.tool_input as object), ...input },
    }));
    expect(belongs(prompt, screen('dialog-edit'))).toBe(false);
  });

  it('a new file with a part of what is shown, or with more, does not belong', () => {
    const write = (content: string) =>
      asked('PermissionRequest.Write', (body) => ({
        ...body,
        tool_input: { ...(body.tool_input as object), content },
      }));
    const whole = 'export const answer = 42;\nexport const name = "webshop";\n';
    expect(belongs(write(whole), screen('dialog-write-amend'))).toBe(true);
    expect(belongs(write('export const answer = 42;\n'), screen('dialog-write-amend'))).toBe(false);
    expect(belongs(write(`${whole}more\n`), screen('dialog-write-amend'))).toBe(false);
  });

  it('a question with other choices, or another way to choose, does not belong', () => {
    const ask = (change: object) =>
      asked('PermissionRequest.AskUserQuestion', (body) => {
        const { questions } = body.tool_input as { questions: object[] };
        return { ...body, tool_input: { questions: [{ ...questions[0], ...change }] } };
      });
    const page = screen('dialog-askuserquestion-two-questions');
    expect(belongs(ask({}), page)).toBe(true);
    expect(belongs(ask({ question: 'Which database then?' }), page)).toBe(false);
    expect(belongs(ask({ multiSelect: true }), page)).toBe(false);
    expect(belongs(ask({ options: [{ label: 'PostgreSQL' }, { label: 'MySQL' }] }), page)).toBe(false);
    expect(belongs(ask({ options: [{ label: 'PostgreSQL' }] }), page)).toBe(false);
  });

  it('the page on which answers are submitted belongs to its questions', () => {
    const features = asked('PermissionRequest.AskUserQuestion', (body) => ({
      ...body,
      tool_input: {
        questions: [
          { question: 'Which features do you want?', header: 'Features', options: [], multiSelect: true },
        ],
      },
    }));
    expect(belongs(features, screen('dialog-askuserquestion-multi-submit'))).toBe(true);
    expect(
      belongs(asked('PermissionRequest.AskUserQuestion'), screen('dialog-askuserquestion-multi-submit')),
    ).toBe(false);
  });

  it('another plan does not belong, and no plan only to the small dialog', () => {
    const plan = (input: object) =>
      asked('PermissionRequest.ExitPlanMode', (body) => ({ ...body, tool_input: input }));
    const short = plan({ plan: '# Plan: add search\n\n1. Add index\n' });
    expect(belongs(short, screen('dialog-exitplanmode'))).toBe(false);
    expect(belongs(short, screen('dialog-exitplanmode-2.1.197'))).toBe(true);
    expect(belongs(plan({}), screen('dialog-exitplanmode'))).toBe(false);
    expect(belongs(plan({}), screen('dialog-exitplanmode-empty'))).toBe(true);
  });
});
