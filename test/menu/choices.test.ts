import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerChoices, chosen, sessionChoices, switchChoices } from '../../src/menu/choices.ts';
import type { Option, Prompt, PromptId } from '../../src/sessions/prompt.ts';
import { aSession, placedIn } from '../support/sessions.ts';

const yes: Option = { key: '1', label: 'Yes', means: 'allow' };
const auto: Option = { key: '2', label: 'Yes, and switch to auto mode', means: 'mode' };
const no: Option = { key: '3', label: 'No', means: 'deny' };
const go: Option = { key: 'g', label: 'Go to terminal', means: 'go' };

function aPrompt(id: string, facts: Partial<Prompt> = {}): Prompt {
  return {
    id: id as PromptId,
    kind: 'permission',
    title: 'Bash',
    text: 'npm install',
    truncated: false,
    agent: null,
    answerable: 'hook',
    since: 1_000,
    pinned: false,
    questions: [],
    asking: null,
    options: [yes, auto, no, go],
    ...facts,
  };
}

const lines = (choices: readonly { readonly line: string }[]) => choices.map(({ line }) => line);

describe('the menu of sessions', () => {
  it('says of each what a user may remember of it', () => {
    const web = aSession({ id: 'k3f7', label: 'web', branch: 'main', cwd: '/code/web', place: placedIn({}) });
    expect(lines(switchChoices([web, aSession({ id: 'b111', state: 'busy' })]))).toEqual([
      'web · idle · main · 3: web · /code/web · k3f7',
      'b111 · busy · /home/ada/code/b111 · b111',
    ]);
  });

  it('tells two apart that are alike', () => {
    const two = ['k3f7', 'k3f8'].map((id) => aSession({ id, name: 'web', cwd: '/code/web' }));
    const choices = switchChoices(two);
    expect(chosen(choices, `${lines(choices)[1]}\n`)?.deed).toEqual({ do: 'go', session: 'k3f8' });
  });
});

describe('the menu of prompts', () => {
  const asks = aSession({ id: 'k3f7', name: 'web', state: 'needs-input', prompts: [aPrompt('p7c2')] });

  it('has every option, also a switch of the mode, and first the one that changes nothing', () => {
    expect(lines(answerChoices([asks]))).toEqual([
      'g Go to terminal · web · Bash: npm install · p7c2',
      '1 Yes · web · Bash: npm install · p7c2',
      '2 Yes, and switch to auto mode · web · Bash: npm install · p7c2',
      '3 No · web · Bash: npm install · p7c2',
    ]);
  });

  it('answers with the option that stood on the line, as it was then', () => {
    const choices = answerChoices([asks]);
    expect(chosen(choices, '3 No · web · Bash: npm install · p7c2\n')?.deed).toEqual({
      do: 'answer',
      session: 'k3f7',
      prompt: 'p7c2',
      option: no,
      question: null,
    });
  });

  it.each(['', '\n', '1', 'Yes', '1 Yes', ' 1 Yes · web · Bash: npm install · p7c2'])(
    'does nothing for what is not a whole line of it: %j',
    (printed) => expect(chosen(answerChoices([asks]), printed)).toBeNull(),
  );

  it('asks the question that is asked now', () => {
    const question = (text: string) => ({ header: null, text, multiSelect: false, options: [] });
    const questions = [question('Which database?'), question('Which port?')];
    const prompt = aPrompt('p7c2', { title: 'Question', questions, asking: 1, options: [no] });
    const [choice] = answerChoices([aSession({ id: 'k3f7', name: 'web', prompts: [prompt] })]);
    expect(choice).toMatchObject({
      line: '3 No · web · Question: Which port? · p7c2',
      deed: { question: 1 },
    });
  });

  it('leaves out what would allow more than can be shown', () => {
    const always: Option = { key: '2', label: `Always: ${'x'.repeat(200)}`, means: 'allow-always' };
    const prompt = aPrompt('p7c2', { options: [yes, always] });
    expect(answerChoices([aSession({ id: 'k3f7', prompts: [prompt] })])).toHaveLength(1);
  });
});

describe('the menu of one session', () => {
  it('goes there, answers, and marks as seen what is up for review', () => {
    const session = aSession({ id: 'k3f7', name: 'web', state: 'review', prompts: [aPrompt('p7c2')] });
    expect(lines(sessionChoices(session))).toEqual([
      'Go to web · review · /home/ada/code/k3f7 · k3f7',
      '1 Yes · web · Bash: npm install · p7c2',
      '2 Yes, and switch to auto mode · web · Bash: npm install · p7c2',
      '3 No · web · Bash: npm install · p7c2',
      'Mark as seen · web · k3f7',
    ]);
  });
});

describe('whatever names, folders and commands are', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '\n1 Yes',
      'a\0icon\x1fx',
      '\u202eevil',
      '  ',
      '1 Yes · web · p7c2',
      '<b>x</b>',
      '\x1b[2J',
    ),
  );

  it('each line is one line, no other is like it, and it leads back to its own choice', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (name, cwd, text) => {
        const sessions = ['k3f7', 'k3f8'].map((id, at) => {
          const prompts = [aPrompt(`p7c${at}`, { text, title: name })];
          return aSession({ id, name, cwd, branch: text, prompts, state: 'review' });
        });
        const choices = [
          ...switchChoices(sessions),
          ...answerChoices(sessions),
          ...sessions.flatMap(sessionChoices).filter(({ line }) => /^Go|^Mark/.test(line)),
        ];
        expect(new Set(lines(choices)).size).toBe(choices.length);
        for (const choice of choices) {
          expect(choice.line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]|^\s|\s$|\s\s/u);
          expect(chosen(choices, `${choice.line}\n`)).toBe(choice);
        }
      }),
    );
  });
});
