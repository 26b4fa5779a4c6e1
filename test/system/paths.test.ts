import { userInfo } from 'node:os';
import { expect, it } from 'vitest';
import { pathsOf } from '../../src/system/paths.ts';

const nothing = () => false;

it('without HOME, or with one that is no path, the account tells where home is', () => {
  const { homedir } = userInfo();
  expect(pathsOf({}, 1000, nothing).home).toBe(homedir);
  expect(pathsOf({ HOME: 'ada' }, 1000, nothing).state).toBe(`${homedir}/.local/state/tsmux`);
  expect(pathsOf({ HOME: '/home/ada' }, 1000, nothing).state).toBe('/home/ada/.local/state/tsmux');
});

it('without a usable XDG_RUNTIME_DIR it is systemd’s, else a folder of the user’s own', () => {
  const env = { HOME: '/home/ada', XDG_RUNTIME_DIR: '/run/mine' };
  expect(pathsOf(env, 1000, () => true).socket).toBe('/run/mine/tsmux/tsmux.sock');
  expect(pathsOf(env, 1000, (path) => path === '/run/user/1000').runtime).toBe('/run/user/1000/tsmux');
  expect(pathsOf({ ...env, XDG_RUNTIME_DIR: 'run' }, 1000, () => true).runtime).toBe('/run/user/1000/tsmux');
  expect(pathsOf(env, 1000, nothing).runtime).toMatch(/\/tsmux-1000$/);
});
