import type { BarConfig } from '../config/schema.ts';
import type { Option, PromptId } from '../sessions/prompt.ts';
import type { SessionId } from '../sessions/session.ts';
import type { Room } from './shrink.ts';
import type { Look, Theme } from './theme.ts';

/** One clickable piece of bar text; every bar's own form is made from these. */
export interface Block {
  /** Unique on the bar: `k3f7`, `k3f7/p7c2/1` (of the third question `k3f7/p7c2/1/3`), `summary`, `quiet`, `notice`. */
  readonly instance: string;
  /** A workspace's block is that of its most urgent session. */
  readonly role: 'session' | 'option' | 'summary' | 'quiet' | 'notice';
  /** Which face of the theme it wears. */
  readonly look: Look;
  readonly session: SessionId | null;
  /** For an option: of which prompt. */
  readonly prompt: PromptId | null;
  /** For an option: which. */
  readonly option: Option | null;
  /** One safe line, not escaped for any markup, without the padding of its face. */
  readonly text: string;
  /** For bars that have even less room than the budget. */
  readonly shortText: string;
}

export type BlockSettings = Pick<
  BarConfig,
  'budget' | 'order' | 'group' | 'show' | 'sessions' | 'format' | 'widths'
>;

/** What every block of one moment is drawn from. */
export interface Drawing {
  readonly names: ReadonlyMap<SessionId, string>;
  readonly now: number;
  readonly settings: BlockSettings;
  readonly theme: Theme;
  readonly room: Room;
}
