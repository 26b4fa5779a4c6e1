import { describe, expect, it } from 'vitest';
import { mannerOf, type Rule, type Wishes } from '../../src/attention/rules.ts';
import { aSession } from '../support/sessions.ts';

const wishes: Wishes = {
  states: ['needs-input', 'review'],
  kinds: ['interactive', 'background', 'editor'],
  show: true,
  sound: true,
  cooldown: 5,
  'min-work': 10,
  'break-quiet': false,
  command: [],
  rules: [],
};
const web = aSession({ id: 'web1', name: 'webshop', label: 'web', cwd: '/home/ada/code/webshop' });
const manner = (rules: readonly Rule[], state: 'needs-input' | 'review' = 'review', session = web) =>
  mannerOf({ ...wishes, rules }, session, state, '/home/ada');

describe('how the user wants to be told', () => {
  it('is critical for a prompt and normal for a finish, with times in ms', () => {
    expect(manner([], 'needs-input')).toEqual({
      show: true,
      urgency: 'critical',
      sound: true,
      cooldown: 5_000,
      minWork: 10_000,
      breaksQuiet: false,
      command: null,
    });
    expect(manner([])?.urgency).toBe('normal');
  });

  it('is not at all for what runs without a terminal, unless asked for', () => {
    const printing = aSession({ id: 'work', kind: 'print' });
    expect(manner([], 'review', printing)).toBeNull();
    expect(mannerOf({ ...wishes, kinds: ['print'] }, printing, 'review', '/home/ada')).not.toBeNull();
  });

  it('is what the first rule says that fits', () => {
    const rules: Rule[] = [
      { projects: ['~/work'], urgency: 'low' },
      { projects: ['~/code'], states: ['review'], cooldown: 60 },
      { projects: ['~/code'], sound: false },
    ];
    expect(manner(rules)).toMatchObject({ cooldown: 60_000, sound: true, urgency: 'normal' });
    expect(manner(rules, 'needs-input')).toMatchObject({ cooldown: 5_000, sound: false });
  });

  it.each([
    ['webshop', true],
    ['web', true],
    ['web*', true],
    ['shop', false],
    ['~/code', true],
    ['~/code/', true],
    ['~/code/web', false],
    ['~/*/webshop', true],
    ['/', true],
    ['/home/ada/code/webshop', true],
    ['/home/ada/code/webshop.old', false],
    ['/home/ada/code/web....', false],
  ])('takes %s for a project pattern that fits webshop: %s', (pattern, fits) => {
    expect(manner([{ projects: [pattern], notify: false }]) === null).toBe(fits);
  });

  it('can leave out a state for all projects but one', () => {
    const only = { ...wishes, states: ['needs-input' as const] };
    expect(mannerOf(only, web, 'review', '/home/ada')).toBeNull();
    const rules = [{ projects: ['web'], notify: true }];
    expect(mannerOf({ ...only, rules }, web, 'review', '/home/ada')).not.toBeNull();
  });

  it('can be by a command alone', () => {
    expect(manner([{ show: false, command: ['say', 'done'] }])).toMatchObject({
      show: false,
      command: ['say', 'done'],
    });
  });
});
