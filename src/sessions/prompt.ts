/** What blocks a session, with its options (docs/prompts.md). */

declare const promptIdBrand: unique symbol;
/** `p` and at least three of `[a-z0-9]`. */
export type PromptId = string & { readonly [promptIdBrand]: true };

export type PromptKind = 'permission' | 'question' | 'plan' | 'elicitation' | 'dialog';

/** What an option does: `mode` also switches Claude's permission mode, `go` only leads to the terminal. */
export type Means = 'allow' | 'allow-always' | 'deny' | 'choice' | 'mode' | 'go';

export interface Option {
  /** One of `[a-z0-9]`: the digit on screen where the screen was read; `g` is always "go". */
  readonly key: string;
  readonly label: string;
  readonly means: Means;
}

export interface Question {
  readonly header: string | null;
  readonly text: string;
  readonly multiSelect: boolean;
  readonly options: readonly { readonly label: string; readonly description: string | null }[];
}

/** What is known of a prompt from the words of Claude Code itself (a PermissionRequest hook). */
export interface AskedPrompt {
  readonly kind: PromptKind;
  /** The tool's name (`Bash`), or what the dialog is about. */
  readonly title: string;
  /** The whole text to be decided on: the command, the file, the question. Untrusted, unescaped, uncut. */
  readonly text: string;
  /** The tool's name; null where no tool asks. */
  readonly tool: string | null;
  /** Equal for equal tool inputs: ties the prompt to the tool call, as the hook has no tool_use_id. */
  readonly inputKey: string | null;
  /** Labels of what Claude suggests to allow for good: `Bash(npm install *)`, a directory. */
  readonly suggestions: readonly string[];
  readonly questions: readonly Question[];
}

export type Answerable = 'hook' | 'keys' | 'no';

export interface Prompt {
  readonly id: PromptId;
  readonly kind: PromptKind;
  readonly title: string;
  readonly text: string;
  readonly truncated: boolean;
  /** Id of the sub-agent that asks; null for the main thread. */
  readonly agent: string | null;
  readonly answerable: Answerable;
  /** ms since the epoch. */
  readonly since: number;
  readonly pinned: boolean;
  readonly questions: readonly Question[];
  /** Which of its questions the options are of, from 0, where they are asked one after the other; null elsewhere. */
  readonly asking: number | null;
  readonly options: readonly Option[];
}
