import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { styles } from '../../src/bars/theme.ts';
import { until } from '../support/until.ts';
import type { Bar } from './bar.ts';
import { hostileTexts, trace, unfit } from './hostile-texts.ts';
import { barClients, daemons, hasFocus, only, ours, shows, texts } from './on-the-bar.ts';
import { type OpenSession, openSession } from './sessions.ts';
import { type SwayLab, startSwayLab } from './sway.ts';
import type { Terminal } from './terminals.ts';

const { faces } = styles.chips;
const i3status = `general { output_format = "i3bar" interval = 3600 }
order += "tztime local"
tztime local { format = "wrapped" }
`;

describe('tsmux in swaybar, beside i3status', () => {
  let lab: SwayLab;
  let web: OpenSession<Terminal>;
  let api: OpenSession<Terminal>;

  beforeAll(async () => {
    lab = await startSwayLab({
      outputs: 2,
      bar: { command: 'tsmux i3bar -- i3status -c $HOME/i3status', output: 'HEADLESS-1' },
    });
    lab.write('i3status', i3status);
    lab.write('.claude/settings.json', '{}');
    expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
    web = await openSession(lab, { name: 'web', terminal: 'foot', workspace: '3: web' });
    api = await openSession(lab, { name: 'R&D <x> "q"', terminal: 'xterm', workspace: '4: api' });
    await until(() => ours(lab.bar).length === 2, { why: 'two blocks', saw: () => texts(lab.bar) });
  });
  afterAll(() => lab?.stop());

  it('shows a block for each session, right of them what i3status says', async () => {
    // swaybar starts its command before the configuration of i3status was written.
    await lab.sway.command('reload');
    await until(() => lab.bar.starts() === 2 && texts(lab.bar).length === 3, {
      why: 'i3status',
      saw: () => texts(lab.bar),
    });
    expect(texts(lab.bar)).toEqual(['○ web', '○ R&D <x> "q"', 'wrapped']);
    expect(daemons(lab)).toHaveLength(1);
    expect(lab.bar.stderr()).not.toMatch(/tsmux/);
  });

  it('stands on the screen as it was sent, in the colours of the theme, and there the clicks land', async () => {
    web.prompt('SCN:bash please');
    await shows(lab.bar, 'web', /^ ▲ web · Bash touch /);
    await lab.bar.still();
    const picture = await lab.picture();
    const sent = ours(lab.bar).filter(({ background }) => background !== undefined);
    for (const { instance = '', background = '' } of sent) {
      const rect = await lab.bar.block(instance).rect();
      const drawn = picture.find(background, rect);
      expect(drawn, instance).toMatchObject({ x: rect.x, width: rect.width });
      // Nothing of it stands left or right of it; the colour of another block may be the same.
      expect(picture.at(rect.x - 1, rect.y + 3)).not.toBe(background);
      expect(picture.at(rect.x + rect.width, rect.y + 3)).not.toBe(background);
    }
    expect(sent.map(({ background }) => background)).toEqual(
      expect.arrayContaining([faces['needs-input'].background, faces.idle.background]),
    );

    const blocked = picture.find(faces['needs-input'].background ?? '', await lab.bar.rect());
    if (blocked === null) throw new Error('nothing on the screen needs the user');
    await lab.sway.command('workspace 1');
    await lab.pointer.click(blocked.x + 10, blocked.y + 3);
    await hasFocus(lab.sway, web.terminal);
    await web.step({ do: 'press', key: '1' });
    await shows(lab.bar, 'web', /^ [●○] web/);
  });

  it('is answered by clicks on its options: Yes to the first prompt, No to the next', async () => {
    await lab.sway.command('workspace 1');
    const answers = async () => JSON.parse((await lab.tsmux(['history', '--json'])).stdout).entries;
    for (const [option, means, after] of [
      ['1 Yes', 'allow', '●'],
      ['3 No', 'deny', '○'],
    ] as const) {
      web.prompt('SCN:bash please');
      await until(() => texts(lab.bar).includes(option), { why: option, saw: () => texts(lab.bar) });
      await lab.bar.still();
      await lab.bar.block(option).click();
      await shows(lab.bar, 'web', after);
      expect((await answers()).at(-1)).toMatchObject({
        outcome: { type: 'answered', way: 'hook', means },
      });
      expect(texts(lab.bar)).not.toContain(option);
      expect((await lab.sway.focused())?.conId).not.toBe(web.terminal?.conId);
    }
  });

  it('goes to the window on another workspace, another output, and in the scratchpad', async () => {
    await lab.bar.still();
    await lab.sway.command('workspace 1');
    await lab.bar.block('R&D').click();
    await hasFocus(lab.sway, api.terminal);

    await lab.sway.command(`[con_id=${web.terminal?.conId}] move container to output HEADLESS-2`);
    await lab.sway.command('focus output HEADLESS-1');
    await lab.bar.block('web').click();
    await hasFocus(lab.sway, web.terminal);
    expect((await lab.sway.focused())?.output).toBe('HEADLESS-2');

    await lab.sway.command(`[con_id=${api.terminal?.conId}] move scratchpad`);
    await lab.sway.command('workspace 1');
    await lab.bar.block('R&D').click();
    await hasFocus(lab.sway, api.terminal);
    expect((await lab.sway.focused())?.workspace).toBe('1');
    await lab.sway.command('floating disable');
  });

  it('c17: goes to the window when its workspace was renamed after the block was drawn', async () => {
    await lab.sway.command(`[con_id=${api.terminal?.conId}] move container to workspace 6`);
    await lab.bar.still();
    await lab.sway.command('rename workspace 6 to "6: <b> & co"');
    await lab.sway.command('workspace 1');
    await lab.bar.block('R&D').click();
    await hasFocus(lab.sway, api.terminal);
  });

  it('counts as seen what the middle button was pressed on', async () => {
    await lab.sway.command('workspace 1');
    api.prompt('hello');
    await shows(lab.bar, 'R&D', '●');
    await lab.bar.still();
    await lab.bar.block('R&D').click(2);
    await shows(lab.bar, 'R&D', '○');
    expect((await lab.sway.focused())?.conId).not.toBe(api.terminal?.conId);
  });

  it('counts as seen what had the focus for a second', async () => {
    await lab.sway.command('workspace 1');
    api.prompt('hello');
    await shows(lab.bar, 'R&D', '●');
    await api.terminal?.focus();
    await shows(lab.bar, 'R&D', '○');
    await lab.sway.command('workspace 1');
  });

  it('d1, d2: shows hostile names as they are, and goes on', async () => {
    const [session] = ours(lab.bar).filter(({ full_text }) => full_text.includes('web'));
    const id = session?.instance ?? '';
    const shown = () => lab.bar.block(id).sent;
    for (const name of hostileTexts) {
      await web.step({ do: 'session-file', fields: { name: 'plain', nameSource: 'user' } });
      await shows(lab.bar, id, 'plain');
      await web.step({ do: 'session-file', fields: { name, nameSource: 'user' } });
      await until(() => !shown().full_text.includes('plain'), { why: JSON.stringify(name), saw: shown });
      expect(shown().full_text).not.toMatch(unfit);
      await until(async () => (await lab.picture()).find(shown().background ?? '', await lab.bar.rect()), {
        why: `the bar to show ${JSON.stringify(name)}`,
      });
    }
    await web.step({ do: 'session-file', fields: { name: 'plain', nameSource: 'user' } });
    await shows(lab.bar, id, 'plain');
    await lab.bar.still();
    const { x, width, height, y } = await lab.bar.block(id).rect();
    const drawn = (await lab.picture()).find(shown().background ?? '', { x, y, width, height });
    expect(drawn).toMatchObject({ x, width });
    await web.step({ do: 'session-file', fields: { name: 'web', nameSource: 'user' } });
    expect(existsSync(trace)).toBe(false);
  });

  it('is ended and started anew by a reload', async () => {
    const before = only(barClients(lab));
    const starts = lab.bar.starts();
    await lab.sway.command('reload');
    await until(() => barClients(lab).length === 1 && barClients(lab)[0]?.pid !== before.pid, {
      why: 'the new bar client alone',
      limit: 2000,
      saw: () => barClients(lab),
    });
    await until(() => lab.bar.starts() > starts && texts(lab.bar).length === 3, {
      why: 'both sessions and i3status',
      saw: lab.bar.lines,
    });
    await lab.bar.still();
    await lab.sway.command('workspace 1');
    await lab.bar.block('R&D').click();
    await hasFocus(lab.sway, api.terminal);
  });

  it('d9: ends within a second when the bar was killed, with what it had started', async () => {
    const swaybar = only(lab.processes().filter(({ command }) => /^swaybar\b/.test(command)));
    process.kill(swaybar.pid, 'SIGKILL');
    await until(() => !lab.processes().some(({ command }) => /tsmux i3bar|i3status/.test(command)), {
      why: 'the bar client and i3status to end',
      limit: 1000,
      saw: lab.processes,
    });
    expect(JSON.parse((await lab.tsmux(['list', '--json'])).stdout).sessions).toHaveLength(2);
  });
});

describe('a swaybar that hides', () => {
  it('is stopped by sway, and shows the truth when it comes back', async () => {
    const lab = await startSwayLab({ bar: { command: 'tsmux i3bar' } });
    try {
      lab.write('.claude/settings.json', '{}');
      const web = await openSession(lab, { name: 'web', terminal: 'foot', workspace: '2' });
      await shows(lab.bar, 'web', '○');
      await lab.sway.command('bar bar-0 mode hide');
      await until(() => barClients(lab).every(({ status }) => status === 'T'), { why: 'a stopped bar' });
      web.prompt('SCN:slow');
      const { stdout } = await lab.tsmux(['list', '--json']);
      expect(JSON.parse(stdout).sessions).toHaveLength(1);
      await lab.sway.command('bar bar-0 mode dock');
      await shows(lab.bar, 'web', '◐');
      await lab.bar.still();
      await lab.bar.block('web').click();
      await hasFocus(lab.sway, web.terminal);
      await web.finish();
    } finally {
      await lab.stop();
    }
  });
});

describe('two swaybars, each for the sessions on its own output', () => {
  let lab: SwayLab;
  const bar = (index: number): Bar => {
    const found = lab.bars[index];
    if (found === undefined) throw new Error(`no bar ${index}`);
    return found;
  };
  const show = (...expected: readonly (readonly string[])[]) =>
    until(() => expected.every((all, index) => texts(bar(index)).join(' | ') === all.join(' | ')), {
      why: JSON.stringify(expected),
      saw: () => lab.bars.map(texts),
    });

  beforeAll(async () => {
    lab = await startSwayLab({
      outputs: 2,
      bar: ['HEADLESS-1', 'HEADLESS-2'].map((output) => ({
        command: `tsmux i3bar --output ${output}`,
        output,
      })),
    });
    lab.write('.claude/settings.json', '{}');
    expect(await lab.tsmux(['setup'])).toMatchObject({ status: 0 });
  });
  afterAll(() => lab?.stop());

  it('d11: moves the block when the workspace goes to the other output, and a click there finds the window', async () => {
    const left = await openSession(lab, { name: 'left', terminal: 'foot', workspace: '3' });
    const right = await openSession(lab, { name: 'right', terminal: 'foot', workspace: '4' });
    await right.terminal?.focus();
    await lab.sway.command('move workspace to output HEADLESS-2');
    await show(['○ left'], ['○ right']);
    await lab.sway.command('focus output HEADLESS-1');
    await bar(1).still();
    await bar(1).block('right').click();
    await hasFocus(lab.sway, right.terminal);

    await left.terminal?.focus();
    await lab.sway.command('move workspace to output HEADLESS-2');
    await show([], ['○ left', '○ right']);
    await right.terminal?.focus();
    await lab.sway.command('move workspace to output HEADLESS-1');
    await show(['○ right'], ['○ left']);
    expect(daemons(lab)).toHaveLength(1);
  });
});
