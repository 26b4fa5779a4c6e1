/**
 * What can be answered to a PermissionRequest hook of Claude Code, and in which words (observed with 2.1.197 and
 * 2.1.332; https://code.claude.com/docs/en/hooks, PermissionRequest).
 *
 * Questions and plans are not answered by a plain `allow`: it is ignored, and the dialog stays. They need
 * `updatedInput`, the tool's input given back, for a question with the answers in it.
 */
import * as z from 'zod/mini';
import type { Option, Question } from '../sessions/prompt.ts';
import { lenient } from './lenient.ts';

type Json = Readonly<Record<string, unknown>>;

/** One rule or one folder that Claude Code suggests to allow from now on. */
export interface Suggestion {
  /** `Bash(npm install *)`, `/home/ada/run`. Untrusted, uncut. */
  readonly rule: string;
  /** Only until this session ends. */
  readonly sessionOnly: boolean;
  /** What Claude Code takes back as an entry of `updatedPermissions`. */
  readonly entry: Json;
}

export interface ToolRequest {
  readonly kind: 'tool';
  readonly suggestions: readonly Suggestion[];
}

export interface QuestionsRequest {
  readonly kind: 'questions';
  /** As Claude Code gave it: it is given back unchanged. */
  readonly input: Json;
  readonly questions: readonly Question[];
}

export interface PlanRequest {
  readonly kind: 'plan';
  readonly input: Json;
  /** Without a written plan only Yes and No are asked. */
  readonly written: boolean;
}

export type PermissionRequest = ToolRequest | QuestionsRequest | PlanRequest;

/** Like Claude's own No it interrupts, unless Claude is to go on with the message as the tool's answer. */
export interface Deny {
  readonly type: 'deny';
  /** What Claude is told; empty: only that it was denied, and from where. */
  readonly message: string;
  readonly goOn: boolean;
}

export type ToolAnswer =
  | { readonly type: 'allow' }
  | { readonly type: 'allow-always'; readonly suggestion: Suggestion }
  | Deny;

export type QuestionsAnswer = { readonly type: 'answers'; readonly answers: Answers } | Deny;

export type PlanAnswer =
  | { readonly type: 'approve'; readonly edits: 'manual' | 'accept' }
  /** Claude stays in plan mode, and goes on planning with these words. */
  | { readonly type: 'keep-planning'; readonly words: string }
  | Deny;

export type AnswerTo<R extends PermissionRequest> = R extends ToolRequest
  ? ToolAnswer
  : R extends QuestionsRequest
    ? QuestionsAnswer
    : PlanAnswer;

declare const answersBrand: unique symbol;
/** One answer for each question, by the question's text. Made by `answersTo` only. */
export type Answers = Readonly<Record<string, string>> & { readonly [answersBrand]: true };

const Body = z.looseObject({
  tool_name: lenient(z.string()),
  tool_input: z.optional(z.unknown()),
  permission_suggestions: lenient(z.array(z.unknown())),
});

const Rules = z.looseObject({
  type: z.literal('addRules'),
  behavior: z.optional(z.literal('allow')),
  destination: lenient(z.string()),
  rules: z.array(z.looseObject({ toolName: z.string(), ruleContent: z.optional(z.string()) })),
});
const Directories = z.looseObject({
  type: z.literal('addDirectories'),
  destination: lenient(z.string()),
  directories: z.array(z.string().check(z.minLength(1))),
});

/** Claude Code asks up to four questions, with up to four options each. */
const few = 16;
const aFewLines = z.string().check(z.maxLength(4096));

const Questions = z.looseObject({
  questions: z
    .array(
      z.looseObject({
        question: aFewLines,
        header: lenient(aFewLines),
        multiSelect: lenient(z.boolean()),
        options: lenient(
          z
            .array(z.looseObject({ label: aFewLines, description: lenient(aFewLines) }))
            .check(z.maxLength(few)),
        ),
      }),
    )
    .check(z.maxLength(few)),
});

/** What a PermissionRequest's body asks. What cannot be understood is left out: then less is offered. */
export function permissionRequestOf(body: unknown): PermissionRequest {
  const parsed = z.safeParse(Body, body);
  const { tool_name, tool_input, permission_suggestions = [] } = parsed.success ? parsed.data : {};
  const input = isObject(tool_input) ? tool_input : {};
  if (tool_name === 'AskUserQuestion') return { kind: 'questions', input, questions: questionsIn(input) };
  if (tool_name === 'ExitPlanMode') return { kind: 'plan', input, written: Object.keys(input).length > 0 };
  return { kind: 'tool', suggestions: permission_suggestions.flatMap(suggestionsIn) };
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Each rule and each folder by itself, in an entry that is else as Claude Code gave it. A change of the mode, or
 * what denies or removes something, is no suggestion here.
 */
function suggestionsIn(entry: unknown): readonly Suggestion[] {
  if (!isObject(entry)) return [];
  const rules = z.safeParse(Rules, entry);
  if (rules.success) {
    const { destination } = rules.data;
    return rules.data.rules.map((rule) => ({
      rule: rule.ruleContent === undefined ? rule.toolName : `${rule.toolName}(${rule.ruleContent})`,
      sessionOnly: destination === 'session',
      entry: { ...entry, rules: [rule] },
    }));
  }
  const directories = z.safeParse(Directories, entry);
  if (!directories.success) return [];
  const { destination } = directories.data;
  return directories.data.directories.map((directory) => ({
    rule: directory,
    sessionOnly: destination === 'session',
    entry: { ...entry, directories: [directory] },
  }));
}

function questionsIn(input: unknown): readonly Question[] {
  const parsed = z.safeParse(Questions, input);
  if (!parsed.success) return [];
  return parsed.data.questions.map(({ question, header, multiSelect, options }) => ({
    header: header ?? null,
    text: question,
    multiSelect: multiSelect ?? false,
    options: (options ?? []).map(({ label, description }) => ({ label, description: description ?? null })),
  }));
}

/** An option, and what is answered when it is chosen; null where it only leads to the terminal. */
export interface Offer<A> {
  readonly option: Option;
  readonly answer: A | null;
}

export interface Offering {
  /** Whether a rule would be shown whole: "always" is offered for no other. */
  readonly fits: (label: string) => boolean;
  /** After a No Claude goes on, instead of stopping as it does after its own No. */
  readonly goOnAfterNo: boolean;
}

/**
 * What is offered where the screen cannot be read. Of questions only what settles them all at once: one question
 * with one choice; for others the choices are in `questions`, and `answersTo` makes the answer.
 */
export function offersOf<R extends PermissionRequest>(
  request: R,
  offering: Offering,
): readonly Offer<AnswerTo<R>>[];
export function offersOf(
  request: PermissionRequest,
  { fits, goOnAfterNo }: Offering,
): readonly Offer<ToolAnswer | QuestionsAnswer | PlanAnswer>[] {
  const no: Deny = { type: 'deny', message: '', goOn: goOnAfterNo };
  switch (request.kind) {
    case 'tool': {
      const always = request.suggestions
        .map((suggestion) => ({ label: alwaysLabel(suggestion), suggestion }))
        .filter(({ label }) => fits(label));
      return numbered<ToolAnswer>([
        offer('Yes', 'allow', { type: 'allow' }),
        ...always.map(({ label, suggestion }) =>
          offer<ToolAnswer>(label, 'allow-always', { type: 'allow-always', suggestion }),
        ),
        offer('No', 'deny', no),
      ]);
    }
    case 'questions':
      return numbered<QuestionsAnswer>([...choicesOf(request), offer('No answer', 'deny', no)]);
    case 'plan':
      return numbered<PlanAnswer>(
        request.written
          ? [
              offer('Yes, manually approve edits', 'allow', { type: 'approve', edits: 'manual' }),
              offer('Yes, and accept edits', 'mode', { type: 'approve', edits: 'accept' }),
              offer('No, keep planning', 'deny', no),
            ]
          : [offer('Yes', 'allow', { type: 'approve', edits: 'manual' }), offer('No', 'deny', no)],
      );
  }
}

function alwaysLabel({ rule, sessionOnly }: Suggestion): string {
  return sessionOnly ? `Always in this session: ${rule}` : `Always: ${rule}`;
}

type Unnumbered<A> = Omit<Offer<A>, 'option'> & { readonly option: Omit<Option, 'key'> };

function offer<A>(label: string, means: Option['means'], answer: A): Unnumbered<A> {
  return { option: { label, means }, answer };
}

/** `1` to `9`, then letters; `g` is always "go". */
const keys = '123456789abcdefhijklmnopqrstuvwxyz';

function numbered<A>(offers: readonly Unnumbered<A>[]): readonly Offer<A>[] {
  const last = offers.slice(-1);
  const kept = [...offers.slice(0, -1).slice(0, keys.length - 1), ...last];
  return [
    ...kept.map(({ option, answer }, at) => ({ option: { key: keys.charAt(at), ...option }, answer })),
    { option: { key: 'g', label: 'Go to terminal', means: 'go' }, answer: null },
  ];
}

function choicesOf(request: QuestionsRequest): readonly Unnumbered<QuestionsAnswer>[] {
  const [question, ...others] = request.questions;
  if (question === undefined || others.length > 0 || question.multiSelect) return [];
  return question.options.flatMap(({ label }) => {
    const answers = answersTo(request, [{ choices: [label], ownWords: null }]);
    return 'wrong' in answers ? [] : [offer(label, 'choice', { type: 'answers', ...answers })];
  });
}

/** What was picked for one question: labels of its choices, words of one's own, with multi-select also both. */
export interface Pick {
  readonly choices: readonly string[];
  readonly ownWords: string | null;
}

/** The answers to all questions, in their order; or why these are none. */
export function answersTo(
  { questions }: QuestionsRequest,
  picks: readonly Pick[],
): { readonly answers: Answers } | { readonly wrong: string } {
  if (questions.length === 0) return { wrong: 'the questions could not be understood' };
  if (new Set(questions.map(({ text }) => text)).size < questions.length)
    return { wrong: 'two of the questions are the same' };
  if (picks.length !== questions.length) {
    return { wrong: `${questions.length} questions were asked, and ${picks.length} answered` };
  }
  const entries: (readonly [string, string])[] = [];
  for (const [at, question] of questions.entries()) {
    const { choices = [], ownWords = null } = picks[at] ?? {};
    const unknown = choices.find((choice) => !question.options.some(({ label }) => label === choice));
    if (unknown !== undefined) return { wrong: `"${question.text}" has no choice "${unknown}"` };
    const words = ownWords?.trim() ?? '';
    const given = [...new Set(choices), ...(words === '' ? [] : [words])];
    if (given.length === 0) return { wrong: `"${question.text}" is not answered` };
    if (given.length > 1 && !question.multiSelect) return { wrong: `"${question.text}" takes one answer` };
    // This is how Claude Code itself joins what was ticked.
    entries.push([question.text, given.join(', ')]);
  }
  return { answers: Object.fromEntries(entries) as Answers };
}

/** The exact stdout of the hook, one line of JSON. */
export function decisionOf<R extends PermissionRequest>(request: R, answer: AnswerTo<R>): string;
export function decisionOf(
  request: PermissionRequest,
  answer: ToolAnswer | QuestionsAnswer | PlanAnswer,
): string {
  const input = request.kind === 'tool' ? {} : request.input;
  switch (answer.type) {
    case 'allow':
      return output({ behavior: 'allow' });
    case 'allow-always':
      return output({ behavior: 'allow', updatedPermissions: [answer.suggestion.entry] });
    case 'answers':
      return output({ behavior: 'allow', updatedInput: { ...input, answers: answer.answers } });
    case 'approve':
      return output({
        behavior: 'allow',
        updatedInput: input,
        ...(answer.edits === 'manual'
          ? {}
          : { updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] }),
      });
    case 'keep-planning':
      return denied(answer.words, true);
    case 'deny':
      return denied(answer.message, answer.goOn);
  }
}

/** Without a message Claude would be told that something failed, not that somebody said no. */
function denied(message: string, goOn: boolean): string {
  const told = message.trim() === '' ? 'Denied from the status bar (tsmux)' : message.trim();
  return output({ behavior: 'deny', message: told, ...(goOn ? {} : { interrupt: true }) });
}

function output(decision: object): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
}
