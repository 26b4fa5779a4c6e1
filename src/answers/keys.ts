import type { Option } from '../sessions/prompt.ts';
import { type Clock, pause } from '../system/clock.ts';

/** As much of a dialog as is needed to choose in it. */
export interface ReadableDialog {
  readonly options: readonly {
    readonly key: string | null;
    readonly label: string;
    readonly means: Option['means'];
    /** Its key leads to a text field, and answers nothing. */
    readonly takesText: boolean;
  }[];
  /** A text field has the cursor: keys are typed into it. */
  readonly typing: boolean;
}

export type KeyTarget<D extends ReadableDialog> = Pick<KeyAnswer<D>, 'read' | 'belongs'>;

export interface KeyAnswer<D extends ReadableDialog> {
  /** The prompt that is answered. Never sent for twice. */
  readonly mark: string;
  /** The option as it was shown to whoever chose it. */
  readonly option: Option;
  /** When the prompt was first heard of, ms since the epoch. */
  readonly promptSince: number;
  /** The dialog on the screen; null where there is none that can be read. */
  read(): Promise<D | null>;
  belongs(dialog: D): boolean;
  /** Tests that the dialog is still there and sends the key, in one step. `failed`: it may have been sent. */
  send(dialog: D, key: string, mark: string): Promise<'sent' | 'refused' | 'failed'>;
}

export type ReadForPrompt<D> =
  | { readonly type: 'read'; readonly dialog: D; readonly retried: boolean }
  | { readonly type: 'unreadable' }
  /** What is on the screen is not this prompt's. */
  | { readonly type: 'other-dialog' };

export type KeyOutcome =
  | { readonly type: 'sent' }
  | { readonly type: 'unreadable' }
  | { readonly type: 'other-dialog' }
  /** The dialog has no such option, or the option is another now. */
  | { readonly type: 'no-such-option' }
  /** A text field has the cursor, or would get it. */
  | { readonly type: 'takes-text' }
  /** The screen changed before the key could be sent; nothing was sent. */
  | { readonly type: 'changed' }
  | { readonly type: 'already-sent' }
  /** Nobody can tell whether the key arrived. */
  | { readonly type: 'failed' };

/** A dialog is drawn 0.4 to 0.55 s after the session file says "waiting" (Claude Code 2.1.332 in tmux). */
const retryAfter = [150, 250, 400, 600];

/** A dialog ignores keys for 0.2 s after it is visible, and up to 0.75 s after "waiting". */
const deafAfterDrawn = 250;
const deafAfterWaiting = 750;

/** The dialog of that prompt, waiting for it to be drawn. */
export async function readForPrompt<D extends ReadableDialog>(
  { read, belongs }: KeyTarget<D>,
  clock: Clock,
): Promise<ReadForPrompt<D>> {
  let seen: D | null = null;
  for (const [at, wait] of [0, ...retryAfter].entries()) {
    if (wait > 0) await pause(clock, wait);
    seen = await read();
    if (seen !== null && belongs(seen)) return { type: 'read', dialog: seen, retried: at > 0 };
  }
  return { type: seen === null ? 'unreadable' : 'other-dialog' };
}

export interface Keys {
  answer<D extends ReadableDialog>(answer: KeyAnswer<D>): Promise<KeyOutcome>;
  /** The prompt that this mark is of is settled: the mark need not be remembered. */
  forget(mark: string): void;
}

/** Chooses options by their digits, each mark once. A key too many would be typed into Claude's prompt box. */
export function createKeys(clock: Clock): Keys {
  /** Marks for which a key was sent, may have been, or is about to be. */
  const underway = new Set<string>();

  const choose = async <D extends ReadableDialog>(answer: KeyAnswer<D>): Promise<KeyOutcome> => {
    const { option, mark, promptSince } = answer;
    const found = await readForPrompt(answer, clock);
    if (found.type !== 'read') return found;
    const { dialog } = found;
    const chosen = dialog.options.find(({ key }) => key === option.key);
    if (chosen === undefined || chosen.label !== option.label || chosen.means !== option.means) {
      return { type: 'no-such-option' };
    }
    if (dialog.typing || chosen.takesText) return { type: 'takes-text' };
    const hears = Math.max(promptSince + deafAfterWaiting - clock.now(), found.retried ? deafAfterDrawn : 0);
    // A wall clock that was set back must not keep the user waiting.
    if (hears > 0) await pause(clock, Math.min(hears, deafAfterWaiting));
    const sent = await answer.send(dialog, option.key, mark);
    return { type: sent === 'refused' ? 'changed' : sent };
  };

  return {
    async answer(answer) {
      const { mark } = answer;
      if (underway.has(mark)) return { type: 'already-sent' };
      underway.add(mark);
      let surelyNotSent = true;
      const send: typeof answer.send = async (...press) => {
        surelyNotSent = false;
        const sent = await answer.send(...press);
        surelyNotSent = sent === 'refused';
        return sent;
      };
      try {
        return await choose({ ...answer, send });
      } finally {
        if (surelyNotSent) underway.delete(mark);
      }
    },
    forget: (mark) => void underway.delete(mark),
  };
}
