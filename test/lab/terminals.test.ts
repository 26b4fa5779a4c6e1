import { describe, expect, it } from 'vitest';
import { i3 } from './desktops.ts';
import { storiesOfTerminals } from './terminal-stories.ts';

describe('a session in a terminal', () => {
  const { now, twoWindows, exactlyAt } = storiesOfTerminals(i3, {
    told: [
      'xterm',
      'urxvt',
      'urxvtc',
      'kitty',
      'kitty -1',
      'alacritty',
      'alacritty msg',
      'st',
      'konsole',
      'xfce4-terminal',
      'mate-terminal',
      'qterminal',
      'cool-retro-term',
    ],
    onlyByTitle: ['gnome-terminal', 'lxterminal', 'tilix'],
  });

  it('is found in a terminal of Emacs, and never taken for what is looked at', async () => {
    const [first, second] = await twoWindows('emacs');
    const located = await now.locator.locate(first.pid);
    expect(located).toMatchObject({ ...exactlyAt(first, '1: one'), mayBeHidden: true });
    expect(await now.locator.locate(second.pid)).toMatchObject(exactlyAt(second, '2: two'));
  });

  it('follows its window to another workspace', async () => {
    const [first] = await twoWindows('xterm');
    expect(await now.locator.locate(first.pid)).toMatchObject(exactlyAt(first, '1: one'));
    await now.lab.i3.command(`[con_id=${first.conId}] move container to workspace 7`);
    expect(await now.locator.locate(first.pid)).toMatchObject(exactlyAt(first, '7'));
  });
});
