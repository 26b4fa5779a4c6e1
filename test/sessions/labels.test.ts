import { describe, expect, it } from 'vitest';
import { displayNames, labelProblem, matchSession } from '../../src/sessions/labels.ts';
import { nowhere } from '../../src/sessions/place.ts';
import { createRegistry } from '../../src/sessions/registry.ts';
import type { Session } from '../../src/sessions/session.ts';
import { at, file, key, only, seenAlive, sessionAfter, told } from './told.ts';

const like = (id: string, more: Partial<Session>): Session => ({
  ...sessionAfter(),
  ...more,
  id: id as Session['id'],
});

const on = (workspace: string) => ({
  ...nowhere(''),
  workspace: { name: workspace, num: null, output: null },
});

const namesOf = (...sessions: Session[]) => [...displayNames(sessions).values()];

describe('what a session is called', () => {
  it('is its label, else its name', () => {
    expect(namesOf(like('aaaa', { name: 'shop' }), like('bbbb', { name: 'blog', label: 'web' }))).toEqual([
      'shop',
      'web',
    ]);
  });

  it('gets the branch where two show the same, then the workspace, then the id', () => {
    const shop = { name: 'shop' };
    expect(
      namesOf(like('aaaa', { ...shop, branch: 'main' }), like('bbbb', { ...shop, branch: 'fix' })),
    ).toEqual(['shop main', 'shop fix']);
    expect(
      namesOf(like('aaaa', { ...shop, place: on('1') }), like('bbbb', { ...shop, place: on('2') })),
    ).toEqual(['shop 1', 'shop 2']);
    expect(namesOf(like('aaaa', shop), like('bbbb', shop))).toEqual(['shop aaaa', 'shop bbbb']);
  });

  it('leaves a label as the user wrote it', () => {
    expect(namesOf(like('aaaa', { label: 'shop' }), like('bbbb', { name: 'shop' }))).toEqual([
      'shop',
      'shop bbbb',
    ]);
  });
});

describe('a label', () => {
  const others = [like('aaaa', { label: 'web' }), like('bbbb', {})];
  const problem = (label: string) => labelProblem(label, others, 'bbbb' as Session['id']);

  it('is unique and never all digits', () => {
    expect(problem('api')).toBeNull();
    expect(problem('web')).toMatch(/aaaa/);
    expect(problem('aaaa')).toMatch(/aaaa/);
    expect(problem('12')).toMatch(/digits/);
  });

  it('is one short line without control characters', () => {
    for (const bad of ['', '  ', ' x', 'a\nb', 'a\u001b[31m', 'a\u202eb', 'x'.repeat(41), 'pid:7'])
      expect(problem(bad), JSON.stringify(bad)).not.toBeNull();
  });

  it('may stay what it is', () => {
    expect(labelProblem('web', others, 'aaaa' as Session['id'])).toBeNull();
  });

  it('follows the session id into the process that resumes it, once the first has gone', () => {
    const registry = told(file(0, 'idle'), { type: 'labelled', at: at(1), label: 'web' });
    const resumed = { ...key, pid: 5000, startTime: 60000 };
    registry.observe(resumed, seenAlive(2));
    registry.observe(resumed, file(2, 'idle'));
    expect(registry.all().map((session) => session.label)).toEqual(['web', null]);
    registry.observe(key, { type: 'process-gone', at: at(3) });
    registry.observe(resumed, file(4, 'busy'));
    expect(only(registry)).toMatchObject({ pid: 5000, label: 'web' });
  });

  it('follows the session id over a restart of the daemon', () => {
    const saved = told(file(0, 'idle'), { type: 'labelled', at: at(1), label: 'web' }).save(at(5));
    const registry = createRegistry(JSON.parse(JSON.stringify(saved)));
    const resumed = { ...key, pid: 5000, startTime: 60000 };
    registry.observe(resumed, seenAlive(6));
    registry.observe(resumed, file(6, 'idle'));
    expect(only(registry).label).toBe('web');
  });

  it('that was taken away stays away', () => {
    const registry = told(
      file(0, 'idle'),
      { type: 'labelled', at: at(1), label: 'web' },
      { type: 'labelled', at: at(2), label: null },
      file(3, 'busy'),
    );
    expect(only(registry).label).toBeNull();
  });
});

describe('SESSION on the command line', () => {
  const sessions = [
    like('kaaa', { label: 'web', name: 'shop', pid: 10 }),
    like('kbbb', { name: 'webmail', pid: 11 }),
    like('kccc', { name: 'docs', pid: 12 }),
  ];
  const found = (query: string) => matchSession(query, sessions).found?.id;

  it('is an id, a label, pid:N, or a part of a label or name that only one has', () => {
    expect(found('kbbb')).toBe('kbbb');
    expect(found('web')).toBe('kaaa');
    expect(found('pid:12')).toBe('kccc');
    expect(found('MAIL')).toBe('kbbb');
  });

  it('is the one whose whole name it is, also where that is a part of another', () => {
    const alike = [like('kaaa', { name: 'shop-api' }), like('kbbb', { name: 'shop' })];
    expect(matchSession('shop', alike).found?.id).toBe('kbbb');
    expect(matchSession('shop', [...alike, like('kccc', { name: 'shop' })]).found).toBeNull();
  });

  it('is nobody when several match, or none', () => {
    expect(matchSession('eb', sessions)).toMatchObject({
      found: null,
      candidates: [{ id: 'kaaa' }, { id: 'kbbb' }],
    });
    for (const nothing of ['', ' '])
      expect(matchSession(nothing, [like('kaaa', { name: 'web shop' })])).toEqual({
        found: null,
        candidates: [],
      });
    expect(matchSession('nothing', sessions)).toEqual({ found: null, candidates: [] });
  });
});
