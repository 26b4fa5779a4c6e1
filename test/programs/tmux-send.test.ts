import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendIfShown, type TmuxKeyPress } from '../../src/desktop/multiplexers/tmux-send.ts';
import { until } from '../support/until.ts';
import { type ShowingPane, startTmux, type TmuxPanes } from './tmux-panes.ts';

const folder = 'test/fixtures/claude/screens';
const names = readdirSync(folder).map((name) => name.replace('.txt', ''));
const screen = (name: string) => readFileSync(join(folder, `${name}.txt`), 'utf8');

/** The dialog at the end of a screen, as it would have been read: from the last rule on. */
function dialogOf(name: string): readonly string[] {
  const lines = screen(name).split('\n');
  return lines.slice(lines.findLastIndex((line) => /^─{20}/.test(line)) + 1).filter((line) => line !== '');
}

let panes: TmuxPanes;
let marks = 0;
const newMark = () => `p${marks++}`;

beforeAll(async () => {
  panes = await startTmux();
});
afterAll(() => panes.close());

const press = (pane: ShowingPane, lines: readonly string[], more: Partial<TmuxKeyPress> = {}) =>
  sendIfShown({ socket: panes.socket, pane: pane.id, mark: newMark(), key: '4', lines, ...more }, panes);

const arrived = (pane: ShowingPane, text: string) =>
  until(async () => (await pane.typed()) === text, { why: `${text} in the pane`, saw: () => pane.typed() });

describe('a key for a dialog in a pane of tmux', () => {
  it.each([
    'dialog-bash-touch',
    'dialog-bash-npm-44x16',
    'dialog-bash-touch-2.1.197',
    'dialog-edit-70x24',
    'dialog-exitplanmode-feedback',
    'dialog-mcp-tool',
    'perm-44col-332',
    'dialog-bash-beside-changes-150x40',
    'dialog-bash-cjk-beside-changes-160x32',
  ])('is sent to %s, once', async (name) => {
    const pane = await panes.open(screen(name));
    expect(await press(pane, dialogOf(name))).toBe('sent');
    await arrived(pane, '4');
  });

  it('is refused the second time, though the dialog is still drawn', async () => {
    const pane = await panes.open(screen('dialog-bash-npm-install'));
    const again = { mark: newMark() };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => press(pane, dialogOf('dialog-bash-npm-install'), again)),
    );
    expect(answers.toSorted()).toEqual(['refused', 'refused', 'refused', 'refused', 'sent']);
    await arrived(pane, '4');
    expect(await press(pane, dialogOf('dialog-bash-npm-install'), again)).toBe('refused');
    expect(await pane.typed()).toBe('4');
  });

  it('is sent again for another prompt with the same dialog', async () => {
    const pane = await panes.open(screen('dialog-bash-npm-install'));
    expect(await press(pane, dialogOf('dialog-bash-npm-install'))).toBe('sent');
    expect(await press(pane, dialogOf('dialog-bash-npm-install'), { key: '1' })).toBe('sent');
    await arrived(pane, '41');
  });

  it('is refused on every captured screen but those that show that very dialog', {
    timeout: 60_000,
  }, async () => {
    const pane = await panes.open('nothing yet');
    const aims = ['dialog-bash-npm-install', 'dialog-write-new', 'dialog-webfetch'];
    const sent: Record<string, string[]> = {};
    for (const name of names) {
      await pane.show(screen(name));
      for (const aim of aims) {
        if ((await press(pane, dialogOf(aim))) === 'sent') sent[aim] = [...(sent[aim] ?? []), name];
      }
    }
    expect(sent).toEqual({
      'dialog-bash-npm-install': ['dialog-bash-npm-classic-renderer', 'dialog-bash-npm-install'],
      'dialog-write-new': ['dialog-write-new'],
      'dialog-webfetch': ['dialog-webfetch'],
    });
    expect(await pane.typed()).toBe('4444');
  });

  it('is refused when the highlight has moved', async () => {
    const moved = screen('dialog-bash-touch').replace('❯ 1. Yes', '  1. Yes').replace('  4. No', '❯ 4. No');
    const pane = await panes.open(moved);
    expect(await press(pane, dialogOf('dialog-bash-touch'))).toBe('refused');
    expect(await pane.typed()).toBe('');
  });

  it('is refused in copy mode, and sent after it', async () => {
    const pane = await panes.open(screen('dialog-bash-touch'));
    await panes.tmux('copy-mode', '-t', pane.id);
    expect(await press(pane, dialogOf('dialog-bash-touch'))).toBe('refused');
    await panes.tmux('send-keys', '-t', pane.id, '-X', 'cancel');
    expect(await press(pane, dialogOf('dialog-bash-touch'))).toBe('sent');
    await arrived(pane, '4');
  });

  it('is refused where keys go to all panes of the window', async () => {
    const pane = await panes.open(screen('dialog-bash-touch'));
    await panes.tmux('set-option', '-w', '-t', pane.id, 'synchronize-panes', 'on');
    expect(await press(pane, dialogOf('dialog-bash-touch'))).toBe('refused');
    expect(await pane.typed()).toBe('');
  });

  it('is refused where input is switched off', async () => {
    const pane = await panes.open(screen('dialog-bash-touch'));
    await panes.tmux('select-pane', '-d', '-t', pane.id);
    expect(await press(pane, dialogOf('dialog-bash-touch'))).toBe('refused');
  });

  it('is refused for a pane whose program has ended, or that is gone', async () => {
    const pane = await panes.open(screen('dialog-bash-touch'));
    await panes.tmux('set-option', '-p', '-t', pane.id, 'remain-on-exit', 'on');
    await panes.tmux('set-option', '-p', '-t', pane.id, 'remain-on-exit-format', '');
    const pid = Number(await panes.tmux('display-message', '-p', '-t', pane.id, '#{pane_pid}'));
    process.kill(pid);
    await until(
      async () => (await panes.tmux('display-message', '-p', '-t', pane.id, '#{pane_dead}')) === '1\n',
      {
        why: 'the end of the program',
      },
    );
    const stillShown = (await pane.lines()).filter((line) => line !== '');
    expect(stillShown.join('\n')).toContain('4. No');
    expect(await press(pane, stillShown)).toBe('refused');
    await panes.tmux('kill-pane', '-t', pane.id);
    expect(await press(pane, dialogOf('dialog-bash-touch'))).toBe('refused');
  });

  it('fails where there is no such server', async () => {
    const pane = await panes.open(screen('dialog-bash-touch'));
    const nowhere = { socket: join(panes.folder, 'nobody') };
    expect(await press(pane, dialogOf('dialog-bash-touch'), nowhere)).toBe('failed');
  });

  it('is refused when nothing is given that could be tested', async () => {
    const pane = await panes.open(screen('dialog-bash-touch'));
    expect(await press(pane, [])).toBe('refused');
    expect(await press(pane, ['', '  ', '─'.repeat(120)])).toBe('refused');
    expect(await pane.typed()).toBe('');
  });

  it('is not accepted with a pane, a mark or a key that is none', async () => {
    const pane = await panes.open(screen('dialog-bash-touch'));
    for (const wrong of [{ key: 'Enter' }, { key: '12' }, { key: '' }, { mark: 'a;b' }, { pane: 'work:1' }]) {
      await expect(press(pane, ['4. No'], wrong)).rejects.toThrow('not a key for a pane');
    }
  });

  it('tests the end of a dialog that is too long to be tested whole', async () => {
    const long = Array.from({ length: 49 }, (_, at) => `${at} ${'#,}❯'.repeat(29)}`);
    const pane = await panes.open(long.join('\n'));
    expect(await press(pane, ['not there', ...long])).toBe('sent');
    expect(await press(pane, [...long.slice(0, -1), 'not there'])).toBe('refused');
    expect(await press(pane, long.with(40, 'not there'))).toBe('refused');
  });
});

describe('text that means something to tmux', () => {
  const nasty = fc.constantFrom(
    ...[
      '#',
      '##',
      '#{',
      '}',
      ',',
      '#,',
      '#}',
      '#[',
      ']',
      '#(',
      ')',
      '\\',
      '*',
      '?',
      '[',
      '$',
      '^',
      '|',
      '+',
      '.',
    ],
    ...[
      '%',
      '%H',
      ';',
      ':',
      '~',
      '"',
      "'",
      '`',
      '&&',
      '{2,4}',
      '#{pane_id}',
      '#S',
      '@',
      '!',
      '=',
      '/',
      '-',
      ' ',
    ],
    ...[
      '❯',
      '’',
      '·',
      'é',
      '漢',
      'a',
      '1',
      'Yes',
      'x:y',
      '#{C:',
      '#{?1,0,',
      '\\d',
      '(a|b)',
      '[:alpha:]',
      '$(id)',
    ],
  );
  const line = fc
    .array(nasty, { minLength: 1, maxLength: 14 })
    .map((parts) => `x${parts.join('')}`.trimEnd());

  it('is found whatever it is, and nothing else is', { timeout: 60_000 }, async () => {
    const pane = await panes.open('nothing yet');
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(line, { minLength: 5, maxLength: 10 }),
        fc.nat(),
        fc.constantFrom('y', '#', '}', ',', '\\', '.', '*'),
        async (texts, at, other) => {
          await pane.show(`${texts.join('\n')}\nend`);
          const shown = (await pane.lines()).filter((text) => text !== '');
          expect(shown).toEqual([...texts, 'end']);
          expect(await press(pane, shown)).toBe('sent');
          for (const text of texts) {
            const spot = at % text.length;
            const changes = [
              text.slice(0, spot) + other + text.slice(spot + 1),
              text + other,
              text.slice(0, -1),
              text.slice(1),
            ];
            const wrong = changes.find(
              (change) => !shown.includes(change.trimEnd()) && /[\p{L}\p{N}]/u.test(change),
            );
            if (wrong !== undefined) expect(await press(pane, [...shown, wrong]), wrong).toBe('refused');
          }
        },
      ),
      { numRuns: 12 },
    );
  });

  it('runs nothing and expands to nothing', async () => {
    const file = join(panes.folder, 'made');
    const hostile = [
      `echo #(touch ${file})`,
      `#{?1,a,b} #{l:x} #{pane_id} #{E:@tsmux_answered}`,
      `a' ; run-shell "touch ${file}" ; '`,
      `}} ; run-shell "touch ${file}"`,
      `#,#},1}#(touch ${file})`,
    ];
    const pane = await panes.open(hostile.join('\n'));
    expect(await press(pane, hostile)).toBe('sent');
    for (const text of hostile) expect(await press(pane, [`${text}x`])).toBe('refused');
    expect(existsSync(file)).toBe(false);
  });
});
