import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { windowsOf } from '../../src/desktop/windows.ts';
import { treeOf } from './fake-wm.ts';

const fixture = (name: string) =>
  windowsOf(JSON.parse(readFileSync(`test/fixtures/desktop/${name}.json`, 'utf8')));

describe('windows of a tree', () => {
  it('c1: finds every window of i3 4.22 with its X id, and no pid, which i3 does not know', () => {
    const windows = fixture('tree-i3');
    expect(windows).toHaveLength(27);
    expect(windows.find(({ title }) => title === 'T-kittyS2')).toEqual({
      conId: 94009539571472,
      id: 23068709,
      title: 'T-kittyS2',
      focused: false,
      pid: null,
      appId: 'kitty',
      workspace: { name: 'b2', num: null, output: 'fake-1' },
      urgent: false,
    });
  });

  it('leaves bars out', () => {
    expect(fixture('tree-i3').filter(({ title }) => title.startsWith('i3bar'))).toEqual([]);
  });

  it('finds every window of sway 1.7 with its pid, Wayland and X11 alike', () => {
    const windows = fixture('tree-sway');
    expect(windows).toHaveLength(17);
    expect(windows.find(({ title }) => title === 'T-footc1')).toMatchObject({
      conId: 11,
      id: null,
      pid: 32399,
      appId: 'foot',
      workspace: { name: 'a1', num: null, output: 'HEADLESS-1' },
    });
    expect(windows.find(({ title }) => title === 'T-urxvt1')).toMatchObject({
      id: 8388618,
      pid: 690,
      appId: 'URxvt',
      focused: true,
    });
  });

  it('has the number of a workspace that has one', () => {
    const [window] = windowsOf(treeOf([{ id: 5, window: 9, workspace: '3: web <b>' }]));
    expect(window?.workspace).toEqual({ name: '3: web <b>', num: 3, output: 'HDMI-1' });
  });

  it('says that a window in the scratchpad is on no workspace, with the wrapper of i3 and without', () => {
    const wrapped = {
      id: 8,
      type: 'floating_con',
      nodes: [{ id: 9, type: 'con', window: 7, name: 'notes' }],
    };
    const bare = { id: 10, type: 'floating_con', shell: 'xdg_shell', pid: 77, name: 'music' };
    const scratch = {
      id: 3,
      type: 'workspace',
      name: '__i3_scratch',
      num: -1,
      floating_nodes: [wrapped, bare],
    };
    const tree = { id: 1, type: 'root', nodes: [{ id: 2, type: 'output', name: '__i3', nodes: [scratch] }] };
    expect(windowsOf(tree).map(({ title, workspace }) => [title, workspace])).toEqual([
      ['notes', null],
      ['music', null],
    ]);
  });

  it('c14: takes a field of another type, or none at all, for unknown, and keeps the rest', () => {
    const strange = {
      id: 2 ** 47 + 1,
      type: 'something new',
      window: 2 ** 40,
      pid: 'many',
      name: 7,
      urgent: 'yes',
      shell: 'xdg_shell',
      nodes: 'none',
      floating_nodes: null,
      geometry: { x: 2 ** 60 },
    };
    expect(windowsOf({ id: 1, type: 'root', nodes: [strange] })).toEqual([
      {
        conId: 2 ** 47 + 1,
        id: null,
        title: '',
        focused: false,
        pid: null,
        appId: null,
        workspace: null,
        urgent: false,
      },
    ]);
  });

  it('c14: a node that is none costs only itself', () => {
    const windows = windowsOf({
      id: 1,
      nodes: [null, 5, { name: 'no id' }, { id: 6, window: 4, name: 'kept' }],
    });
    expect(windows.map(({ title }) => title)).toEqual(['kept']);
  });

  it('c12: refuses what is no tree at all', () => {
    expect(() => windowsOf([])).toThrow('no root');
    expect(() => windowsOf('tree')).toThrow('no root');
  });

  it('walks a tree of any depth', () => {
    let node: object = { id: 5, window: 4, name: 'deep' };
    for (let depth = 0; depth < 3000; depth++) node = { id: 6, nodes: [node] };
    expect(windowsOf(node).map(({ title }) => title)).toEqual(['deep']);
  });
});
