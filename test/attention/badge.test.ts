import { describe, expect, it } from 'vitest';
import { badges } from '../../src/attention/badge.ts';
import type { Session, State } from '../../src/sessions/session.ts';
import { session } from '../bars/moment.ts';

function on(workspace: string | null, state: State, desktop: 'i3' | 'sway' = 'i3'): Session {
  const it = session(`${workspace}-${state}`, { state });
  const place = workspace === null ? null : { name: workspace, num: null, output: null };
  return { ...it, place: { ...it.place, certainty: 'exact', desktop, workspace: place } };
}

describe('the badge of a workspace', () => {
  it('is the most urgent state of the sessions there', () => {
    const found = badges([on('web', 'idle'), on('web', 'review'), on('api', 'busy')]);
    expect(found.badges.map(({ workspace, state, sessions }) => [workspace, state, sessions.length])).toEqual(
      [
        ['web', 'review', 2],
        ['api', 'busy', 1],
      ],
    );
    expect(found.badges[0]?.sessions.map(({ state }) => state)).toEqual(['review', 'idle']);
  });

  it('is not shared by two desktops that name their workspaces alike', () => {
    expect(badges([on('1', 'idle'), on('1', 'busy', 'sway')]).badges).toHaveLength(2);
  });

  it('leaves out the sessions that are on none', () => {
    const lost = on(null, 'needs-input');
    expect(badges([on('1', 'idle'), lost])).toMatchObject({ elsewhere: [lost], badges: [{ state: 'idle' }] });
  });
});
