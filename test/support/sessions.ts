import { nowhere, type Pane, type Place, type PlacedWindow } from '../../src/sessions/place.ts';
import type { Session, SessionId } from '../../src/sessions/session.ts';

/** An id as the core makes them, for a test that names its sessions. */
export function sessionId(id: string): SessionId {
  return id as SessionId;
}

/** A session with nothing special about it, but for what the test says. */
export function aSession(facts: Omit<Partial<Session>, 'id'> & { readonly id: string }): Session {
  return {
    pid: 4242,
    sessionId: null,
    kind: 'interactive',
    entrypoint: 'cli',
    permissionMode: 'default',
    state: 'idle',
    since: 1_000,
    reason: null,
    background: { agents: 0, shells: 0 },
    compacting: false,
    label: null,
    name: facts.id,
    cwd: `/home/ada/code/${facts.id}`,
    branch: null,
    configDir: '/home/ada/.claude',
    tool: null,
    lastMessage: null,
    model: null,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextPercent: null,
    ports: [],
    place: nowhere('not looked for yet'),
    prompts: [],
    startedAt: 500,
    ...facts,
    id: sessionId(facts.id),
  };
}

function aWindow(facts: Partial<PlacedWindow> = {}): PlacedWindow {
  return { conId: 94, id: 0x1400_00e, title: 'xterm', focused: false, ...facts };
}

export function placedIn(window: Partial<PlacedWindow>, pane: Pane | null = null): Place {
  return {
    certainty: 'exact',
    reason: null,
    desktop: 'i3',
    workspace: { name: '3: web', num: 3, output: 'HDMI-1' },
    window: aWindow(window),
    pane,
    candidates: [],
  };
}
