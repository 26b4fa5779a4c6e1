import { describe, expect, it } from 'vitest';
import { answered, begin, type Decision, decide, type Manner } from '../../src/attention/notify.ts';
import type { Prompt, PromptId } from '../../src/sessions/prompt.ts';
import type { Session } from '../../src/sessions/session.ts';
import { aSession, placedIn, sessionId } from '../support/sessions.ts';

const SECOND = 1_000;
const start = Date.UTC(2026, 10, 30, 9);
const at = (seconds: number) => start + seconds * SECOND;

const manner: Manner = {
  show: true,
  urgency: 'normal',
  sound: true,
  cooldown: 5 * SECOND,
  minWork: 10 * SECOND,
  breaksQuiet: false,
  command: null,
};

function aPrompt(id: string, seconds: number): Prompt {
  return {
    id: id as PromptId,
    kind: 'permission',
    title: 'Bash',
    text: 'npm install',
    truncated: false,
    agent: null,
    answerable: 'hook',
    since: at(seconds),
    pinned: false,
    questions: [],
    asking: null,
    options: [],
  };
}

interface Step {
  /** Seconds since the daemon began. */
  readonly at: number;
  /** The session as it is from now on; what is not said stays. */
  readonly is?: Partial<Omit<Session, 'id'>>;
  /** Its window has the focus. */
  readonly focus?: boolean;
  readonly quiet?: boolean;
  readonly locked?: boolean;
  readonly hidden?: boolean;
  readonly gone?: boolean;
  /** The user answered its prompt through tsmux. */
  readonly answered?: boolean;
}

const asks = (id: string, seconds: number) => ({
  state: 'needs-input' as const,
  since: at(seconds),
  prompts: [aPrompt(id, seconds)],
});
const works = (seconds: number) => ({ state: 'busy' as const, since: at(seconds), prompts: [] });
const finishes = (seconds: number) => ({ state: 'review' as const, since: at(seconds), prompts: [] });
const rests = (seconds: number) => ({ state: 'idle' as const, since: at(seconds), prompts: [] });

/** What is done at each step, in words: `12 tell needs-input`, `15 withdraw`. */
function played(steps: readonly Step[], how: Partial<Manner> | null = {}): string[] {
  let memory = begin(start, steps[0]?.quiet ?? false);
  let session = aSession({ id: 'web', startedAt: start - SECOND });
  let around: Required<Pick<Step, 'focus' | 'quiet' | 'locked' | 'hidden'>> = {
    focus: false,
    quiet: false,
    locked: false,
    hidden: false,
  };
  const said: string[] = [];
  const think = (seconds: number, gone = false): Decision => {
    const decision = decide(memory, {
      now: at(seconds),
      sessions: gone ? [] : [{ ...session, place: placedIn({ focused: around.focus }) }],
      quiet: around.quiet,
      locked: around.locked,
      hidden: new Set(around.hidden ? [session.id] : []),
      manner: () => (how === null ? null : { ...manner, ...how }),
    });
    memory = decision.memory;
    for (const { state } of decision.tell) said.push(`${seconds} tell ${state}`);
    for (const { state } of decision.missed) said.push(`${seconds} miss ${state}`);
    if (decision.withdraw.length > 0) said.push(`${seconds} withdraw`);
    if (decision.summary.length > 0) said.push(`${seconds} summary of ${decision.summary.join()}`);
    return decision;
  };
  for (const [index, step] of steps.entries()) {
    session = { ...session, ...step.is };
    around = { ...around, ...step };
    if (step.answered) memory = answered(memory, sessionId('web'));
    // What was to be thought about again until the next step is, at its time.
    const next = steps[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    let now = step.at;
    for (let again = think(now, step.gone).again; again !== null && now + again / SECOND < next; ) {
      now += again / SECOND;
      again = think(now).again;
    }
  }
  return said;
}

const table: readonly (readonly [string, readonly Step[], readonly string[], (Partial<Manner> | null)?])[] = [
  [
    'a prompt is told at once',
    [{ at: 0 }, { at: 5, is: works(5) }, { at: 7, is: asks('p111', 7) }],
    ['7 tell needs-input'],
  ],
  [
    'a finish after ten seconds of work is told',
    [{ at: 0 }, { at: 5, is: works(5) }, { at: 15, is: finishes(15) }],
    ['15 tell review'],
  ],
  ['a finish after less is not', [{ at: 0 }, { at: 5, is: works(5) }, { at: 14, is: finishes(14) }], []],
  [
    'waiting for the user is no work',
    [
      { at: 0 },
      { at: 5, is: works(5) },
      { at: 8, is: asks('p111', 8) },
      { at: 60, is: works(60) },
      { at: 62, is: finishes(62) },
    ],
    ['8 tell needs-input', '60 withdraw'],
  ],
  [
    'work before and after a prompt counts together',
    [
      { at: 0 },
      { at: 5, is: works(5) },
      { at: 11, is: asks('p111', 11) },
      { at: 60, is: works(60) },
      { at: 65, is: finishes(65) },
    ],
    ['11 tell needs-input', '60 withdraw', '65 tell review'],
  ],
  [
    'a finish that is dated anew is told once',
    [{ at: 0 }, { at: 5, is: works(5) }, { at: 20, is: finishes(20) }, { at: 21, is: finishes(20.4) }],
    ['20 tell review'],
  ],
  ['a prompt that was there at the start is not new', [{ at: 0, is: asks('p111', -30) }, { at: 60 }], []],
  ['a finish that was there at the start is not new', [{ at: 0, is: finishes(-30) }, { at: 60 }], []],
  [
    'what recovery finds later is not new either',
    [
      { at: 0, is: { state: 'unknown' } },
      { at: 2, is: finishes(-5) },
    ],
    [],
  ],
  [
    'a prompt that recovery finds later is not new',
    [
      { at: 0, is: { state: 'unknown' } },
      { at: 2, is: asks('p111', -5) },
    ],
    [],
  ],
  [
    'a prompt that came after the start is new, also where nothing else was known',
    [
      { at: 0, is: { state: 'unknown' } },
      { at: 9, is: asks('p111', 9) },
    ],
    ['9 tell needs-input'],
  ],
  [
    'a recovered session that goes on with its work is followed from there',
    [
      { at: 0, is: { state: 'unknown' } },
      { at: 1, is: works(1) },
      { at: 20, is: finishes(20) },
    ],
    ['20 tell review'],
  ],
  [
    'the coming and going of sub-agents says nothing',
    [
      { at: 0 },
      { at: 5, is: works(5) },
      { at: 8, is: { background: { agents: 2, shells: 0 } } },
      { at: 30, is: { background: { agents: 0, shells: 0 } } },
    ],
    [],
  ],
  [
    'a session that is being looked at needs no telling',
    [
      { at: 0, focus: true },
      { at: 5, is: works(5) },
      { at: 9, is: asks('p111', 9) },
      { at: 60, focus: false },
    ],
    [],
  ],
  [
    'also when the user has only just come to it',
    [{ at: 0 }, { at: 5, is: works(5) }, { at: 8.8, focus: true }, { at: 9, is: asks('p111', 9) }],
    [],
  ],
  [
    'a pointer that only passes by is no look',
    [{ at: 0 }, { at: 8.8, focus: true }, { at: 9, is: asks('p111', 9) }, { at: 9.5, focus: false }],
    ['9.5 tell needs-input'],
  ],
  [
    'behind a locked screen nobody looks',
    [
      { at: 0, focus: true, locked: true },
      { at: 9, is: asks('p111', 9) },
    ],
    ['9 tell needs-input'],
  ],
  [
    'the focus of a window that may show another tab is no look',
    [
      { at: 0, focus: true, hidden: true },
      { at: 9, is: asks('p111', 9) },
    ],
    ['9 tell needs-input'],
  ],
  [
    'what is told is withdrawn when it is settled',
    [{ at: 0 }, { at: 9, is: asks('p111', 9) }, { at: 12, is: works(12) }],
    ['9 tell needs-input', '12 withdraw'],
  ],
  [
    'what is told is withdrawn when it is seen',
    [{ at: 0 }, { at: 1, is: works(1) }, { at: 20, is: finishes(20) }, { at: 25, is: rests(25) }],
    ['20 tell review', '25 withdraw'],
  ],
  [
    'what is told is withdrawn when the user has been there for a second',
    [{ at: 0 }, { at: 9, is: asks('p111', 9) }, { at: 20, focus: true }, { at: 60, focus: false }],
    ['9 tell needs-input', '21 withdraw'],
  ],
  [
    'what is told is withdrawn with its session',
    [{ at: 0 }, { at: 9, is: asks('p111', 9) }, { at: 12, gone: true }],
    ['9 tell needs-input', '12 withdraw'],
  ],
  [
    'a second prompt beside the first is told once more, after the cooldown',
    [
      { at: 0 },
      { at: 9, is: asks('p111', 9) },
      { at: 11, is: { prompts: [aPrompt('p111', 9), aPrompt('p222', 11)] } },
    ],
    ['9 tell needs-input', '14 tell needs-input'],
  ],
  [
    'a prompt that is left over when another was settled is not told again',
    [
      { at: 0 },
      { at: 9, is: { ...asks('p111', 9), prompts: [aPrompt('p111', 9), aPrompt('p222', 9)] } },
      { at: 30, is: { prompts: [aPrompt('p222', 9)] } },
    ],
    ['9 tell needs-input'],
  ],
  [
    'flapping is told once',
    [
      { at: 0 },
      { at: 9, is: asks('p111', 9) },
      { at: 10, is: works(10) },
      { at: 11, is: asks('p222', 11) },
      { at: 12, is: works(12) },
      { at: 13, is: asks('p333', 13) },
      { at: 13.5, is: works(13.5) },
    ],
    ['9 tell needs-input', '10 withdraw'],
  ],
  [
    'what still stands after the cooldown is told then',
    [
      { at: 0 },
      { at: 9, is: asks('p111', 9) },
      { at: 10, is: works(10) },
      { at: 11, is: asks('p222', 11) },
      { at: 60 },
    ],
    ['9 tell needs-input', '10 withdraw', '14 tell needs-input'],
  ],
  [
    'the next prompt after an answer through tsmux is no flapping',
    [
      { at: 0 },
      { at: 9, is: asks('p111', 9) },
      { at: 10, is: works(10), answered: true },
      { at: 11, is: asks('p222', 11) },
    ],
    ['9 tell needs-input', '10 withdraw', '11 tell needs-input'],
  ],
  [
    'a prompt after a finish does not wait',
    [{ at: 0 }, { at: 1, is: works(1) }, { at: 20, is: finishes(20) }, { at: 21, is: asks('p111', 21) }],
    ['20 tell review', '21 tell needs-input'],
  ],
  [
    'in quiet time nothing is told, and at its end once, in sum',
    [{ at: 0, quiet: true }, { at: 9, is: asks('p111', 9) }, { at: 60, quiet: false }, { at: 90 }],
    ['9 miss needs-input', '60 summary of web'],
  ],
  [
    'what was settled in quiet time is not in the sum',
    [
      { at: 0, quiet: true },
      { at: 9, is: asks('p111', 9) },
      { at: 30, is: works(30) },
      { at: 60, quiet: false },
    ],
    ['9 miss needs-input'],
  ],
  [
    'what was found when the daemon came back in quiet time is in the sum',
    [
      { at: 0, quiet: true, is: asks('p111', -30) },
      { at: 60, quiet: false },
    ],
    ['60 summary of web'],
  ],
  [
    'what was looked at in quiet time is not missed',
    [
      { at: 0, quiet: true, focus: true },
      { at: 9, is: asks('p111', 9) },
      { at: 12, focus: false },
      { at: 60, quiet: false },
    ],
    [],
  ],
  [
    'a critical prompt breaks through quiet time where the user wants it',
    [
      { at: 0, quiet: true },
      { at: 9, is: asks('p111', 9) },
    ],
    ['9 tell needs-input'],
    { urgency: 'critical', breaksQuiet: true },
  ],
  [
    'what is less than critical does not',
    [
      { at: 0, quiet: true },
      { at: 9, is: asks('p111', 9) },
    ],
    ['9 miss needs-input'],
    { breaksQuiet: true },
  ],
  [
    'what the user does not want to hear of is not told',
    [{ at: 0 }, { at: 9, is: asks('p111', 9) }],
    [],
    null,
  ],
  [
    'nothing that only a command was run for is withdrawn from the screen',
    [{ at: 0 }, { at: 9, is: asks('p111', 9) }, { at: 12, is: works(12) }],
    ['9 tell needs-input'],
    { show: false, command: ['say'] },
  ],
  [
    'a clock that was set back keeps nothing from being told',
    [
      { at: 3600 },
      { at: 3609, is: asks('p111', 3609) },
      { at: 3620, is: works(3620) },
      { at: 20, is: asks('p222', 20) },
    ],
    ['3609 tell needs-input', '3620 withdraw', '20 tell needs-input'],
  ],
];

describe('what deserves a notification', () => {
  for (const [words, steps, said, how] of table) {
    it(words, () => expect(played(steps, how)).toEqual(said));
  }
});
