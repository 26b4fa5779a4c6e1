import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type AnswerTo,
  answersTo,
  decisionOf,
  type Offering,
  offersOf,
  type PermissionRequest,
  type PlanRequest,
  permissionRequestOf,
  type QuestionsRequest,
  type ToolRequest,
} from '../../src/claude/decisions.ts';
import { hookJson } from './asked.ts';

type Change = (body: Record<string, unknown>) => object;
const request = (name: string, change: Change = (body) => body): PermissionRequest =>
  permissionRequestOf(change(JSON.parse(hookJson(`PermissionRequest.${name}`))));

function ofKind<K extends PermissionRequest['kind']>(kind: K, given: PermissionRequest) {
  if (given.kind !== kind) throw new Error(`it is a request of kind ${given.kind}`);
  return given as Extract<PermissionRequest, { kind: K }>;
}
const tool = (name: string, change?: Change): ToolRequest => ofKind('tool', request(name, change));
const plan = (change?: Change): PlanRequest => ofKind('plan', request('ExitPlanMode', change));
const questions = (change?: Change): QuestionsRequest =>
  ofKind('questions', request('AskUserQuestion', change));

const offering: Offering = { fits: () => true, goOnAfterNo: false };
const labels = (given: PermissionRequest, how: Partial<Offering> = {}) =>
  offersOf(given, { ...offering, ...how }).map(
    ({ option: { key, means, label } }) => `${key} ${means} ${label}`,
  );

/** What Claude Code reads. */
const decision = (json: string) => {
  expect(json).not.toContain('\n');
  const { hookSpecificOutput, ...others } = JSON.parse(json);
  expect(others).toEqual({});
  expect(hookSpecificOutput.hookEventName).toBe('PermissionRequest');
  return hookSpecificOutput.decision;
};
const chosen = <R extends PermissionRequest>(given: R, key: string, how: Partial<Offering> = {}) => {
  const found = offersOf(given, { ...offering, ...how }).find(({ option }) => option.key === key);
  if (found?.answer == null) throw new Error(`nothing is answered by ${key}`);
  return decision(decisionOf(given, found.answer));
};
const suggesting = (...suggestions: readonly unknown[]) =>
  tool('Bash', (body) => ({ ...body, permission_suggestions: suggestions }));
const npmTest = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }],
  behavior: 'allow',
  destination: 'localSettings',
};

describe('what is offered where the screen cannot be read', () => {
  it('b1: Yes, the rule that Claude suggests, No, in this order', () => {
    expect(labels(suggesting(npmTest))).toEqual([
      '1 allow Yes',
      '2 allow-always Always: Bash(npm test:*)',
      '3 deny No',
      'g go Go to terminal',
    ]);
  });

  it.each([
    ['Bash', 'Always in this session: /home/ada/run'],
    ['Bash.in-subagent', 'Always in this session: /home/ada/run'],
    ['Read', 'Always in this session: Read(//etc/**)'],
    ['WebFetch', 'Always: WebFetch(domain:docs.example.com)'],
    ['mcp-echo', 'Always: mcp__labmcp__echo'],
  ])('what the real Claude Code suggests for %s', (name, always) => {
    expect(labels(request(name))).toEqual([
      '1 allow Yes',
      `2 allow-always ${always}`,
      '3 deny No',
      'g go Go to terminal',
    ]);
  });

  it.each(['Edit', 'Write', 'Write.in-subagent'])('only Yes and No for %s: a mode is no rule', (name) => {
    expect(labels(request(name))).toEqual(['1 allow Yes', '2 deny No', 'g go Go to terminal']);
  });

  it('one for each rule and each folder, whatever entry they are in', () => {
    const given = suggesting(
      { ...npmTest, rules: [...npmTest.rules, { toolName: 'Bash', ruleContent: 'npm run *' }] },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
      { type: 'addDirectories', directories: ['/a', '/b'], destination: 'session' },
    );
    expect(labels(given)).toEqual([
      '1 allow Yes',
      '2 allow-always Always: Bash(npm test:*)',
      '3 allow-always Always: Bash(npm run *)',
      '4 allow-always Always in this session: /a',
      '5 allow-always Always in this session: /b',
      '6 deny No',
      'g go Go to terminal',
    ]);
  });

  it.each([
    ['that denies', { ...npmTest, behavior: 'deny' }],
    ['that asks', { ...npmTest, behavior: 'ask' }],
    ['that removes rules', { ...npmTest, type: 'removeRules' }],
    ['that replaces rules', { ...npmTest, type: 'replaceRules' }],
    ['without rules', { ...npmTest, rules: 'Bash(*)' }],
    ['of an unknown type', { type: 'allowEverything' }],
    ['that is no object', 'Bash(*)'],
    ['that is null', null],
    ['with a folder without a name', { type: 'addDirectories', directories: [''] }],
  ])('nothing for an entry %s', (_what, entry) => {
    expect(labels(suggesting(entry))).toEqual(['1 allow Yes', '2 deny No', 'g go Go to terminal']);
  });

  it('b15: no "always" whose rule would be cut', () => {
    const long = { ...npmTest, rules: [{ toolName: 'Bash', ruleContent: `${'x'.repeat(2_000_000)} *` }] };
    const fits = (label: string) => label.length <= 80;
    expect(labels(suggesting(long, npmTest), { fits })).toEqual([
      '1 allow Yes',
      '2 allow-always Always: Bash(npm test:*)',
      '3 deny No',
      'g go Go to terminal',
    ]);
  });

  it('never more options than there are keys, and always No and the way to the terminal', () => {
    const many = { ...npmTest, rules: Array.from({ length: 99 }, (_, at) => ({ toolName: `T${at}` })) };
    const keys = offersOf(suggesting(many), offering).map(({ option }) => option.key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.every((key) => /^[a-z0-9]$/.test(key))).toBe(true);
    expect(labels(suggesting(many)).slice(-2)).toEqual(['z deny No', 'g go Go to terminal']);
  });

  it('a plan can be approved in two ways; without one only Yes and No are asked', () => {
    expect(labels(plan())).toEqual([
      '1 allow Yes, manually approve edits',
      '2 mode Yes, and accept edits',
      '3 deny No, keep planning',
      'g go Go to terminal',
    ]);
    expect(labels(plan((body) => ({ ...body, tool_input: {} })))).toEqual([
      '1 allow Yes',
      '2 deny No',
      'g go Go to terminal',
    ]);
  });

  it('the choices of a single question; of several only that they are not answered', () => {
    const one = questions((body) => {
      const { questions: all } = body.tool_input as { questions: unknown[] };
      return { ...body, tool_input: { questions: all.slice(0, 1) } };
    });
    expect(labels(one)).toEqual([
      '1 choice PostgreSQL',
      '2 choice SQLite',
      '3 deny No answer',
      'g go Go to terminal',
    ]);
    expect(labels(questions())).toEqual(['1 deny No answer', 'g go Go to terminal']);
  });

  it.each([[null], ['text'], [{}], [{ tool_name: 7, permission_suggestions: {} }]])(
    'Yes and No for a body that is not understood: %j',
    (body) => {
      expect(labels(permissionRequestOf(body))).toEqual(['1 allow Yes', '2 deny No', 'g go Go to terminal']);
    },
  );
});

describe('the decision that Claude Code reads', () => {
  it('of a Yes is a plain allow', () => {
    expect(chosen(tool('Bash'), '1')).toEqual({ behavior: 'allow' });
    expect(decisionOf(tool('Bash'), { type: 'allow' })).toBe(
      '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}',
    );
  });

  it.each(['Bash', 'Read', 'WebFetch', 'mcp-echo'])(
    'of "always" for %s gives back what was suggested',
    (name) => {
      const { permission_suggestions } = JSON.parse(hookJson(`PermissionRequest.${name}`));
      expect(chosen(tool(name), '2')).toEqual({
        behavior: 'allow',
        updatedPermissions: [permission_suggestions[0]],
      });
    },
  );

  it('of "always" allows that one rule, not the others of its entry, and no mode', () => {
    const given = suggesting(
      {
        ...npmTest,
        rules: [...npmTest.rules, { toolName: 'Bash', ruleContent: 'rm *', since: 'new' }],
        note: 1,
      },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    );
    expect(chosen(given, '3')).toEqual({
      behavior: 'allow',
      updatedPermissions: [
        {
          type: 'addRules',
          rules: [{ toolName: 'Bash', ruleContent: 'rm *', since: 'new' }],
          behavior: 'allow',
          destination: 'localSettings',
          note: 1,
        },
      ],
    });
  });

  it('b14: of a No has a message, and interrupts as Claude’s own No does', () => {
    expect(chosen(tool('Bash'), '3')).toEqual({
      behavior: 'deny',
      message: 'Denied from the status bar (tsmux)',
      interrupt: true,
    });
    expect(
      decision(decisionOf(tool('Bash'), { type: 'deny', message: ' \n', goOn: false })).message,
    ).not.toBe('');
    expect(
      decision(decisionOf(tool('Bash'), { type: 'deny', message: 'use pnpm', goOn: false })).message,
    ).toBe('use pnpm');
  });

  it('of a No lets Claude go on where that is wished', () => {
    expect(chosen(tool('Bash'), '3', { goOnAfterNo: true })).toEqual({
      behavior: 'deny',
      message: 'Denied from the status bar (tsmux)',
    });
  });

  it('b10: of an approved plan gives the input back exactly', () => {
    const { tool_input } = JSON.parse(hookJson('PermissionRequest.ExitPlanMode'));
    expect(chosen(plan(), '1')).toEqual({ behavior: 'allow', updatedInput: tool_input });
    expect(chosen(plan(), '2')).toEqual({
      behavior: 'allow',
      updatedInput: tool_input,
      updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    });
    expect(
      chosen(
        plan((body) => ({ ...body, tool_input: {} })),
        '1',
      ),
    ).toEqual({
      behavior: 'allow',
      updatedInput: {},
    });
  });

  it('b10: gives back any input exactly', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (input) => {
        const body = JSON.stringify({ tool_name: 'ExitPlanMode', tool_input: input });
        const given = ofKind('plan', permissionRequestOf(JSON.parse(body)));
        const out = decisionOf(given, { type: 'approve', edits: 'manual' });
        expect(out).toContain(`"updatedInput":${JSON.stringify(JSON.parse(JSON.stringify(input)))}`);
      }),
    );
  });

  it('of words for the plan keeps Claude planning', () => {
    expect(decision(decisionOf(plan(), { type: 'keep-planning', words: 'add a rollback step' }))).toEqual({
      behavior: 'deny',
      message: 'add a rollback step',
    });
    expect(chosen(plan(), '3')).toMatchObject({ behavior: 'deny', interrupt: true });
  });

  it('b11: of two questions, one with several answers, has them under the questions’ texts', () => {
    const given = questions();
    const { tool_input } = JSON.parse(hookJson('PermissionRequest.AskUserQuestion'));
    const made = answersTo(given, [
      { choices: ['SQLite'], ownWords: null },
      { choices: ['Search', 'Cart'], ownWords: null },
    ]);
    if ('wrong' in made) throw new Error(made.wrong);
    expect(decision(decisionOf(given, { type: 'answers', ...made }))).toEqual({
      behavior: 'allow',
      updatedInput: {
        questions: tool_input.questions,
        answers: { 'Which database?': 'SQLite', 'Which features?': 'Search, Cart' },
      },
    });
  });

  it('b11: whatever is answered to questions, it is never a plain allow', () => {
    const given = questions();
    const pick = fc.record({
      choices: fc.subarray(['PostgreSQL', 'SQLite', 'Search', 'Cart', 'MySQL']),
      ownWords: fc.option(fc.string()),
    });
    fc.assert(
      fc.property(fc.array(pick, { maxLength: 3 }), (picks) => {
        const made = answersTo(given, picks);
        if ('wrong' in made) return;
        const { updatedInput } = decision(decisionOf(given, { type: 'answers', ...made }));
        expect(Object.keys(updatedInput.answers)).toEqual(['Which database?', 'Which features?']);
        expect(Object.values(updatedInput.answers).every((answer) => answer !== '')).toBe(true);
      }),
    );
  });

  it('takes words of one’s own for a question, instead of a choice or beside several', () => {
    const given = questions();
    const made = answersTo(given, [
      { choices: [], ownWords: ' CockroachDB — because we need geo-replication\n' },
      { choices: ['Search'], ownWords: 'and also a wishlist' },
    ]);
    expect(made).toEqual({
      answers: {
        'Which database?': 'CockroachDB — because we need geo-replication',
        'Which features?': 'Search, and also a wishlist',
      },
    });
  });

  it.each([
    ['nothing', [], '2 questions were asked, and 0 answered'],
    ['one of two', [{ choices: ['SQLite'], ownWords: null }], '2 questions were asked, and 1 answered'],
    [
      'a choice that there is not',
      [
        { choices: ['MySQL'], ownWords: null },
        { choices: ['Cart'], ownWords: null },
      ],
      '"Which database?" has no choice "MySQL"',
    ],
    [
      'two choices where one is asked',
      [
        { choices: ['SQLite', 'PostgreSQL'], ownWords: null },
        { choices: ['Cart'], ownWords: null },
      ],
      '"Which database?" takes one answer',
    ],
    [
      'blanks',
      [
        { choices: ['SQLite'], ownWords: null },
        { choices: [], ownWords: '  ' },
      ],
      '"Which features?" is not answered',
    ],
  ])('refuses %s', (_what, picks, why) => {
    expect(answersTo(questions(), picks)).toEqual({ wrong: why });
  });

  it('refuses questions that cannot be told apart, or not be understood', () => {
    const twice = questions((body) => {
      const { questions: all } = body.tool_input as { questions: unknown[] };
      return { ...body, tool_input: { questions: [all[0], all[0]] } };
    });
    const both = [
      { choices: ['SQLite'], ownWords: null },
      { choices: ['SQLite'], ownWords: null },
    ];
    expect(answersTo(twice, both)).toEqual({ wrong: 'two of the questions are the same' });
    const odd = questions((body) => ({ ...body, tool_input: { questions: 'which?' } }));
    expect(answersTo(odd, [])).toHaveProperty('wrong');
    expect(labels(odd)).toEqual(['1 deny No answer', 'g go Go to terminal']);
  });

  it('keeps a question whose text is a name that JavaScript uses', () => {
    const given = ofKind(
      'questions',
      permissionRequestOf(
        JSON.parse(
          '{"tool_name":"AskUserQuestion","tool_input":{"questions":[{"question":"__proto__","options":[{"label":"a"}]}]}}',
        ),
      ),
    );
    const made = answersTo(given, [{ choices: ['a'], ownWords: null }]);
    if ('wrong' in made) throw new Error(made.wrong);
    expect(decisionOf(given, { type: 'answers', ...made })).toContain('"answers":{"__proto__":"a"}');
  });

  it('cannot be of another kind than what was asked', () => {
    expectTypeOf<{ type: 'allow' }>().not.toExtend<AnswerTo<PlanRequest>>();
    expectTypeOf<{ type: 'allow' }>().not.toExtend<AnswerTo<QuestionsRequest>>();
    expectTypeOf<{ type: 'approve'; edits: 'manual' }>().not.toExtend<AnswerTo<ToolRequest>>();
    expectTypeOf<{ type: 'answers'; answers: Record<string, string> }>().not.toExtend<
      AnswerTo<QuestionsRequest>
    >();
  });
});
