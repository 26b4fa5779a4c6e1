import fc from 'fast-check';
import { nowhere } from '../../src/sessions/place.ts';
import type { Option, Prompt, PromptId } from '../../src/sessions/prompt.ts';
import type { Session, SessionId, Snapshot, State } from '../../src/sessions/session.ts';

export const now = Date.parse('2026-11-30T14:55:00Z');
export const minutes = (count: number) => count * 60_000;

let started = 0;

/** A session called `name`; later ones started later. */
export function session(name: string, facts: Partial<Session> = {}): Session {
  started += 1;
  return {
    id: `s${name.replace(/[^a-z0-9]/g, '')}${started}00` as SessionId,
    pid: 4000 + started,
    sessionId: null,
    kind: 'interactive',
    entrypoint: 'cli',
    permissionMode: 'default',
    state: 'idle',
    since: now,
    reason: null,
    background: { agents: 0, shells: 0 },
    compacting: false,
    label: null,
    name,
    cwd: `/home/ada/code/${name}`,
    branch: null,
    configDir: '/home/ada/.claude',
    tool: null,
    lastMessage: null,
    model: null,
    tokens: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextPercent: null,
    ports: [],
    place: nowhere('not looked for'),
    prompts: [],
    startedAt: now - minutes(600) + started * 1000,
    ...facts,
  };
}

const yesAlwaysNo: readonly Option[] = [
  { key: '1', label: 'Yes', means: 'allow' },
  { key: '2', label: "Yes, and don't ask again for: npm install *", means: 'allow-always' },
  { key: '3', label: 'No, and tell Claude what to do differently (esc)', means: 'deny' },
  { key: 'g', label: 'Go to terminal', means: 'go' },
];

export function prompt(text: string, facts: Partial<Prompt> = {}): Prompt {
  return {
    id: 'p7c2' as PromptId,
    kind: 'permission',
    title: 'Bash',
    text,
    truncated: false,
    agent: null,
    answerable: 'hook',
    since: now,
    pinned: false,
    questions: [],
    asking: null,
    options: yesAlwaysNo,
    ...facts,
  };
}

export function moment(sessions: readonly Session[], facts: Partial<Snapshot> = {}): Snapshot {
  return { quiet: { until: null }, sessions, notice: null, ...facts };
}

/** The moment of the picture in the README of the look. */
export function lookedAt(): Snapshot {
  return moment(
    [
      session('web', { state: 'needs-input', prompts: [prompt('npm install left-pad')] }),
      session('docs', { state: 'review', since: now - minutes(2) }),
      session('api', {
        state: 'busy',
        since: now - minutes(4),
        tool: { name: 'Edit', summary: '/home/ada/code/api/src/cart.ts' },
      }),
      session('infra', { state: 'busy', since: now - minutes(11), background: { agents: 2, shells: 0 } }),
      session('blog'),
    ],
    { quiet: { until: now + minutes(24) } },
  );
}

const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    'R&D <x> "q" \\',
    'a\nb\r\tc\0',
    '\x1b]0;x\x07',
    '\u202egnp.exe',
    '漢字'.repeat(30),
    '👩‍👩‍👧'.repeat(9),
  ),
);

const anyPrompt: fc.Arbitrary<Prompt> = fc
  .record({
    text: hostileText,
    title: fc.constantFrom('Bash', 'Write', 'mcp__x__y'),
    answerable: fc.constantFrom('hook', 'keys', 'no'),
    pinned: fc.boolean(),
    labels: fc.array(hostileText, { maxLength: 5 }),
    always: hostileText,
  })
  .map(({ labels, always, ...rest }) => ({
    ...prompt(''),
    ...rest,
    options: [
      ...labels.map(
        (label, index): Option => ({ key: `${index + 1}`, label, means: index === 0 ? 'allow' : 'choice' }),
      ),
      { key: '8', label: `Always: ${always}`, means: 'allow-always' },
      { key: '9', label: 'Yes, and switch to auto mode', means: 'mode' },
      { key: 'g', label: 'Go to terminal', means: 'go' },
    ],
  }));

const anySession: fc.Arbitrary<Session> = fc
  .record({
    state: fc.constantFrom<State>('idle', 'busy', 'needs-input', 'review', 'unknown'),
    name: hostileText,
    label: fc.option(hostileText),
    reason: fc.option(hostileText),
    since: fc.integer({ min: now - minutes(9000), max: now + minutes(1) }),
    startedAt: fc.integer({ min: now - minutes(20), max: now }),
    compacting: fc.boolean(),
    background: fc.record({ agents: fc.nat(3), shells: fc.nat(3) }),
    tool: fc.option(fc.record({ name: fc.constant('Bash'), summary: hostileText })),
    prompts: fc.array(anyPrompt, { maxLength: 3 }),
  })
  .map((facts) => ({
    ...session('any'),
    ...facts,
    prompts: facts.state === 'needs-input' ? facts.prompts : [],
  }));

/** Any moment, with names, titles and commands that others have chosen. Ids are distinct. */
export const anyMoment: fc.Arbitrary<Snapshot> = fc
  .record({
    sessions: fc.array(anySession, { maxLength: 12 }),
    notice: fc.option(hostileText.filter((text) => text !== '')),
    until: fc.option(fc.integer({ min: now - minutes(2), max: now + minutes(999) })),
  })
  .map(({ sessions, notice, until }) => ({
    notice,
    quiet: { until },
    sessions: sessions.map((each, index) => ({
      ...each,
      id: `s${index}aa` as SessionId,
      prompts: each.prompts.map((open, at) => ({ ...open, id: `p${index}${at}a` as PromptId })),
    })),
  }));
